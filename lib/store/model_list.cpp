#include "store/model_list.hpp"

#include <fmt/format.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"
#include "store/file_kind.hpp"

namespace treeline::store {

using base::formats::kClassPrefix;
using base::formats::kKernelModelEnding;
using base::formats::kSplitPrefix;

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestLabel = 40;

std::string key(std::string_view file, std::string_view what) {
    return fmt::format("model {}: {}", file, what);
}

template <typename T>
void find_count(const base::Manifest& manifest, const std::string& name, T& value) {
    if (const auto found = manifest.counts.find(name); found != manifest.counts.end()) {
        if (const auto* held = std::get_if<T>(&found->second)) {
            value = *held;
        }
    }
}

ListedModel listed(const base::Manifest& manifest, const std::string& file) {
    ListedModel model{.name = file};
    std::int64_t split = 0;
    find_count(manifest, key(file, "positive"), model.positive);
    find_count(manifest, key(file, "negative"), model.negative);
    find_count(manifest, key(file, "split"), split);
    model.split = split < 0 ? 0 : static_cast<std::uint64_t>(split);
    return model;
}

}  // namespace

std::vector<ListedModel> list_models(const std::string& path) {
    require_kind(path, FileKind::kKernelModel);
    const std::string manifest_path = base::manifest_path(path);
    if (!fs::is_directory(path)) {
        ListedModel model{.name = path};
        if (path != "-" && fs::exists(manifest_path)) {
            model = listed(base::read_manifest(manifest_path), fs::path(path).filename().string());
            model.name = path;
        }
        return {model};
    }
    if (!fs::exists(manifest_path)) {
        throw base::InputError({path, 0, 0},
                               fmt::format("no {}; expected a folder of models that a finished run has left",
                                           base::formats::kManifestFile));
    }
    const base::Manifest manifest = base::read_manifest(manifest_path);
    std::vector<ListedModel> models;
    for (const auto& output : manifest.outputs) {
        if (!manifest.counts.contains(key(output.name, "positive"))) {
            continue;
        }
        const fs::path file = fs::path(path) / output.name;
        if (fs::path(output.name).filename() != output.name) {
            throw base::InputError({manifest_path, 0, 0}, "the name " + base::quoted(output.name) +
                                                              "; expected one without folders");
        }
        std::error_code error;
        if (const auto bytes = fs::file_size(file, error); error || bytes != output.bytes) {
            throw base::InputError({file.string(), 0, 0},
                                   "missing or not of the size that the manifest says; train again");
        }
        models.push_back(listed(manifest, output.name));
        models.back().name = file.string();
    }
    if (models.empty()) {
        throw base::InputError({manifest_path, 0, 0},
                               "no kernel models; expected a folder that ksl or fsl has written");
    }
    return models;
}

KernelModel read_listed_model(const ListedModel& listed, tree::Forest& forest,
                              example::ExampleSet& examples) {
    KernelModel model = read_kernel_model(listed.name, forest, examples);
    if (model.classes == KernelModel().classes) {
        model.classes = {listed.positive, listed.negative};
    }
    return model;
}

void record_models(base::Manifest::Values& counts, const std::vector<ListedModel>& models) {
    for (const ListedModel& model : models) {
        counts[key(model.name, "positive")] = model.positive;
        counts[key(model.name, "negative")] = model.negative;
        if (model.split > 0) {
            counts[key(model.name, "split")] = static_cast<std::int64_t>(model.split);
        }
    }
}

std::string class_file_name(std::size_t number, std::string_view label) {
    std::string safe;
    for (const char c : label.substr(0, kLongestLabel)) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                           c == '_' || c == '-';
        if (plain) {
            safe += c;
        }
    }
    return fmt::format("{}{:05}{}{}{}", kClassPrefix, number, safe.empty() ? "" : "-", safe,
                       kKernelModelEnding);
}

std::string split_file_name(std::size_t number, std::size_t count, const std::string& class_file) {
    const std::size_t width = std::max<std::size_t>(3, std::to_string(count).size());
    return fmt::format("{}{:0{}}-of-{:0{}}{}{}", kSplitPrefix, number, width, count, width,
                       class_file.empty() ? kKernelModelEnding : ".", class_file);
}

}  // namespace treeline::store
