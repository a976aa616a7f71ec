#include "tfx/part_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "store/vectors.hpp"

namespace treeline::tfx {

namespace fs = std::filesystem;

namespace {

constexpr const char* kManifestSuffix = ".manifest.json";

std::optional<base::Manifest> find_manifest(const std::string& path) {
    try {
        return fs::exists(path) ? std::optional(base::read_manifest(path)) : std::nullopt;
    } catch (const base::Error&) {
        return std::nullopt;
    }
}

bool same_work(const base::Manifest& a, const base::Manifest& b) {
    return a.stage == b.stage && a.version == b.version && a.options == b.options && a.inputs == b.inputs;
}

}  // namespace

PartFolder::PartFolder(std::string path, base::Manifest planned, std::uint32_t shards, std::string extension)
    : path_(std::move(path)),
      planned_(std::move(planned)),
      shards_(shards),
      extension_(std::move(extension)) {}

std::string PartFolder::part_path(std::uint32_t shard) const {
    return (fs::path(path_) / store::part_name(shard, shards_, extension_)).string();
}

base::Manifest PartFolder::planned_part(std::uint32_t shard) const {
    base::Manifest manifest = planned_;
    manifest.options["shard"] = static_cast<std::int64_t>(shard);
    return manifest;
}

void PartFolder::prepare(bool force) {
    std::error_code failed;
    fs::create_directories(path_, failed);
    if (failed) {
        throw base::SystemError("make the folder", path_, failed.value());
    }
    refuse_strangers(force);
}

void PartFolder::refuse_strangers(bool force) {
    std::vector<std::string> known;
    for (std::uint32_t shard = 0; shard < shards_; ++shard) {
        known.push_back(part_path(shard));
    }
    std::vector<fs::path> stale;
    for (const auto& entry : fs::directory_iterator(path_)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with("part-")) {
            continue;
        }
        const bool is_manifest = name.ends_with(kManifestSuffix);
        const std::string part =
            is_manifest ? entry.path().string().substr(
                              0, entry.path().string().size() - std::string(kManifestSuffix).size())
                        : entry.path().string();
        const auto found = std::ranges::find(known, part);
        const auto made = find_manifest(base::manifest_path(part));
        // A part without a manifest was being made when a run ended: it is made again.
        if (found != known.end() &&
            (!made || same_work(*made, planned_part(static_cast<std::uint32_t>(found - known.begin()))))) {
            continue;
        }
        if (!force) {
            const auto digest = made ? made->options.find("dictionary-digest") : planned_.options.end();
            const bool other = made && digest != made->options.end() &&
                               digest->second != planned_.options.at("dictionary-digest");
            throw base::UsageError(base::quoted(part) +
                                   (other ? " was made with another dictionary"
                                          : " was made from other inputs or with other options") +
                                   "; choose another --output, or --force to replace what is there");
        }
        stale.push_back(entry.path());
    }
    if (!stale.empty()) {
        fs::remove(fs::path(path_) / store::kSuccessFile);
        fs::remove(base::manifest_path(path_));
    }
    for (const fs::path& path : stale) {
        fs::remove(path);
    }
}

bool PartFolder::is_made(std::uint32_t shard) const {
    const auto made = find_manifest(base::manifest_path(part_path(shard)));
    const bool known =
        std::ranges::all_of(planned_.inputs, [](const auto& input) { return !input.digest.empty(); });
    return made && known && base::is_up_to_date(*made, planned_part(shard), path_);
}

void PartFolder::record(std::uint32_t shard, const base::Manifest::File& part,
                        std::map<std::string, base::Manifest::Value> counts) {
    base::Manifest manifest = planned_part(shard);
    manifest.counts = std::move(counts);
    manifest.outputs = {part};
    base::write_manifest(base::manifest_path(part_path(shard)), manifest);
}

bool PartFolder::finish() {
    base::Manifest whole = planned_;
    for (std::uint32_t shard = 0; shard < shards_; ++shard) {
        const auto made = find_manifest(base::manifest_path(part_path(shard)));
        if (!made || !same_work(*made, planned_part(shard))) {
            return false;
        }
        whole.outputs.insert(whole.outputs.end(), made->outputs.begin(), made->outputs.end());
        for (const auto& [name, count] : made->counts) {
            const auto [sum, added] = whole.counts.try_emplace(name, count);
            if (!added) {
                std::get<std::int64_t>(sum->second) += std::get<std::int64_t>(count);
            }
        }
    }
    const std::string success = (fs::path(path_) / store::kSuccessFile).string();
    if (find_manifest(base::manifest_path(path_)) != whole || !fs::exists(success)) {
        base::write_manifest(base::manifest_path(path_), whole);
        base::write_whole_file(success, "");
    }
    return true;
}

}  // namespace treeline::tfx
