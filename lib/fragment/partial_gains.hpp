#pragma once

#include <cstddef>
#include <vector>

#include "fragment/mining_space.hpp"

namespace treeline::fragment {

/// How much embeddings of partial-tree fragments can still gain by growing.
///
/// phi_f(t) sums over the embeddings of f in t. A node of f without children, at node v of the tree, is worth
/// c(v) = sqrt(mu) lambda (sqrt(F) times that if v is a leaf); one with children sqrt(mu), times k for each child used
/// and lambda for each child of v skipped between the first and the last one used. k is kernel.child_factor(): 1, or
/// lambda where the whole span decays. A fragment grows by a child put last below a node v of its rightmost path. If
/// it is the first one below v, an embedding with it at child i is multiplied by (k/lambda) c(v_i); if the last one is
/// at i, and the new one at i', by k lambda^(i'-i-1) c(v_i'). Both are at most 1 for F = 1, but nothing is
/// anti-monotone here: one embedding goes on to several, at children of the same label, and their values add up.
///
/// Let T(b) bound phi_g(b) from above over all g rooted at b, and R(b,i) the factor that embeddings with last child i
/// of b can gain by further children of b (with all below them). Every embedding that goes on does so with the one
/// label that g has next, hence
///   R'(b,i) = max over labels l of  sum_{i'>i, label(b_i')=l} k lambda^(i'-i-1) T(b_i') R(b,i'),    R = max(1, R'),
///   E'(b)   = (k/lambda) max over labels l of  sum_{label(b_i)=l} T(b_i) R(b,i),                    E = max(1, E'),
///   T(b)    = c(b) E(b).
/// Proof, by induction over nodes (children first) and positions (last first): g with subtrees g_1..g_n has
///   phi_g(b) = sqrt(mu) sum_{i_1<..<i_n} k^n lambda^(skipped) prod_j phi_{g_j}(b_{i_j}).
/// The sum over i_n alone is at most R'(b,i_(n-1)), as phi_{g_n}(b_i) <= T(b_i) is 0 but at children of one label; with
/// that, the sum over i_(n-1) is at most R'(b,i_(n-2)), and so on; the sum over i_1 is at most lambda E'(b), and
/// sqrt(mu) lambda = c(b), since b has children. A kernel that cuts at p children leaves out some of the g: the maximum
/// over all of them bounds the rest.
///
/// An embedding of f with nodes v_0..v_m on the rightmost path, last children i_0..i_(m-1), grows into embeddings of
/// one g whose values sum up to at most its own times E(v_m) prod_j R(v_j,i_j): what is put below v_m, and what after
/// i_j below v_j, is chosen independently. Where g is larger than f, one of the factors is the primed one; a node of
/// the path with p children already has the factor 1 and no primed one. Primed and plain are kept apart, because the
/// primed are below 1 as a rule: that is what prunes.
class PartialGains {
  public:
    explicit PartialGains(const MiningSpace& space);

    /// R'(rank, position) and E'(rank).
    [[nodiscard]] double after(MiningSpace::Rank rank, std::size_t position) const {
        return after_[begin_[rank] + position];
    }
    [[nodiscard]] double below(MiningSpace::Rank rank) const { return below_[rank]; }
    /// c(rank).
    [[nodiscard]] double childless(MiningSpace::Rank rank) const {
        return begin_[rank] == begin_[rank + 1] ? leaf_value_ : inner_value_;
    }

  private:
    double leaf_value_;
    double inner_value_;
    std::vector<double> after_;
    std::vector<double> below_;
    std::vector<std::size_t> begin_;
};

}  // namespace treeline::fragment
