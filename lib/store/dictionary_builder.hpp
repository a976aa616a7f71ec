#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "base/manifest.hpp"
#include "fragment/fragment.hpp"
#include "store/dictionary_format.hpp"
#include "tree/symbols.hpp"

namespace treeline::store {

/// Counts of a finished dictionary.
struct DictionarySummary {
    std::uint64_t fragments = 0;
    std::uint64_t labels = 0;
    std::uint64_t tails = 0;
    std::uint64_t unshared_tails = 0;  ///< there would be this many if none were shared
    std::uint64_t productions = 0;
    std::uint64_t bytes = 0;  ///< of all files
    std::string digest;       ///< of the content
};

/// Makes a dictionary on disk (FORMATS.md), whole or not at all: it grows in a temporary folder beside `path`
/// and takes that name when commit() has synced it. What is written depends on the fragments and their order
/// alone. Not thread-safe. Memory: the tails, and 4 bytes per fragment and production in it.
class DictionaryBuilder {
  public:
    /// `symbols` are those of the fragments' labels; it must outlive this. With `scratch`, a folder on a fast
    /// local disk, the dictionary grows there instead of beside `path`, where commit() moves it.
    DictionaryBuilder(std::string path, DictionaryInfo info, const tree::SymbolTable& symbols,
                      const std::string& scratch = {});
    ~DictionaryBuilder();

    /// The fragment gets the next number, from 0. The record's root, sizes and relevance are
    /// filled in here.
    void add(fragment::FragmentView fragment, std::span<const ModelRelevance> models);

    /// Writes the manifest (its counts and output completed), syncs and renames. To be called once, last.
    DictionarySummary commit(base::Manifest manifest);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::store
