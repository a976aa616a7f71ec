#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "kernel/kernel_space.hpp"
#include "svm/small_qp.hpp"

namespace treeline::svm {

/// g = sum of terms (weights with y multiplied in), d = offset.
struct Cut {
    std::vector<kernel::WeightedExample> terms;
    double offset = 0;
    std::size_t idle = 0;  ///< iterations since it last had weight

    /// Sum of the terms' weights: its part along a constant feature of value 1.
    [[nodiscard]] double total() const;
};

/// The working set of cuts with the small QP over them: w = sum_c a_c g_c.
class CutBundle {
  public:
    [[nodiscard]] const std::vector<Cut>& cuts() const { return cuts_; }
    [[nodiscard]] std::span<const double> weights() const { return qp_.solution(); }
    [[nodiscard]] const SmallQp::Report& report() const { return report_; }

    /// Adds a cut with its products with all cuts, itself last, and solves.
    void add(Cut cut, std::span<const double> products, double c, double gap);
    /// Cuts idle for more than `limit` iterations leave; says which ones stayed. Empty if all did.
    [[nodiscard]] std::vector<bool> remove_idle(std::size_t limit);

    /// sum_c a_c g_c as one coefficient per example.
    void add_coefficients(std::span<double> by_example) const;
    /// sum_c a_c total of c.
    [[nodiscard]] double total() const;

  private:
    std::vector<Cut> cuts_;
    SmallQp qp_;
    SmallQp::Report report_;
};

}  // namespace treeline::svm
