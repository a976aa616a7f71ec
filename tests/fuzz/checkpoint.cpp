/// Arbitrary bytes as a checkpoint of training: refused with InputError, or machines of the right size.

#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "base/error.hpp"
#include "store/checkpoint.hpp"
#include "support/memory_file.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    constexpr std::size_t kExamples = 4;
    const test::MemoryFile memory(data, size);
    try {
        const store::Checkpoint checkpoint = store::read_checkpoint(memory.path(), kExamples);
        if (checkpoint.finished > checkpoint.machines.size()) {
            std::abort();
        }
        for (const auto& machine : checkpoint.machines) {
            if (machine.coefficients.size() != kExamples) {
                std::abort();
            }
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
