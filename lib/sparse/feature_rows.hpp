#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "example/example_set.hpp"
#include "fragment/pricing.hpp"
#include "fragment/vectorizer.hpp"
#include "kernel/description.hpp"
#include "linear/sparse_problem.hpp"
#include "tree/forest.hpp"

namespace treeline::sparse {

/// Examples as rows of a problem over all fragments of a tree kernel and their flat features, numbers as the vectorizer has
/// them (kernel norm) but in double precision. Examples with equal trees and vectors and of one class are one row, whose cost is
/// the sum of theirs: in every one-against-the-rest question they have the same label. Memory: see fragment::PricingSpace.
class FeatureRows {
  public:
    /// `classes` has a number for each example of `subset`. The forest must outlive it. Throws base::Error for several trees and a
    /// kernel that compares the first with the first (vectorizer.hpp). Examples of cost 0 have no row.
    FeatureRows(const tree::Forest& forest, const example::ExampleSet& examples,
                std::span<const std::uint32_t> subset, std::span<const std::uint32_t> classes,
                const kernel::TreeKernel& kernel, fragment::FlatFeatures vectors);

    /// Every `stride`-th row, with the same numbers of flat columns. Costs are raised so that their sum stays.
    [[nodiscard]] FeatureRows sample(std::size_t stride) const;

    [[nodiscard]] std::size_t size() const { return classes_.size(); }
    /// Class and summed cost by row.
    [[nodiscard]] std::span<const std::uint32_t> classes() const { return classes_; }
    [[nodiscard]] std::span<const double> costs() const { return costs_; }
    /// Examples that a row stands for.
    [[nodiscard]] std::span<const std::uint64_t> counts() const { return counts_; }
    /// +1 for rows of the class, -1 for the others.
    [[nodiscard]] std::vector<double> labels(std::uint32_t positive) const;
    /// Costs, those of rows labelled +1 times `factor`.
    [[nodiscard]] std::vector<double> costs(std::span<const double> labels, double factor) const;

    [[nodiscard]] fragment::PricingSpace& trees() { return *trees_; }
    [[nodiscard]] const fragment::PricingSpace& trees() const { return *trees_; }

    /// Flat features that occur, by number from 0; `feature` is the number of the input, from 1.
    struct FlatColumn {
        std::uint32_t feature = 0;
        linear::SparseColumn column;
    };
    [[nodiscard]] std::span<const FlatColumn> flat() const { return flat_; }
    /// sum_i c_i x_ij of every flat column; parallel.
    [[nodiscard]] std::vector<double> flat_scores(std::span<const double> coefficients) const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    FeatureRows() = default;
    void add_flat(const example::ExampleSet& examples, std::span<const std::uint32_t> firsts,
                  fragment::FlatFeatures vectors);

    std::vector<std::uint32_t> classes_;
    std::vector<double> costs_;
    std::vector<std::uint64_t> counts_;
    std::unique_ptr<fragment::PricingSpace> trees_;
    std::vector<FlatColumn> flat_;
};

}  // namespace treeline::sparse
