#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "example/binary_example.hpp"
#include "polynomial/binary_dataset.hpp"
#include "polynomial/margin_method.hpp"
#include "polynomial/passive_aggressive.hpp"
#include "polynomial/polynomial_model.hpp"

namespace treeline::polynomial {

struct PolynomialLearnerOptions {
    MarginOptions margin;
    OnlineUpdate update = OnlineUpdate::kPa1;
    StepNorm norm = StepNorm::kKernel;
    double c = 1;                   ///< aggressiveness C > 0 of PA-I and PA-II
    std::uint64_t iterations = 20;  ///< passes over the data
    bool average = true;            ///< the model is the mean of the weights after each example
    bool shuffle = false;           ///< visit the examples of each pass in another order
    std::uint64_t seed = 1;         ///< of the orders
    /// Not empty: this label against all others.
    std::string positive;
};

struct PolynomialTrainingReport {
    std::vector<std::uint64_t> updates;   ///< per pass
    std::vector<std::uint64_t> mistakes;  ///< per pass: margins of the wrong sign, or not the largest
    MarginStatistics margins;
};

/// Online passive-aggressive learning with a polynomial kernel (Yoshinaga & Kitsuregawa 2010, algorithm 1).
/// More than two classes: the multi-class update of Crammer et al. (2006), which moves the weights of the
/// right class and of its strongest rival by tau each, the squared length of that direction being twice the
/// norm of the example; ties among rivals go to the first.
///
/// Averaging is exact and costs nothing: a step at time t of T enters the mean with the factor (T - t + 1) /
/// T.
///
/// Throws base::Error where the data have no example or only one label.
[[nodiscard]] PolynomialModel train_polynomial(const BinaryDataset& data,
                                               const PolynomialLearnerOptions& options,
                                               PolynomialTrainingReport* report = nullptr,
                                               base::ProgressObserver& observer = base::silent_observer());

/// Where online learning stands after some examples.
struct OnlineState {
    std::vector<std::string> labels;                  ///< of all classes that may come, see PolynomialModel
    std::uint64_t examples = 0;                       ///< seen so far
    std::vector<std::vector<std::uint64_t>> support;  ///< features of each support vector, ascending
    std::vector<double> steps;                        ///< by support vector and output: the sum of its steps,
    std::vector<double> late;  ///< and of its steps times the number of examples seen before each

    [[nodiscard]] std::size_t outputs() const { return labels.size() == 2 ? 1 : labels.size(); }
};

/// Learns from each example once, in their order, as a pass of train_polynomial() would (options.iterations, shuffle and positive
/// do not count). Throws base::DataError for a label that is not among the state's.
void learn_more(OnlineState& state, std::span<const example::BinaryExample> examples,
                const PolynomialLearnerOptions& options,
                base::ProgressObserver& observer = base::silent_observer());

/// The model that a state stands for: with options.average, the mean of the weights after each example.
[[nodiscard]] PolynomialModel model_of(const OnlineState& state, const PolynomialLearnerOptions& options);

}  // namespace treeline::polynomial
