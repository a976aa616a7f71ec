#pragma once

#include <string>
#include <vector>

#include "fragment/score.hpp"
#include "store/dictionary_builder.hpp"

namespace treeline::test {

/// A dictionary of a few fragments that share labels and tails, from one model.
inline void make_small_dictionary(const std::string& path) {
    store::DictionaryInfo info;
    info.miner = "exact";
    info.models.resize(1);
    tree::SymbolTable symbols;
    store::DictionaryBuilder builder(path, info, symbols);
    const std::vector<store::ModelRelevance> relevances{{.model = 0, .relevance = 1, .count = 2}};
    for (const char* text : {"(NP (DT the) (NN))", "(NP (NN))", "(S (NP (NN)) (VP))"}) {
        builder.add(fragment::parse_fragment(text, symbols), relevances);
    }
    (void)builder.commit({});
}

}  // namespace treeline::test
