#include "svm/kernel_diagonal.hpp"

#include <fmt/format.h>

#include "base/data_error.hpp"
#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"

namespace treeline::svm {

namespace {

/// Above it floats overflow, too.
constexpr double kLargestValue = 1e30;

}  // namespace

std::vector<double> kernel_diagonal(const TrainingData& data, std::span<const std::uint32_t> examples) {
    std::vector<double> diagonal(examples.size());
    base::parallel_pieces(examples.size(), 512, [&](std::size_t begin, std::size_t end) {
        kernel::ExampleKernel kernel(data.kernel, data.forest);
        for (std::size_t p = begin; p < end; ++p) {
            diagonal[p] = kernel.self_value(data.examples, examples[p]);
            if (!(diagonal[p] <= kLargestValue)) {
                throw base::DataError(fmt::format(
                    "the kernel's value of example {} with itself is {}; expected at most {}: scale its "
                    "features or normalize the kernel",
                    examples[p] + 1, diagonal[p], kLargestValue));
            }
        }
    });
    return diagonal;
}

}  // namespace treeline::svm
