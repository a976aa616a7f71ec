#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "tree/tree_text.hpp"

namespace treeline::example {

/// One entry of a sparse vector; indices ascend within a vector.
struct Feature {
    std::uint32_t index = 0;
    double value = 0;
    bool operator==(const Feature&) const = default;
};
using SparseVector = std::vector<Feature>;

/// One labelled example as read: any number of trees and of sparse vectors. Reuses its memory from
/// one example to the next; views live until then.
class Example {
  public:
    std::string_view label;  ///< empty where the format has none
    double cost = 1;         ///< weight of this example's errors (`cost:2.5`)

    [[nodiscard]] std::span<const tree::TreeText> trees() const { return {trees_.data(), tree_count_}; }
    /// To be rewritten in place.
    [[nodiscard]] std::span<tree::TreeText> mutable_trees() { return {trees_.data(), tree_count_}; }
    [[nodiscard]] std::span<const SparseVector> vectors() const { return {vectors_.data(), vector_count_}; }

    void clear() {
        label = {};
        cost = 1;
        tree_count_ = 0;
        vector_count_ = 0;
    }
    /// The next tree, empty, to be filled.
    tree::TreeText& add_tree() {
        if (tree_count_ == trees_.size()) {
            trees_.emplace_back();
        }
        trees_[tree_count_].clear();
        return trees_[tree_count_++];
    }
    SparseVector& add_vector() {
        if (vector_count_ == vectors_.size()) {
            vectors_.emplace_back();
        }
        vectors_[vector_count_].clear();
        return vectors_[vector_count_++];
    }

  private:
    std::vector<tree::TreeText> trees_;
    std::vector<SparseVector> vectors_;
    std::size_t tree_count_ = 0;
    std::size_t vector_count_ = 0;
};

}  // namespace treeline::example
