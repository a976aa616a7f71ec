#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "tree/forest.hpp"

/// What tells tree kernels apart besides their parameters. Nothing else asks which kernel it is: a new one is a row of
/// kKernelFamilies, and, where its fragments are of a new kind, an evaluation in lib/kernel and a FragmentFamily in
/// lib/fragment. The test layering.families holds that true.
namespace treeline::kernel {

enum class TreeKernelKind { kSt, kSst, kStBow, kSstBow, kPtk, kUptk };

/// The fragments that a kernel counts.
enum class FragmentKind {
    kSubtrees,  ///< a node with everything below it
    kSubsets,   ///< a node and all its children; each of them is left open or has all its children, too
    kPartial,   ///< a node and some of its children, in order; each of them likewise
};

/// Which fragments of one node alone count.
enum class LoneNodes { kNone, kLeaves, kAll };

struct KernelFamily {
    TreeKernelKind kind;
    std::string_view name;  ///< in descriptions
    FragmentKind fragments;
    LoneNodes lone;

    /// Nodes are compared where they have the same label, whatever their children; else where they have the same production.
    [[nodiscard]] constexpr bool matches_by_label() const { return fragments == FragmentKind::kPartial; }
    /// What nodes that are compared share.
    [[nodiscard]] std::uint32_t key(const tree::Forest& forest, tree::NodeId node) const {
        return matches_by_label() ? raw(forest.label(node)) : raw(forest.production(node));
    }

    /// Leaves count by themselves, but nothing is compared there as part of a larger fragment: a production says it all.
    [[nodiscard]] constexpr bool leaves_stand_alone() const {
        return !matches_by_label() && lone != LoneNodes::kNone;
    }
    /// Do leaves take part by themselves, not only through the productions above them?
    [[nodiscard]] constexpr tree::Forest::Leaves leaves() const {
        return matches_by_label() || leaves_stand_alone() ? tree::Forest::Leaves::kWith
                                                          : tree::Forest::Leaves::kWithout;
    }
    [[nodiscard]] bool takes_part(const tree::Forest& forest, tree::NodeId node) const {
        return leaves() == tree::Forest::Leaves::kWith || !forest.is_leaf(node);
    }
    /// Is a fragment of one node, a leaf or not, in the space?
    [[nodiscard]] constexpr bool has_lone_node(bool is_leaf) const {
        return lone == LoneNodes::kAll || (lone == LoneNodes::kLeaves && is_leaf);
    }

    /// Where productions match: D of a pair is lambda times the product of (sigma + D) over the pairs of their children; 1
    /// where a child may be left open, 0 where it may not.
    [[nodiscard]] constexpr double sigma() const { return fragments == FragmentKind::kSubtrees ? 0 : 1; }

    /// The kernel has the parameters mu, p, terminal and gaps, besides lambda.
    [[nodiscard]] constexpr bool has_child_parameters() const { return matches_by_label(); }
};

/// In the order of TreeKernelKind.
inline constexpr std::array<KernelFamily, 6> kKernelFamilies{{
    {TreeKernelKind::kSt, "st", FragmentKind::kSubtrees, LoneNodes::kNone},
    {TreeKernelKind::kSst, "sst", FragmentKind::kSubsets, LoneNodes::kNone},
    {TreeKernelKind::kStBow, "st-bow", FragmentKind::kSubtrees, LoneNodes::kLeaves},
    {TreeKernelKind::kSstBow, "sst-bow", FragmentKind::kSubsets, LoneNodes::kLeaves},
    {TreeKernelKind::kPtk, "ptk", FragmentKind::kPartial, LoneNodes::kAll},
    {TreeKernelKind::kUptk, "uptk", FragmentKind::kPartial, LoneNodes::kNone},
}};

[[nodiscard]] constexpr const KernelFamily& family_of(TreeKernelKind kind) {
    return kKernelFamilies[static_cast<std::size_t>(kind)];
}

static_assert([] {
    for (const KernelFamily& family : kKernelFamilies) {
        if (&family != &family_of(family.kind)) {
            return false;
        }
    }
    return true;
}());

}  // namespace treeline::kernel
