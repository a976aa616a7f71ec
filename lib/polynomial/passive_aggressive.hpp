#pragma once

#include <algorithm>

#include "base/names.hpp"

namespace treeline::polynomial {

/// Online updates with the step tau along y phi(x) (Crammer et al. 2006); `loss` is the hinge loss
/// max(0, 1 - margin) and `norm` the squared length of the direction of the step.
enum class OnlineUpdate {
    kPerceptron,  ///< tau = 1 where the margin is not positive
    kPa,          ///< tau = loss / norm
    kPa1,         ///< tau = min(C, loss / norm)
    kPa2,         ///< tau = loss / (norm + 1 / (2 C))
};

inline constexpr base::NameTable<OnlineUpdate, 4> kOnlineUpdateNames{{
    {OnlineUpdate::kPerceptron, "perceptron"},
    {OnlineUpdate::kPa, "pa"},
    {OnlineUpdate::kPa1, "pa1"},
    {OnlineUpdate::kPa2, "pa2"},
}};

/// What `norm` is for an example x.
enum class StepNorm {
    kKernel,    ///< k(x, x), the squared length of phi(x): the step that the derivation of the updates gives
    kFeatures,  ///< |x|, as algorithm 1 of Yoshinaga & Kitsuregawa (2010) prints it
};

inline constexpr base::NameTable<StepNorm, 2> kStepNormNames{{
    {StepNorm::kKernel, "kernel"},
    {StepNorm::kFeatures, "features"},
}};

/// The margin above which nothing is updated.
[[nodiscard]] inline double sufficient_margin(OnlineUpdate update) {
    return update == OnlineUpdate::kPerceptron ? 0.0 : 1.0;
}

/// tau, 0 where nothing is updated.
[[nodiscard]] inline double step_size(OnlineUpdate update, double c, double margin, double norm) {
    const double loss = std::max(0.0, 1 - margin);
    switch (update) {
        case OnlineUpdate::kPerceptron: return margin <= 0 ? 1 : 0;
        case OnlineUpdate::kPa: return loss / norm;
        case OnlineUpdate::kPa1: return std::min(c, loss / norm);
        default: return loss / (norm + 1 / (2 * c));
    }
}

}  // namespace treeline::polynomial
