/// Arbitrary files as a folder of vectors: each starts with a byte for its name and two for its length. Refused with InputError, or
/// read to the end, in the order of ids.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <span>
#include <string>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "store/vectors.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const test::TemporaryFolder kFolder;
    for (const std::string& name : kFolder.names()) {
        std::filesystem::remove_all(kFolder / name);
    }
    (void)kFolder.file(base::formats::kSuccessFile, "");
    std::span<const std::uint8_t> left(data, size);
    while (left.size() >= 3) {
        const std::uint32_t shards = 1U + (left[0] >> 4U);
        const std::string name = store::part_name(left[0] & 15U, shards, base::formats::kArrowEnding);
        const std::size_t length = std::min<std::size_t>(left.size() - 3, left[1] + 256U * left[2]);
        (void)kFolder.file(name, {reinterpret_cast<const char*>(left.data()) + 3, length});
        left = left.subspan(3 + length);
    }
    try {
        const auto files = store::open_vectors(kFolder.path());
        store::VectorsReader reader(files);
        store::VectorRow row;
        std::uint64_t last = 0;
        while (reader.next(row)) {
            if (row.indices.size() != row.values.size() || row.id < last) {
                std::abort();
            }
            last = row.id;
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
