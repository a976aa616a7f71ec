/// Arbitrary bytes as the list of checksums of a folder: refused with InputError, or digests by name.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include "base/checksums.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const test::TemporaryFolder kFolder;
    (void)kFolder.file(base::formats::kChecksumFile, {reinterpret_cast<const char*>(data), size});
    try {
        for (const auto& [name, digest] : base::read_checksums(kFolder.path())) {
            if (name.empty() || digest.size() != 32) {
                std::abort();
            }
        }
    } catch (const base::InputError&) {
    }
    (void)base::find_checksums(kFolder.path());
    return 0;
}
