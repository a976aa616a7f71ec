#include "fragment/fragment_family.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "fragment/growth.hpp"

namespace treeline::fragment {

using kernel::FragmentKind;
using kernel::TreeKernel;
using tree::Forest;

namespace {

/// Fragments of whole productions.
class ProductionFragments : public FragmentFamily {
  public:
    [[nodiscard]] double occurrence_value(FragmentView fragment, const TreeKernel& kernel,
                                          WeightScheme scheme) const override {
        const Shape shape = measure(fragment);
        return scheme == WeightScheme::kExact ? std::pow(kernel.lambda, std::max(1U, shape.expanded) / 2.0)
                                              : std::pow(kernel.lambda, std::max(1U, shape.depth));
    }
    [[nodiscard]] bool has_weight(WeightScheme) const override { return true; }
    [[nodiscard]] std::uint32_t size(const Shape& shape) const override {
        return std::max(1U, shape.expanded);
    }
    [[nodiscard]] bool skips_children() const override { return false; }
    void visit_occurrences(const MiningSpace& space, WeightScheme scheme, const FragmentList& fragments,
                           const tree::SymbolTable& symbols, const OccurrenceVisitor& visit) const override {
        visit_subsets(space, scheme, fragments, symbols, visit);
    }
    [[nodiscard]] TrieForm trie() const override { return TrieForm::kDecisions; }
};

class SubtreeFragments final : public ProductionFragments {
  public:
    [[nodiscard]] bool has_miner(MinerKind miner) const override { return miner == MinerKind::kExact; }
    std::uint64_t grow(const MiningSpace& space, const MinerOptions& options, TopList& list) const override {
        return grow_subtrees(space, options, list);
    }
    void spell(const Forest& forest, std::span<const Step> steps, Fragment& out) const override {
        spell_subtree(forest, steps, out);
    }
    [[nodiscard]] std::string find_objection(FragmentView fragment, const TreeKernel&) const override {
        const bool open =
            std::ranges::any_of(fragment, [](const FragmentNode& node) { return node.children == 0; });
        return open ? "has an open node" : "";
    }
};

class SubsetFragments final : public ProductionFragments {
  public:
    [[nodiscard]] bool has_miner(MinerKind) const override { return true; }
    std::uint64_t grow(const MiningSpace& space, const MinerOptions& options, TopList& list) const override {
        return grow_subsets(space, options, list);
    }
    void spell(const Forest& forest, std::span<const Step> steps, Fragment& out) const override {
        spell_subset(forest, steps, out);
    }
    [[nodiscard]] std::string find_objection(FragmentView, const TreeKernel&) const override { return {}; }
};

class PartialFragments final : public FragmentFamily {
  public:
    [[nodiscard]] double occurrence_value(FragmentView fragment, const TreeKernel& kernel,
                                          WeightScheme) const override {
        double childless = 0;
        for (const FragmentNode& node : fragment) {
            childless += child_count(node) == 0;
        }
        const auto nodes = static_cast<double>(fragment.size());
        return std::pow(kernel.mu, nodes / 2) * std::pow(kernel.lambda, childless) *
               std::pow(kernel.child_factor(), nodes - 1);
    }
    [[nodiscard]] bool has_weight(WeightScheme scheme) const override {
        return scheme == WeightScheme::kExact;
    }
    [[nodiscard]] std::uint32_t size(const Shape& shape) const override { return shape.nodes; }
    [[nodiscard]] bool skips_children() const override { return true; }
    [[nodiscard]] bool has_miner(MinerKind miner) const override { return miner == MinerKind::kExact; }
    std::uint64_t grow(const MiningSpace& space, const MinerOptions& options, TopList& list) const override {
        return grow_partials(space, options, list);
    }
    void spell(const Forest&, std::span<const Step> steps, Fragment& out) const override {
        spell_partial(steps, out);
    }
    void visit_occurrences(const MiningSpace& space, WeightScheme, const FragmentList& fragments,
                           const tree::SymbolTable& symbols, const OccurrenceVisitor& visit) const override {
        visit_partials(space, fragments, symbols, visit);
    }
    [[nodiscard]] TrieForm trie() const override { return TrieForm::kParts; }
    [[nodiscard]] std::string find_objection(FragmentView fragment, const TreeKernel& kernel) const override {
        const bool wide = kernel.longest > 0 && std::ranges::any_of(fragment, [&](const FragmentNode& node) {
                              return child_count(node) > kernel.longest;
                          });
        return wide ? "has a node of more than " + std::to_string(kernel.longest) + " children" : "";
    }
};

}  // namespace

const FragmentFamily& fragments_of(const TreeKernel& kernel) {
    static const SubtreeFragments subtrees;
    static const SubsetFragments subsets;
    static const PartialFragments partials;
    switch (kernel.family().fragments) {
        case FragmentKind::kSubtrees: return subtrees;
        case FragmentKind::kSubsets: return subsets;
        case FragmentKind::kPartial: return partials;
    }
    throw base::Error("a kernel whose fragments are of no known kind");
}

void require_member(FragmentView fragment, const tree::SymbolTable& symbols, const TreeKernel& kernel) {
    const auto refuse = [&](const std::string& why) {
        throw base::Error("fragment " + to_text(fragment, symbols) + " " + why +
                          " is not in the space of the kernel " +
                          kernel::to_string(kernel::BasicKernel(kernel)));
    };
    if (fragment.size() == 1) {
        if (!kernel.family().has_lone_node(is_leaf(fragment.front()))) {
            refuse("of one node");
        }
    } else if (const std::string why = fragments_of(kernel).find_objection(fragment, kernel); !why.empty()) {
        refuse(why + " and");
    }
}

}  // namespace treeline::fragment
