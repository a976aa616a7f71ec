/// Arbitrary bytes as an Arrow file of vectors: refused with InputError, or read to the end, every row in
/// bounds.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "store/vectors.hpp"
#include "support/memory_file.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile memory(data, size);
    try {
        const auto files = store::open_vectors(memory.path());
        store::VectorsReader reader(files);
        store::VectorRow row;
        double sum = 0;
        while (reader.next(row)) {
            if (row.indices.size() != row.values.size()) {
                std::abort();
            }
            for (std::size_t i = 0; i < row.indices.size(); ++i) {
                if (i > 0 && row.indices[i - 1] >= row.indices[i]) {
                    std::abort();
                }
                sum += static_cast<double>(row.values[i]);
            }
            sum += static_cast<double>(row.label.size());
        }
        volatile double used = sum;
        (void)used;
    } catch (const base::InputError&) {
    }
    return 0;
}
