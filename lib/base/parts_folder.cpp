#include "base/parts_folder.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <system_error>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/output.hpp"

namespace treeline::base {

namespace fs = std::filesystem;

namespace {

/// Removes a file if it is there; afterwards it is not.
void remove_file(const std::string& path) {
    std::error_code error;
    fs::remove(path, error);
    if (error) {
        throw SystemError("remove", path, error.value());
    }
}

}  // namespace

PartsFolder::PartsFolder(std::string path, Plan plan, std::vector<Part> parts, bool marks_success)
    : path_(std::move(path)),
      plan_(std::move(plan)),
      parts_(std::move(parts)),
      marks_success_(marks_success) {}

std::string PartsFolder::path_of(const std::string& name) const { return (fs::path(path_) / name).string(); }

std::string PartsFolder::success_path() const { return path_of(std::string(formats::kSuccessFile)); }

PlannedOutput PartsFolder::output(std::size_t part) const {
    return {path_of(parts_[part].name), parts_[part].plan};
}

bool PartsFolder::is_finished() const {
    return fs::is_directory(path_) && PlannedOutput(path_, plan_).state() == OutputState::kCurrent &&
           (!marks_success_ || fs::exists(success_path()));
}

void PartsFolder::make() const {
    if (fs::exists(path_) && !fs::is_directory(path_)) {
        throw UsageError("'" + path_ + "' is there and not a folder");
    }
    std::error_code error;
    fs::create_directories(path_, error);
    if (error) {
        throw SystemError("make the folder", path_, error.value());
    }
}

std::vector<std::string> PartsFolder::find_others(const std::string& prefix) const {
    std::set<std::string> names;
    visit_folder(path_, [&](const fs::directory_entry& entry) {
        std::string name = entry.path().filename().string();
        if (name.ends_with(formats::kManifestEnding)) {
            name.resize(name.size() - formats::kManifestEnding.size());
        }
        if (name.starts_with(prefix) && std::ranges::find(parts_, name, &Part::name) == parts_.end()) {
            names.insert(name);
        }
    });
    return {names.begin(), names.end()};
}

void PartsFolder::reopen() const {
    remove_file(success_path());
    remove_file(manifest_path(path_));
}

void PartsFolder::remove(const std::string& name) const {
    remove_file(path_of(name));
    remove_file(manifest_path(path_of(name)));
}

bool PartsFolder::is_recorded(std::size_t part) const {
    const std::string path = path_of(parts_[part].name);
    const std::string manifest = manifest_path(path);
    return fs::exists(path) && fs::exists(manifest) &&
           is_same_work(read_manifest(manifest), parts_[part].plan.manifest);
}

bool PartsFolder::is_of_other_work(std::size_t part) const {
    return fs::exists(manifest_path(path_of(parts_[part].name))) && fs::exists(path_of(parts_[part].name)) &&
           !is_recorded(part);
}

std::vector<std::size_t> PartsFolder::missing() const {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        if (!is_recorded(i)) {
            numbers.push_back(i);
        }
    }
    return numbers;
}

Manifest::Values PartsFolder::sum_counts() const {
    Manifest::Values sums;
    for (const Part& part : parts_) {
        for (const auto& [name, count] : read_manifest(manifest_path(path_of(part.name))).counts) {
            const auto* number = std::get_if<std::int64_t>(&count);
            const auto [sum, added] = sums.try_emplace(name, count);
            if (auto* total = std::get_if<std::int64_t>(&sum->second);
                !added && number != nullptr && total != nullptr) {
                *total += *number;
            }
        }
    }
    return sums;
}

void PartsFolder::finish(Manifest::Values counts) const {
    Manifest whole = plan_.manifest;
    whole.counts = std::move(counts);
    for (std::size_t i = 0; i < parts_.size(); ++i) {
        const Manifest made = read_manifest(manifest_path(path_of(parts_[i].name)));
        whole.outputs.insert(whole.outputs.end(), made.outputs.begin(), made.outputs.end());
        output(i).tidy();
    }
    if (find_manifest(manifest_path(path_)) != whole) {
        std::error_code ignored;
        fs::remove(success_path(), ignored);
        write_manifest(manifest_path(path_), whole);
    }
    if (marks_success_ && !fs::exists(success_path())) {
        write_whole_file(success_path(), "");
    }
}

}  // namespace treeline::base
