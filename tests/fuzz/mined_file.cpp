/// Arbitrary bytes as a file of mined fragments: refused with InputError, or read into something that is written and read back
/// the same.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "store/mined_file.hpp"
#include "support/memory_file.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile memory(data, size);
    try {
        const store::MinedModel mined = store::read_mined(memory.path());
        const std::string name = "/tmp/treeline-fuzz-" + std::to_string(::getpid()) + ".mined";
        store::write_mined(name, mined);
        const store::MinedModel again = store::read_mined(name);
        ::unlink(name.c_str());
        if (again.fragments.size() != mined.fragments.size() || again.info.miner != mined.info.miner) {
            std::abort();
        }
        for (std::size_t i = 0; i < mined.scores.size(); ++i) {
            if (again.scores[i].relevance != mined.scores[i].relevance ||
                again.scores[i].count != mined.scores[i].count) {
                std::abort();
            }
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
