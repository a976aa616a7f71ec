#include "fragment/partial_gains.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>

namespace treeline::fragment {

using Rank = MiningSpace::Rank;

PartialGains::PartialGains(const MiningSpace& space)
    : leaf_value_(space.kernel().childless_value(true)),
      inner_value_(space.kernel().childless_value(false)),
      below_(space.size()),
      begin_(space.size() + 1) {
    for (Rank rank = 0; rank < space.size(); ++rank) {
        begin_[rank + 1] = begin_[rank] + space.children(rank).size();
    }
    after_.resize(begin_.back());
    const double lambda = space.kernel().lambda;
    const double factor = space.kernel().child_factor();

    std::vector<Rank> by_node(space.size());
    std::iota(by_node.begin(), by_node.end(), Rank{0});
    std::ranges::sort(by_node, {}, [&](Rank rank) { return space.node(rank); });
    struct Label {
        double decayed = 0;  // sum of R' for this label, for a last child just before position `at`
        std::size_t at = 0;
        double plain = 0;  // sum of E' for this label
    };
    std::unordered_map<std::uint32_t, Label> labels;
    for (const Rank rank : by_node) {
        const auto children = space.children(rank);
        labels.clear();
        double best = 0;  // R'(rank, i)
        for (std::size_t i = children.size(); i-- > 0;) {
            after_[begin_[rank] + i] = best;
            const double gain =
                factor * childless(children[i]) * std::max(1.0, below_[children[i]]) * std::max(1.0, best);
            Label& label = labels[raw(space.label(children[i]))];
            const double earlier =
                label.plain > 0 ? label.decayed * std::pow(lambda, static_cast<double>(label.at - i)) : 0;
            label.decayed = earlier + gain;
            label.at = i;
            label.plain += gain;
            below_[rank] = std::max(below_[rank], label.plain / lambda);
            best = std::max(lambda * best, label.decayed);
        }
    }
}

}  // namespace treeline::fragment
