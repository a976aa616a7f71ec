#include "base/planned_output.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/checksums.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/integrity.hpp"
#include "base/output.hpp"

namespace treeline::base {

namespace {

namespace fs = std::filesystem;

/// `path` without a slash at its end.
fs::path place_of(const std::string& path) {
    return fs::path(path).has_filename() ? fs::path(path) : fs::path(path).parent_path();
}

std::string note_path(const std::string& path) {
    const fs::path place = place_of(path);
    return (place.parent_path() / ("." + place.filename().string() + std::string(formats::kNoteEnding)))
        .string();
}

Manifest::File describe_input(const std::string& path) {
    if (is_stream(path)) {
        return {path, "", 0};
    }
    if (!fs::is_directory(path)) {
        Manifest::File file = describe_file(path);
        require_as_recorded(path, file);
        return file;
    }
    require_whole_folder(path);
    const fs::path folder = place_of(path).filename();
    const std::string manifest = manifest_path(path);
    Manifest::File file = fs::exists(manifest) ? describe_file(manifest) : Manifest::File{};
    file.name = (folder / formats::kManifestFile).string();
    return file;
}

bool has_digest(const fs::path& path, const std::string& digest) {
    try {
        return digest_file(path.string()) == digest;
    } catch (const SystemError&) {
        return false;
    }
}

bool is_unchanged(const Manifest::File& file, const fs::path& folder) {
    const fs::path path = folder / file.name;
    std::error_code error;
    return fs::file_size(path, error) == file.bytes && !error && has_digest(path, file.digest);
}

bool names(const Manifest& manifest, const std::string& file) {
    return std::ranges::find(manifest.outputs, file, &Manifest::File::name) != manifest.outputs.end();
}

/// Whether a file is below a folder within `root` that has a list of checksums, other than as its manifest: its bytes
/// may differ from run to run.
bool is_listed_elsewhere(const fs::path& file, const fs::path& root) {
    return file.filename() != formats::kManifestFile && file.parent_path() != root &&
           fs::exists(file.parent_path() / formats::kChecksumFile);
}

/// Whether all files that were recorded are in the folder of the manifest as they were.
bool is_whole(const Manifest& made, const fs::path& folder, bool is_folder) {
    const Checksums checksums = is_folder ? find_checksums(folder.string()) : Checksums();
    return !(made.outputs.empty() && checksums.empty()) &&
           std::ranges::all_of(made.outputs, [&](const auto& file) { return is_unchanged(file, folder); }) &&
           std::ranges::all_of(
               checksums, [&](const auto& file) { return has_digest(folder / file.first, file.second); });
}

/// Whether a file of that name in a folder of ours is one of ours.
bool is_own_name(const Manifest& manifest, const Checksums& checksums, std::string name) {
    const std::string last = fs::path(name).filename().string();
    if (checksums.contains(name) || last == formats::kManifestFile || last == formats::kSuccessFile ||
        last == formats::kChecksumFile ||
        (last.starts_with('.') && last.find(formats::kTemporaryInfix) != std::string::npos)) {
        return true;
    }
    if (name.ends_with(formats::kManifestEnding)) {
        name.resize(name.size() - formats::kManifestEnding.size());
    }
    return names(manifest, name);
}

bool is_empty(const std::string& path) {
    std::error_code error;
    return fs::is_empty(path, error) && !error;
}

bool is_interrupted_work(Manifest made, const Manifest& planned) {
    return made.options.erase(kInterruptedOption) > 0 && is_same_work(made, planned);
}

/// What tells one file from another that has taken its name.
std::vector<std::int64_t> stamp_of(const std::string& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) {
        return {};
    }
    return {static_cast<std::int64_t>(status.st_dev), static_cast<std::int64_t>(status.st_ino),
            status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

}  // namespace

bool is_stream(const std::string& path) { return path == "-" || fs::is_other(path); }

bool Plan::knows_inputs() const {
    return std::ranges::none_of(manifest.inputs, [](const auto& input) { return input.digest.empty(); });
}

Plan plan_work(std::string stage, Manifest::Values options, const std::vector<std::string>& inputs) {
    Plan plan;
    plan.manifest.stage = std::move(stage);
    plan.manifest.version = program_version();
    plan.manifest.options = std::move(options);
    plan.inputs = inputs;
    for (const std::string& input : inputs) {
        plan.manifest.inputs.push_back(describe_input(input));
    }
    return plan;
}

bool is_same_work(const Manifest& a, const Manifest& b) {
    return a.stage == b.stage && a.version == b.version && a.options == b.options && a.inputs == b.inputs;
}

std::optional<Manifest> find_manifest(const std::string& path) {
    try {
        return fs::exists(path) ? std::optional(read_manifest(path)) : std::nullopt;
    } catch (const Error&) {
        return std::nullopt;
    }
}

PlannedOutput::PlannedOutput(std::string path, Plan plan, const std::string& role)
    : path_(std::move(path)), plan_(std::move(plan)) {
    if (!role.empty()) {
        plan_.manifest.options["this-file"] = role;
    }
}

PlannedOutput::PlannedOutput(PlannedOutput&& other) noexcept
    : path_(std::move(other.path_)),
      plan_(std::move(other.plan_)),
      note_(std::exchange(other.note_, {})),
      stamp_(std::move(other.stamp_)),
      explains_old_(other.explains_old_) {}

PlannedOutput& PlannedOutput::operator=(PlannedOutput&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(plan_, other.plan_);
    std::swap(note_, other.note_);
    std::swap(stamp_, other.stamp_);
    std::swap(explains_old_, other.explains_old_);
    return *this;
}

PlannedOutput::~PlannedOutput() {
    std::error_code ignored;
    const bool appeared = stamp_of(path_) != stamp_ && !fs::is_directory(path_, ignored);
    if (!note_.empty() && !appeared && !explains_old_) {
        take_note_back();
    }
}

void PlannedOutput::take_note_back() {
    std::error_code ignored;
    fs::remove(note_, ignored);
    note_.clear();
}

OutputState PlannedOutput::state() const {
    if (is_stream() || !fs::exists(path_)) {
        return OutputState::kMissing;
    }
    const auto made = find_manifest(manifest_path(path_));
    if (!made && is_empty(path_)) {
        return OutputState::kMissing;
    }
    const OutputState found = compare(made);
    return found != OutputState::kCurrent && holds_foreign() ? OutputState::kForeign : found;
}

OutputState PlannedOutput::compare(const std::optional<Manifest>& made) const {
    if (made && plan_.knows_inputs() && is_same_work(*made, plan_.manifest)) {
        const bool whole =
            is_whole(*made, fs::path(manifest_path(path_)).parent_path(), fs::is_directory(path_));
        return whole ? OutputState::kCurrent : OutputState::kUnfinished;
    }
    if (made && is_interrupted_work(*made, plan_.manifest)) {
        return OutputState::kUnfinished;
    }
    const auto note = find_manifest(note_path(path_));
    return note && is_same_work(*note, plan_.manifest) ? OutputState::kUnfinished : OutputState::kOther;
}

bool PlannedOutput::holds_foreign() const {
    if (is_stream() || !fs::exists(path_) || is_empty(path_)) {
        return false;
    }
    const auto made = find_manifest(manifest_path(path_));
    if (!fs::is_directory(path_)) {
        // Damaged or not, a manifest beside it is ours.
        const bool named =
            made ? names(*made, fs::path(path_).filename().string()) : fs::exists(manifest_path(path_));
        return !named && !find_manifest(note_path(path_));
    }
    if (!made) {
        return true;
    }
    const Checksums checksums = find_checksums(path_);
    bool foreign = false;
    visit_folders(path_, [&](const fs::directory_entry& entry) {
        foreign =
            foreign || (!entry.is_directory() &&
                        !is_own_name(*made, checksums, entry.path().lexically_relative(path_).string()));
    });
    return foreign;
}

std::string PlannedOutput::find_manifest_error() const {
    const std::string path = manifest_path(path_);
    try {
        if (!is_stream() && fs::exists(path)) {
            static_cast<void>(read_manifest(path));
        }
        return {};
    } catch (const Error& error) {
        return error.what();
    }
}

std::string PlannedOutput::find_input_in_it() const {
    std::error_code error;
    if (is_stream() || !fs::exists(path_, error)) {
        return {};
    }
    const fs::path own = fs::canonical(path_, error);
    for (const std::string& input : plan_.inputs) {
        if (base::is_stream(input)) {
            continue;
        }
        // A hard link has another path.
        if (fs::equivalent(path_, input, error) && !error) {
            return input;
        }
        const fs::path other = fs::canonical(input, error);
        if (!error && fs::is_directory(own, error) &&
            std::mismatch(own.begin(), own.end(), other.begin(), other.end()).first == own.end()) {
            return input;
        }
    }
    return {};
}

void PlannedOutput::begin() {
    if (is_stream()) {
        return;
    }
    if (fs::is_directory(path_) || path_.ends_with('/')) {
        tidy();
        return;
    }
    remove_stale_temporaries(path_);
    stamp_ = stamp_of(path_);
    const std::string note = note_path(path_);
    explains_old_ = !stamp_.empty() && fs::exists(note);
    write_manifest(note, plan_.manifest);
    note_ = note;
}

void PlannedOutput::tidy() const {
    if (!is_stream()) {
        remove_stale_temporaries(path_);
        std::error_code ignored;
        fs::remove(note_path(path_), ignored);
    }
}

void PlannedOutput::record(Manifest::Values counts) {
    if (is_stream() || !fs::is_regular_file(path_)) {
        return;
    }
    record(std::move(counts), describe_file(path_));
}

void PlannedOutput::record(Manifest::Values counts, Manifest::File file) {
    Manifest manifest = plan_.manifest;
    manifest.counts = std::move(counts);
    manifest.outputs = {std::move(file)};
    write_manifest(manifest_path(path_), manifest);
    if (!note_.empty()) {
        take_note_back();
    }
}

void PlannedOutput::commit(AtomicFolder& folder, Manifest::Values counts) {
    Manifest manifest = plan_.manifest;
    manifest.counts = std::move(counts);
    visit_folders(folder.temporary_path(), [&](const fs::directory_entry& entry) {
        if (!entry.is_directory() && !is_listed_elsewhere(entry.path(), folder.temporary_path())) {
            manifest.outputs.push_back(describe_file(entry.path().string()));
            manifest.outputs.back().name = entry.path().lexically_relative(folder.temporary_path()).string();
        }
    });
    std::ranges::sort(manifest.outputs, {}, &Manifest::File::name);
    write_manifest(manifest_path(folder.temporary_path()), manifest);
    folder.commit();
    if (!note_.empty()) {
        take_note_back();
    }
}

}  // namespace treeline::base
