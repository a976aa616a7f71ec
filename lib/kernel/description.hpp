#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "kernel/family.hpp"

namespace treeline::kernel {

/// How the several trees (or vectors) of two examples are paired: the k-th with the k-th, or each with each.
enum class Pairing { kAligned, kAll };

/// What decays with the children that a partial fragment uses of a node: those skipped between the first and the
/// last one (Moschitti, ECML 2006; what SVM-light-TK and KeLP compute), or the whole span from the first to the
/// last one, both counted (the formula printed by Severyn & Moschitti, ECML 2010).
enum class GapRule { kSkipped, kSpan };

/// One tree kernel with its parameters; DESIGN section 3 has the formulas.
struct TreeKernel {
    TreeKernelKind kind = TreeKernelKind::kSst;
    double lambda = 0.4;               ///< decay, in (0, 1]
    double mu = 0.4;                   ///< depth decay of ptk and uptk, in (0, 1]
    std::uint32_t longest = 0;         ///< p: ptk, uptk: most children used of a node; 0 = any number
    double terminal = 1;               ///< F: ptk, uptk: factor of pairs of which a node has no children, > 0
    GapRule gaps = GapRule::kSkipped;  ///< ptk, uptk
    bool normalize = true;             ///< K(x,y)/sqrt(K(x,x)K(y,y))
    Pairing pairing = Pairing::kAligned;

    bool operator==(const TreeKernel&) const = default;
    /// What does not depend on parameters.
    [[nodiscard]] const KernelFamily& family() const { return family_of(kind); }
    /// What a pair of equal labels adds for the fragment of that node alone: mu lambda^2 for ptk and uptk
    /// (which leaves it out of the kernel, but not of the recursion), 0 for the others. Evaluators keep D
    /// without it, so that uptk loses no digits.
    [[nodiscard]] double single_node() const {
        return family().matches_by_label() ? mu * (lambda * lambda) : 0;
    }
    /// The share of single_node() in the kernel itself.
    [[nodiscard]] double counted_single_node() const {
        return family().lone == LoneNodes::kAll ? single_node() : 0;
    }
    /// What D of a pair of which either node has no children is worth above single_node(): (F - 1) mu lambda^2.
    [[nodiscard]] double terminal_excess() const { return (terminal - 1) * single_node(); }
    /// uptk does not count terminal_excess() in the kernel itself, though in the recursion: evaluators that have
    /// to tell the two apart ask this.
    [[nodiscard]] bool leaves_terminals_out() const {
        return family().matches_by_label() && family().lone == LoneNodes::kNone && terminal != 1;
    }
    /// What every child used of a node multiplies an embedding by, besides its own value and the gap before it.
    [[nodiscard]] double child_factor() const { return gaps == GapRule::kSpan ? lambda : 1; }
    /// sqrt(mu) lambda, times sqrt(F) at a leaf: an embedding of a fragment's childless node. The product over two
    /// trees is D of the pair, except where a leaf meets an inner node of its label and F is not 1: there D is
    /// F mu lambda^2, which no product of two values is. (With F above 1 the kernel is not even positive
    /// semi-definite there: the values of x, (x y) are F, F, 1 times mu lambda^2, and F - F^2 < 0.)
    [[nodiscard]] double childless_value(bool is_leaf) const;
};

enum class VectorKernelKind { kLinear, kPolynomial };

/// x.y or (scale * x.y + constant)^degree.
struct VectorKernel {
    VectorKernelKind kind = VectorKernelKind::kLinear;
    std::uint32_t degree = 3;  ///< at least 1
    double scale = 1;
    double constant = 1;
    bool normalize = true;
    Pairing pairing = Pairing::kAligned;

    bool operator==(const VectorKernel&) const = default;
};

using BasicKernel = std::variant<TreeKernel, VectorKernel>;

/// weight * product of the factors.
struct KernelTerm {
    double weight = 1;  ///< above 0
    std::vector<BasicKernel> factors;
    bool operator==(const KernelTerm&) const = default;
};

/// A kernel on examples: a sum of terms. Written `0.6*sst(lambda=0.4)+poly(d=3)` or `sst*linear`.
struct KernelDescription {
    std::vector<KernelTerm> terms;

    bool operator==(const KernelDescription&) const = default;
    [[nodiscard]] bool uses_trees() const;
    [[nodiscard]] bool uses_vectors() const;
};

/// Names: st sst st-bow sst-bow ptk uptk linear poly. Parameters in brackets as they apply: lambda (trees); mu, p,
/// terminal, gaps=skipped|span (ptk, uptk); d, s, c (poly); norm=none|self, pairs=aligned|all. Throws
/// base::UsageError that quotes the place.
[[nodiscard]] KernelDescription parse_kernel(std::string_view text);

/// Canonical text: decays and what vector kernels have in any case, the rest where it is not the default, shortest
/// numbers; parse_kernel gives the same kernel back.
[[nodiscard]] std::string to_string(const KernelDescription& description);
[[nodiscard]] std::string to_string(const BasicKernel& kernel);

/// A description of one factor.
[[nodiscard]] KernelDescription describe(const BasicKernel& kernel);

/// The one tree kernel of a description that is just that; throws base::UsageError naming `purpose`
/// otherwise.
[[nodiscard]] const TreeKernel& require_single_tree_kernel(const KernelDescription& description,
                                                           std::string_view purpose);

}  // namespace treeline::kernel
