#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernel/description.hpp"

namespace treeline::store {

/// The parameters in the head of an SVM-light-TK 1.5 model file, as text, in the order of the file.
///
/// The head says: one tree kernel (-F with -L and -M), one vector kernel (-S with -d -s -r), how they are
/// combined (-C and -T: weight of the trees), normalized (-N: 1 trees, 2 vectors, 3 both) and paired (-W
/// trees, -V vectors). PTK and uPTK weigh children skipped and use at most 5 children of a node: `ptk(p=5)`.
/// A kernel that this cannot express, or not to the last digit, stands as `treeline:KERNEL` in the line of -u,
/// which SVM-light-TK leaves alone; in reading, that line overrides the others.
struct SvmLightHeader {
    /// What stands after `#` in the lines of the kernel, in order.
    static const std::vector<std::string_view>& names();

    std::vector<std::string> values;  ///< one per name
};

/// The head that describes `kernel`.
[[nodiscard]] SvmLightHeader to_svm_light_header(const kernel::KernelDescription& kernel);

/// The kernel that SVM-light-TK computes with the head that describes `kernel`: the kernel itself, as far as its
/// parameters express it.
[[nodiscard]] kernel::KernelDescription svm_light_kernel(const kernel::KernelDescription& kernel);

/// The kernel that a head describes. Throws base::UsageError naming the parameter where there is none.
[[nodiscard]] kernel::KernelDescription from_svm_light_header(const SvmLightHeader& header);

}  // namespace treeline::store
