/// A small dictionary one of whose files is replaced: the first byte says which, the rest are its bytes. Refused with an error, or
/// opened, and then every fragment can be read or is refused.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "fragment/score.hpp"
#include "store/dictionary.hpp"
#include "store/dictionary_builder.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
namespace fs = std::filesystem;

namespace {

/// The dictionary as it was made, and the names of its files.
struct Sample {
    test::TemporaryFolder folder;
    std::vector<std::string> names;

    Sample() {
        store::DictionaryInfo info;
        info.miner = "exact";
        info.models.resize(1);
        tree::SymbolTable symbols;
        fragment::FragmentList fragments;
        fragments.add(fragment::parse_fragment("(NP (DT the) (NN))", symbols));
        fragments.add(fragment::parse_fragment("(NP (NN))", symbols));
        store::DictionaryBuilder builder(folder / "dict", info, symbols);
        const std::vector<store::ModelRelevance> relevances{{.model = 0, .relevance = 1, .count = 2}};
        builder.add(fragments[0], relevances);
        builder.add(fragments[1], relevances);
        (void)builder.commit({});
        for (const auto& entry : fs::directory_iterator(folder / "dict")) {
            names.push_back(entry.path().filename().string());
        }
        std::ranges::sort(names);
    }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Sample kSample;
    if (size == 0) {
        return 0;
    }
    const test::TemporaryFolder folder;
    const std::string path = folder / "dict";
    fs::copy(kSample.folder / "dict", path);
    const std::string& name = kSample.names[data[0] % kSample.names.size()];
    (void)folder.file("dict/" + name, {reinterpret_cast<const char*>(data) + 1, size - 1});
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
