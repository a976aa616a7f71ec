/// Arbitrary bytes as a file of label numbers: refused with InputError, or text that reads back as the same.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "support/memory_file.hpp"
#include "tfx/label_numbers.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile memory(data, size);
    try {
        const std::string text = tfx::LabelNumbers::read(memory.path()).to_text();
        const test::MemoryFile again(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
        if (tfx::LabelNumbers::read(again.path()).to_text() != text) {
            std::abort();
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
