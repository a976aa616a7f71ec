#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fragment/fragment.hpp"
#include "store/dictionary_format.hpp"
#include "tree/symbols.hpp"

namespace treeline::store {

/// A fragment dictionary on disk (FORMATS.md), open for reading. Any number of processes may have it open at
/// once. Thread-safe.
///
/// Fragments are numbered from 0, by rank: |relevance| descending, then size, then text.
class Dictionary {
  public:
    /// Throws SystemError where there is nothing, InputError for what is not a dictionary or of another format version.
    explicit Dictionary(const std::string& path);
    ~Dictionary();
    Dictionary(Dictionary&&) noexcept;

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const DictionaryInfo& info() const;
    [[nodiscard]] std::uint32_t size() const;
    [[nodiscard]] const std::string& digest() const;
    /// Labels of the fragments that this hands out. (The mark "up" is not among them.)
    [[nodiscard]] const tree::SymbolTable& symbols() const;

    struct Entry {
        std::uint32_t id = 0;
        fragment::Fragment fragment;
        FragmentRecord record;
    };
    /// One fragment; throws InputError for a number of size() or more. A look-up per label of its sequence.
    [[nodiscard]] Entry get(std::uint32_t id) const;
    /// The number of a fragment, if it is there. A look-up per label.
    [[nodiscard]] std::optional<std::uint32_t> find(fragment::FragmentView fragment,
                                                    const tree::SymbolTable& symbols) const;
    /// All fragments in order. Holds all tails in memory (8 bytes each). `visit` returns false to stop.
    void for_each(const std::function<bool(const Entry&)>& visit) const;

    /// A step of a fragment's way through the index: label, arc to follow (0 at the end).
    struct PathStep {
        LabelKind kind;
        std::string_view label;
        std::uint32_t arc;
    };
    [[nodiscard]] std::vector<PathStep> path_of(std::uint32_t id) const;

    /// A production in some fragment (a lone node has one without children), and the fragments that use it.
    struct Production {
        fragment::FragmentNode parent;                 ///< children: their number
        std::vector<fragment::FragmentNode> children;  ///< kLeafNode or 0
        std::vector<std::uint32_t> fragments;
    };
    /// All of them, ordered by the numbers of their labels.
    void for_each_production(const std::function<void(const Production&)>& visit) const;

    struct Statistics {
        std::uint64_t labels = 0;
        std::uint64_t tails = 0;
        std::uint64_t unshared_tails = 0;
        std::uint64_t productions = 0;
        std::uint64_t bytes = 0;  ///< of all files
    };
    [[nodiscard]] Statistics statistics() const;

    /// Everything that is wrong with the dictionary in a folder, in words; empty if nothing is. Looks at the
    /// checksum of every file, at every entry of the index and at the content digest.
    [[nodiscard]] static std::vector<std::string> verify(const std::string& path);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::store
