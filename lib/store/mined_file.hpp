#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "fragment/score.hpp"
#include "store/dictionary_format.hpp"
#include "tree/symbols.hpp"

namespace treeline::store {

/// The fragments mined from one model, ranked.
struct MinedModel {
    DictionaryInfo info;  ///< with just this model in its list
    tree::SymbolTable symbols;
    fragment::FragmentList fragments;
    std::vector<fragment::Score> scores;  ///< of each
};

/// Mined fragments as text: head lines that start with `#`, then `relevance TAB count TAB fragment` a line,
/// then the line `# end N` and the seal (base/sealed_text.hpp). Numbers are written so that they read back as the same.
/// Compressed by name.
void write_mined(const std::string& path, const MinedModel& mined);
/// Throws InputError with the line for anything but a whole file.
[[nodiscard]] MinedModel read_mined(const std::string& path);

}  // namespace treeline::store
