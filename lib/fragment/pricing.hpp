#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "fragment/mining_space.hpp"
#include "fragment/score.hpp"
#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::fragment {

/// Trees of each row of a problem; a row may have several trees or none.
struct RowTrees {
    std::vector<std::size_t> begin{0};  ///< of each row in `trees`, one more at the end
    std::vector<tree::NodeId> trees;    ///< roots, or example::kEmptyTree
    [[nodiscard]] std::size_t size() const { return begin.size() - 1; }
};

/// Values x_if of a fragment by row, ascending, without zeros.
struct FragmentColumn {
    std::vector<std::uint32_t> rows;
    std::vector<double> values;
};

struct PricingOptions {
    std::size_t top = 0;   ///< the largest so many; 0 = all above the threshold
    double threshold = 1;  ///< least |score|
    /// sst: leave out a fragment g that occurs just where the smaller f that it was grown from does. Then x_g = v x_f with
    /// v = lambda^(k/2) <= 1, so |score of g| <= |score of f| and |score of g| <= 1 follows from that of f.
    bool skip_repeats = false;
    bool from_above = true;                                        ///< MinerOptions::from_above
    std::size_t memory = std::numeric_limits<std::size_t>::max();  ///< bytes for the fragments found
};

/// What pricing found.
struct Priced {
    FragmentList fragments;      ///< largest |score| first; labels of the forest
    std::vector<double> scores;  ///< of each
    /// No fragment of the whole space that is not listed has a larger |score|, those aside that skip_repeats leaves out,
    /// which are at or below one that is not.
    double unlisted = 0;
    std::uint64_t patterns = 0;  ///< fragments looked at

    /// Upper bound of |score| over the whole space.
    [[nodiscard]] double largest() const;
};

/// What screening left.
struct Screened {
    FragmentList fragments;
    std::uint64_t patterns = 0;  ///< fragments looked at
};

/// The rows of a problem over *all* fragments of a tree kernel's space: x_if = sum over the trees t of row i of
/// phi_f(t) / ||t||, as the vectorizer has it but in double precision. Finds the columns that a learner needs without
/// ever making the others. Not thread-safe; parallel inside, the same for any number of threads. Memory: about 4 bytes a node of
/// the trees (by occurrence) beside the MiningSpace.
class PricingSpace {
  public:
    /// `forest` must outlive it and not change.
    PricingSpace(const tree::Forest& forest, const kernel::TreeKernel& kernel, RowTrees rows);

    [[nodiscard]] std::size_t rows() const { return rows_.size(); }
    [[nodiscard]] std::span<const tree::NodeId> trees(std::size_t row) const {
        return {rows_.trees.data() + rows_.begin[row], rows_.begin[row + 1] - rows_.begin[row]};
    }
    [[nodiscard]] const tree::Forest& forest() const { return space_.forest(); }
    [[nodiscard]] const kernel::TreeKernel& kernel() const { return space_.kernel(); }

    /// The fragments f with the largest |sum_i c_i x_if|, c_i the coefficient of row i, by branch and bound over the whole
    /// space (miner.hpp).
    [[nodiscard]] Priced price(std::span<const double> coefficients, const PricingOptions& options);

    /// Fragments that may have |sum_i c'_i x_if| >= 1 for some c' in the ball sum_i (c'_i - c_i)^2 / e_i <= radius^2, c_i the
    /// coefficient and e_i > 0 the extent of row i; none other has. Not listed is also what skip_repeats leaves out. For st and sst
    /// (see screens()).
    ///
    /// Proof. |sum_i (c'_i - c_i) x_if| <= radius ||x_f||, ||x_f||^2 = sum_i e_i x_if^2, by Cauchy and Schwarz, so f is only left out
    /// where |sum_i c_i x_if| + radius ||x_f|| < 1, or more is known. With n_ib = sum over the trees t of row i of
    /// (times that t has node b) / ||t||, x_if = v(f) sum_b n_ib over the nodes b where f occurs. All of them have the production
    /// of f's root; N_i be the sum of n_ib over all nodes with that production. As (sum_b n_ib)^2 <= N_i sum_b n_ib,
    /// ||x_f||^2 <= v(f)^2 sum_b Q_b with Q_b = sum_i e_i N_i n_ib >= 0, which falls where f grows, as it then occurs at some of
    /// these nodes. A branch grown from f holds only g with v(g) <= sqrt(lambda) v(f) (sst), of which none can reach 1 where
    /// sqrt(lambda) v(f) (max(P, -M) + radius sqrt(sum_b Q_b)) < 1, P and M the sums of the positive and the negative W_b as in mining.
    /// Nothing where there are more than `most`. What it saves and costs: tests/bench/RESULTS.md.
    [[nodiscard]] std::optional<Screened> screen(std::span<const double> coefficients,
                                                 std::span<const double> extents, double radius,
                                                 std::size_t most, const PricingOptions& options);
    /// Not for ptk and uptk, whose fragments have other values at each node.
    [[nodiscard]] bool screens() const;

    /// Columns of fragments whose labels are the forest's.
    [[nodiscard]] std::vector<FragmentColumn> columns(const FragmentList& fragments) const;

    /// Nodes of the rows' trees at which each fragment occurs, an equal tree of several rows counted as often.
    [[nodiscard]] std::vector<std::uint64_t> counts(const FragmentList& fragments) const;

    [[nodiscard]] std::size_t bytes() const;

  private:
    void find_trees_of_nodes();
    void find_rows_of_trees();
    void set_coefficients(std::span<const double> coefficients);
    /// Q_b by rank.
    [[nodiscard]] std::vector<double> squares(std::span<const double> extents) const;

    RowTrees rows_;
    MiningSpace space_;
    std::vector<double> coefficients_;  // by distinct tree; work space
    // Distinct trees in which a node of the space occurs, once for each occurrence, ascending: by rank.
    std::vector<std::size_t> trees_begin_;
    std::vector<std::uint32_t> trees_;
    // Rows with a tree, once for each time that they have it, ascending: by distinct tree.
    std::vector<std::size_t> rows_begin_;
    std::vector<std::uint32_t> rows_of_;
};

}  // namespace treeline::fragment
