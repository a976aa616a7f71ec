/// Arbitrary bytes as a linear model: refused with InputError, or read into something that is written and
/// read back the same.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "store/linear_model.hpp"
#include "support/memory_file.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile memory(data, size);
    try {
        const store::LinearModelFile file = store::read_linear_model(memory.path());
        const std::string name = "/tmp/treeline-fuzz-" + std::to_string(::getpid()) + ".linear";
        store::write_linear_model(name, file);
        const bool same = store::read_linear_model(name) == file;
        ::unlink(name.c_str());
        if (!same) {
            std::abort();
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
