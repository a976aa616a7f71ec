#include "common/manifest.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/output.hpp"

namespace treeline::stage {

namespace {

namespace fs = std::filesystem;

base::Manifest::File describe_input(const std::string& path) {
    if (is_stream(path)) {
        return {path, "", 0};
    }
    if (fs::is_directory(path)) {
        base::Manifest::File file = base::describe_file(base::manifest_path(path));
        const fs::path folder = fs::path(path) / "";
        file.name = (folder.parent_path().filename() / file.name).string();
        return file;
    }
    return base::describe_file(path);
}

bool is_known(const base::Manifest::File& input) { return !input.digest.empty(); }

bool was_made_as(const std::string& output, const base::Manifest& planned) {
    const std::string path = base::manifest_path(output);
    if (!fs::exists(path) || !std::all_of(planned.inputs.begin(), planned.inputs.end(), is_known)) {
        return false;
    }
    try {
        return base::is_up_to_date(base::read_manifest(path), planned, fs::path(path).parent_path().string());
    } catch (const base::Error&) {
        return false;
    }
}

}  // namespace

bool is_stream(const std::string& input) { return input == "-" || fs::is_other(input); }

base::Manifest plan_manifest(std::string stage, Values options, const std::vector<std::string>& inputs) {
    base::Manifest manifest;
    manifest.stage = std::move(stage);
    manifest.version = base::program_version();
    manifest.options = std::move(options);
    for (const std::string& input : inputs) {
        manifest.inputs.push_back(describe_input(input));
    }
    return manifest;
}

bool needs_work(const std::string& output, const base::Manifest& planned, bool force,
                base::ProgressObserver& progress) {
    base::remove_stale_temporaries(output);
    if (was_made_as(output, planned)) {
        progress.note("'" + output + "' is up to date");
        return false;
    }
    base::require_writable(output, force);
    return true;
}

void record_output(const std::string& output, base::Manifest planned, Values counts) {
    if (output != "-" && fs::is_regular_file(output)) {
        planned.counts = std::move(counts);
        planned.outputs = {base::describe_file(output)};
        base::write_manifest(base::manifest_path(output), planned);
    }
}

}  // namespace treeline::stage
