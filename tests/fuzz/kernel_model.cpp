/// Arbitrary bytes as a kernel model: refused with InputError, or read into something that is written and
/// read back as the same model.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "store/kernel_model.hpp"
#include "support/memory_file.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile file(data, size);
    tree::Forest forest;
    example::ExampleSet examples;
    try {
        const auto model = store::read_kernel_model(file.path(), forest, examples);
        if (model.support.size() != examples.size()) {
            std::abort();
        }
        std::string name = "/tmp/treeline-fuzz-" + std::to_string(::getpid()) + ".model";
        store::write_kernel_model(name, model, forest, examples);
        example::ExampleSet again;
        const auto copy = store::read_kernel_model(name, forest, again);
        ::unlink(name.c_str());
        if (copy.support != model.support || to_string(copy.kernel) != to_string(model.kernel)) {
            std::abort();
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
