#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polynomial/conjunction_numbers.hpp"
#include "polynomial/conjunction_table.hpp"
#include "polynomial/output_change.hpp"
#include "polynomial/polynomial_kernel.hpp"

namespace treeline::polynomial {

/// What a trie has of each of its roots, which tend to be frequent features: memory goes up to the rarest.
template <typename T>
class WeightRoots {
  public:
    /// Null for a root that is absent.
    [[nodiscard]] T* find(std::uint32_t root) const {
        return root < roots_.size() ? roots_[root].get() : nullptr;
    }
    /// The place of a root.
    std::unique_ptr<T>& operator[](std::uint32_t root) {
        if (root >= roots_.size()) {
            roots_.resize(root + std::size_t{1});
        }
        return roots_[root];
    }

  private:
    std::vector<std::unique_ptr<T>> roots_;
};

/// The weight vector over conjunctions of at most `degree` features (Eq. 1 of Yoshinaga & Kitsuregawa 2010)
/// as a trie from the rarest feature of a conjunction, its root, to the most frequent one. Roots are added
/// one by one; those absent are skipped.
///
/// ScalarWeightTrie holds one weight a conjunction, for two classes; VectorWeightTrie one for each of
/// `outputs` classes. Not thread-safe for add(); reading is.
class ScalarWeightTrie {
  public:
    /// Look-ups of weights that take as long as the comparison of a support vector with a row (measured).
    static constexpr double kLookupsPerEntry = 2;

    ScalarWeightTrie(unsigned degree, std::size_t outputs);

    /// Adds to out[0] the weights of all conjunctions of the feature at `position` of a row with those before
    /// it. `numbers` are of that row and of order degree - 1.
    void accumulate(ConjunctionNumbers& numbers, std::size_t position, double* out) const;
    /// Adds c_d^k times each of `changes` to the weights of each such conjunction of k features; makes the
    /// root.
    void add(ConjunctionNumbers& numbers, std::size_t position, std::span<const OutputChange> changes);
    /// Adds the weights of the conjunction of `root` with `features` (descending ranks) to out[0].
    void accumulate_one(std::span<const std::uint32_t> features, std::uint32_t root, double* out) const;

    [[nodiscard]] bool has_root(std::uint32_t root) const { return roots_.find(root) != nullptr; }
    void drop_root(std::uint32_t root);
    /// Largest rank that can be a root: beyond it numbers of conjunctions would not fit in 64 bits.
    [[nodiscard]] std::uint32_t root_limit() const;
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    unsigned degree_;
    std::array<double, kMaxDegree + 1> coefficients_;
    WeightRoots<ConjunctionTable<double>> roots_;
    std::size_t bytes_ = 0;
};

class VectorWeightTrie {
  public:
    /// A look-up reads a weight for every class, a support vector has coefficients for few of them.
    static constexpr double kLookupsPerEntry = 0.5;

    VectorWeightTrie(unsigned degree, std::size_t outputs);

    /// As in ScalarWeightTrie, for out[0..outputs).
    void accumulate(ConjunctionNumbers& numbers, std::size_t position, double* out) const;
    void add(ConjunctionNumbers& numbers, std::size_t position, std::span<const OutputChange> changes);
    void accumulate_one(std::span<const std::uint32_t> features, std::uint32_t root, double* out) const;

    [[nodiscard]] bool has_root(std::uint32_t root) const { return roots_.find(root) != nullptr; }
    void drop_root(std::uint32_t root);
    [[nodiscard]] std::uint32_t root_limit() const;
    [[nodiscard]] std::size_t bytes() const { return bytes_; }

  private:
    /// The weights of the conjunctions of a root are rows of its own, so that they leave with it.
    struct Root {
        Root(unsigned order, std::uint32_t root) : table(order, root) {}
        ConjunctionTable<std::uint32_t> table;  ///< to row + 1
        std::vector<double> rows;
        [[nodiscard]] std::size_t bytes() const { return table.bytes() + rows.capacity() * sizeof(double); }
    };

    unsigned degree_;
    std::size_t outputs_;
    std::array<double, kMaxDegree + 1> coefficients_;
    WeightRoots<Root> roots_;
    std::size_t bytes_ = 0;
};

}  // namespace treeline::polynomial
