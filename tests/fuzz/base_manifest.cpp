/// Arbitrary bytes as a manifest: refused with InputError, or read into something that is written and read
/// back as itself.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "base/manifest.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace treeline::base;
    try {
        const Manifest manifest =
            manifest_from_json("manifest.json", {reinterpret_cast<const char*>(data), size});
        if (manifest_from_json("manifest.json", to_json(manifest)) != manifest) {
            std::abort();
        }
    } catch (const InputError&) {
    }
    return 0;
}
