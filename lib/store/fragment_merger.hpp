#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "fragment/score.hpp"
#include "store/dictionary.hpp"
#include "store/mined_file.hpp"
#include "tree/id_hash_table.hpp"
#include "tree/symbols.hpp"

namespace treeline::store {

/// The union of what models listed: each distinct fragment once, with what each model says about it.
class FragmentMerger {
  public:
    /// Adds the fragments of the next model; returns how many of them are not there yet. Throws
    /// base::UsageError if kernel or weights are not those of the models before.
    std::size_t add(const MinedModel& mined);
    /// Starts from a dictionary: its fragments and models.
    void add(const Dictionary& dictionary);

    [[nodiscard]] const DictionaryInfo& info() const { return info_; }
    [[nodiscard]] DictionaryInfo& info() { return info_; }
    [[nodiscard]] std::size_t size() const { return fragments_.size(); }
    [[nodiscard]] const fragment::FragmentList& fragments() const { return fragments_; }
    [[nodiscard]] const tree::SymbolTable& symbols() const { return symbols_; }

    /// Replaces what models say by their scores for all fragments: scores[model][fragment].
    void set_scores(const std::vector<std::vector<fragment::Score>>& scores);

    /// Numbers of the fragments by |relevance| descending, size, text; the first `top`, 0 = all.
    [[nodiscard]] std::vector<std::uint32_t> ranked(std::size_t top = 0) const;
    /// What the models say about a fragment, by model.
    [[nodiscard]] std::span<const ModelRelevance> relevances(std::uint32_t fragment) const;
    /// That of the class for which it is largest by amount, see ClassRelevance.
    [[nodiscard]] double relevance(std::uint32_t fragment) const;

  private:
    void adopt(const DictionaryInfo& info);
    std::uint32_t intern(fragment::FragmentView fragment, const std::vector<tree::SymbolId>& names,
                         bool& added);
    void say(std::uint32_t fragment, const ModelRelevance& relevance);
    void group() const;

    DictionaryInfo info_;
    bool started_ = false;
    tree::SymbolTable symbols_;
    fragment::FragmentList fragments_;
    tree::IdHashTable table_;
    fragment::Fragment translated_;

    struct Said {
        std::uint32_t fragment;
        ModelRelevance relevance;
    };
    std::vector<Said> said_;                       // model by model
    mutable std::vector<ModelRelevance> grouped_;  // by fragment
    mutable std::vector<std::size_t> group_begin_;
};

}  // namespace treeline::store
