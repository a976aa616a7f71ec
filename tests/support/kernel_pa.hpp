#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "polynomial/binary_dataset.hpp"
#include "polynomial/polynomial_learner.hpp"

namespace treeline::test {

/// Shared features of two ascending rows, counted one by one.
[[nodiscard]] std::size_t count_shared(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b);

/// Random rows of distinct features, frequent ones small, some empty and some repeated; labels "a", "b", ...
/// depend on the features and some noise.
[[nodiscard]] polynomial::BinaryDataset random_binary_data(base::Random& random, std::size_t examples,
                                                           std::size_t features, std::size_t longest,
                                                           std::size_t classes);

/// Kernel passive-aggressive learning as the papers write it: every margin is a sum of kernel values over all
/// past updates, and the mean model is the sum of the models after each example.
struct PlainKernelPa {
    std::size_t outputs = 1;
    std::vector<double> last;  ///< per example and output
    std::vector<double> mean;
};

/// `target` holds the class of each example; with two classes, class 0 is the positive one.
[[nodiscard]] PlainKernelPa plain_kernel_pa(const polynomial::BinaryDataset& data,
                                            std::span<const std::uint32_t> target, std::size_t classes,
                                            const polynomial::PolynomialLearnerOptions& options);

}  // namespace treeline::test
