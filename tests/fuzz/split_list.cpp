/// Arbitrary bytes as a list of splits: refused with InputError, or splits that are found.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "support/memory_file.hpp"
#include "tdp/split_folder.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile memory(data, size);
    try {
        const tdp::SplitList splits(memory.path());
        (void)splits.find(std::string(reinterpret_cast<const char*>(data), size / 2));
        (void)splits.find("");
    } catch (const base::InputError&) {
    }
    return 0;
}
