#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>

#include "polynomial/polynomial_model.hpp"

namespace treeline::polynomial {

/// Calls see(features, weights) for every conjunction of at most `degree` features that a support vector has
/// (Eq. 1 of Yoshinaga & Kitsuregawa 2010): ranks in descending order, one weight for each output. The empty
/// conjunction comes first; the others by their rarest feature, frequent before rare. Weights that cancel out
/// to 0 are left out. Needs memory for the conjunctions of one such feature at a time.
void expand_weights(
    const PolynomialModel& model,
    const std::function<void(std::span<const std::uint32_t> features, std::span<const double> weights)>& see);

}  // namespace treeline::polynomial
