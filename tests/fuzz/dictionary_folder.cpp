/// A small dictionary one of whose files is damaged, as the first two bytes say: which, how, and whether the manifest is missing.
/// The rest are the file's new bytes, or edits of the old ones: the place (two bytes) and the byte there. Refused with an error, or
/// opened, and then every fragment can be read or is refused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/manifest.hpp"
#include "store/dictionary.hpp"
#include "support/small_dictionary.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
namespace fs = std::filesystem;

namespace {

constexpr std::uint8_t kReplace = 1;
constexpr std::uint8_t kWithoutManifest = 2;

/// The dictionary as it was made, and the names of its files.
struct Sample {
    test::TemporaryFolder folder;
    std::vector<std::string> names;

    Sample() {
        test::make_small_dictionary(folder / "dict");
        for (const auto& entry : fs::directory_iterator(folder / "dict")) {
            names.push_back(entry.path().filename().string());
        }
        std::ranges::sort(names);
    }
};

std::string edited(std::string bytes, std::span<const std::uint8_t> edits) {
    for (; edits.size() >= 3 && !bytes.empty(); edits = edits.subspan(3)) {
        bytes[(edits[0] + 256U * edits[1]) % bytes.size()] = static_cast<char>(edits[2]);
    }
    return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Sample kSample;
    if (size < 2) {
        return 0;
    }
    const test::TemporaryFolder folder;
    const std::string path = folder / "dict";
    fs::copy(kSample.folder / "dict", path);
    if ((data[1] & kWithoutManifest) != 0) {
        fs::remove(base::manifest_path(path));
    }
    const std::string name = "dict/" + kSample.names[data[0] % kSample.names.size()];
    const std::span<const std::uint8_t> rest(data + 2, size - 2);
    (void)folder.file(name, (data[1] & kReplace) != 0 ? std::string(rest.begin(), rest.end())
                                                      : edited(test::slurp(folder / name), rest));
    try {
        const store::Dictionary dictionary(path);
        dictionary.for_each([](const store::Dictionary::Entry&) { return true; });
    } catch (const base::Error&) {
    }
    try {
        (void)store::Dictionary::verify(path);
    } catch (const base::Error&) {
    }
    return 0;
}
