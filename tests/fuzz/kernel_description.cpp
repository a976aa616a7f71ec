/// Arbitrary bytes as a kernel description: refused with UsageError, or read into a kernel that is printed
/// and read back as itself.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "kernel/description.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace treeline;
    try {
        const auto description = kernel::parse_kernel({reinterpret_cast<const char*>(data), size});
        if (kernel::parse_kernel(kernel::to_string(description)) != description) {
            std::abort();
        }
    } catch (const base::UsageError&) {
    }
    return 0;
}
