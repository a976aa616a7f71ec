#pragma once

#include <cstdint>

namespace treeline::polynomial {

/// An addition to the coefficient of a support vector for one output. A model of two classes has one output,
/// positive for the first class; a model of more classes has one output a class.
struct OutputChange {
    std::uint32_t output = 0;
    double amount = 0;
};

}  // namespace treeline::polynomial
