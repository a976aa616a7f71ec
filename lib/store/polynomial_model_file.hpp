#pragma once

#include <string>

#include "polynomial/polynomial_model.hpp"

namespace treeline::store {

/// Text, one item a line:
///
///     treeline-polynomial-model 2
///     degree 3
///     dictionary DIGEST           (only where the features are fragments)
///     positive LABEL              (only where one label stands against all others)
///     labels 2                    followed by that many labels
///     features 34867              followed by that many feature indices, the most frequent first
///     support 28741               followed by that many support vectors
///     end
///     # digest HEX                (base/sealed_text.hpp)
///
/// A support vector is its coefficient, then its feature indices in the order of the list; in a model of more
/// than two classes the coefficient is a list `number:coefficient,...` over the labels, counted from 0, zeros
/// left out.

/// Writes the model whole or not at all; features that no support vector has are left out.
void write_polynomial_model(const std::string& path, const polynomial::PolynomialModel& model);

/// The weight of every conjunction of a model (polynomial::expand_weights), a line each: one weight an output, then
/// the feature indices, the most frequent first, separated by blanks. Whole or not at all.
void write_expanded_weights(const std::string& path, const polynomial::PolynomialModel& model);

/// Plain, gzip, zstd, `-`. Throws InputError with the line for anything that is not a whole model.
[[nodiscard]] polynomial::PolynomialModel read_polynomial_model(const std::string& path);

}  // namespace treeline::store
