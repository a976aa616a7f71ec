#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "fragment/fragment.hpp"
#include "fragment/mining_space.hpp"
#include "fragment/weight.hpp"
#include "tree/symbols.hpp"

namespace treeline::fragment {

/// Fragments one after the other.
class FragmentList {
  public:
    void add(FragmentView fragment) {
        nodes_.insert(nodes_.end(), fragment.begin(), fragment.end());
        begin_.push_back(nodes_.size());
    }
    [[nodiscard]] std::size_t size() const { return begin_.size() - 1; }
    [[nodiscard]] FragmentView operator[](std::size_t i) const {
        return {nodes_.data() + begin_[i], begin_[i + 1] - begin_[i]};
    }
    [[nodiscard]] std::size_t bytes() const {
        return nodes_.capacity() * sizeof(FragmentNode) + begin_.capacity() * sizeof(std::size_t);
    }

  private:
    std::vector<FragmentNode> nodes_;
    std::vector<std::size_t> begin_{0};
};

/// A fragment in one model: w_f, and the nodes of the model's trees at which it occurs.
struct Score {
    double relevance = 0;
    std::uint64_t count = 0;
};

/// Where a fragment occurs: distinct nodes, ascending, and what it is worth at each.
struct Occurrence {
    std::span<const MiningSpace::Rank> nodes;
    std::span<const double> values;  ///< of each node, empty = all 1;
    double factor = 1;               ///< times this
};
using OccurrenceVisitor = std::function<void(std::size_t fragment, const Occurrence& found)>;

/// Looks for given fragments in the trees of a model, whatever their coefficients; `symbols` are those of the
/// fragments' labels. `visit` is called by several threads, in any order, at most once a fragment and not for
/// all that do not occur. Fragments that begin with the same growth decisions share the work.
void visit_occurrences(const MiningSpace& space, WeightScheme scheme, const FragmentList& fragments,
                       const tree::SymbolTable& symbols, const OccurrenceVisitor& visit);

/// The scores of given fragments in a model, 0 for those that do not occur; `symbols` are those of the
/// fragments' labels. They equal what mine() would list. Parallel.
[[nodiscard]] std::vector<Score> score_fragments(const MiningSpace& space, WeightScheme scheme,
                                                 const FragmentList& fragments,
                                                 const tree::SymbolTable& symbols);

}  // namespace treeline::fragment
