#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "fragment/fragment.hpp"
#include "fragment/miner.hpp"
#include "fragment/mining_space.hpp"
#include "fragment/score.hpp"
#include "fragment/top_list.hpp"
#include "fragment/weight.hpp"
#include "kernel/description.hpp"
#include "tree/forest.hpp"

namespace treeline::fragment {

/// Which trie finds fragments of a kind in trees; MatcherIndex describes both.
enum class TrieForm {
    kDecisions,  ///< over growth decisions: productions
    kParts,      ///< over labels and the parts below them
};

/// All that depends on what the fragments of a kernel are: one object for each kernel::FragmentKind. Stateless; thread-safe.
class FragmentFamily {
  public:
    virtual ~FragmentFamily() = default;

    /// See fragment::occurrence_value.
    [[nodiscard]] virtual double occurrence_value(FragmentView fragment, const kernel::TreeKernel& kernel,
                                                  WeightScheme scheme) const = 0;
    [[nodiscard]] virtual bool has_weight(WeightScheme scheme) const = 0;
    /// The size of fragments that MinerOptions::max_size limits, and that ranks those of equal relevance.
    [[nodiscard]] virtual std::uint32_t size(const Shape& shape) const = 0;
    /// May an occurrence leave out children of a node? Else each node stands on one with the same production, or is open.
    [[nodiscard]] virtual bool skips_children() const = 0;

    [[nodiscard]] virtual bool has_miner(MinerKind miner) const = 0;
    /// Grows fragments into `list` by the exact or the paper's miner; returns the number looked at. See growth.hpp for the
    /// decisions, which spell() turns into a fragment.
    virtual std::uint64_t grow(const MiningSpace& space, const MinerOptions& options,
                               TopList& list) const = 0;
    virtual void spell(const tree::Forest& forest, std::span<const Step> steps, Fragment& out) const = 0;

    /// See fragment::visit_occurrences.
    virtual void visit_occurrences(const MiningSpace& space, WeightScheme scheme,
                                   const FragmentList& fragments, const tree::SymbolTable& symbols,
                                   const OccurrenceVisitor& visit) const = 0;

    [[nodiscard]] virtual TrieForm trie() const = 0;
    /// Why the fragment, which has more than one node, is not in the kernel's space: "has an open node"; empty if it is.
    [[nodiscard]] virtual std::string find_objection(FragmentView fragment,
                                                     const kernel::TreeKernel& kernel) const = 0;
};

[[nodiscard]] const FragmentFamily& fragments_of(const kernel::TreeKernel& kernel);

/// Throws base::Error where the kernel's space has no such fragment.
void require_member(FragmentView fragment, const tree::SymbolTable& symbols,
                    const kernel::TreeKernel& kernel);

}  // namespace treeline::fragment
