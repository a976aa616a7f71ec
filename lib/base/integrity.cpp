#include "base/integrity.hpp"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/checksums.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/planned_output.hpp"
#include "base/text.hpp"

namespace treeline::base {

namespace {

namespace fs = std::filesystem;

/// What a manifest says about a file, and which manifest that is.
struct Record {
    Manifest::File file;
    std::string manifest;
};

std::optional<Record> find_record(const fs::path& path) {
    const fs::path in_folder = path.parent_path() / formats::kManifestFile;
    for (const std::string& place : {manifest_path(path.string()), in_folder.string()}) {
        const auto manifest = find_manifest(place);
        if (!manifest) {
            continue;
        }
        const auto found =
            std::ranges::find(manifest->outputs, path.filename().string(), &Manifest::File::name);
        if (found != manifest->outputs.end()) {
            return Record{*found, place};
        }
    }
    return std::nullopt;
}

[[noreturn]] void refuse(const std::string& path, const std::string& manifest) {
    throw InputError(
        {path}, "not the file that " + base::quoted(manifest) +
                    " describes; make it again, or remove that manifest if you changed the file yourself");
}

void check_size(const fs::path& folder, const Manifest::File& file) {
    const fs::path path = folder / file.name;
    std::error_code error;
    if (const auto bytes = fs::file_size(path, error); error || bytes != file.bytes) {
        throw InputError({path.string()},
                         "missing, or not of the " + std::to_string(file.bytes) +
                             " bytes that the manifest of its folder says; make the folder again");
    }
}

void check_digest(const fs::path& path, const std::string& digest, const std::string& source,
                  Verified& verified) {
    const Manifest::File found = describe_file(path.string());
    if (found.digest != digest) {
        refuse(path.string(), source);
    }
    ++verified.files;
    verified.bytes += found.bytes;
}

}  // namespace

void require_as_recorded(const std::string& path, const Manifest::File& found) {
    const auto record = find_record(path);
    if (record && record->file.digest != found.digest) {
        refuse(path, record->manifest);
    }
}

void require_whole_folder(const std::string& path) {
    if (const auto manifest = find_manifest(manifest_path(path))) {
        std::ranges::for_each(manifest->outputs, [&](const auto& file) { check_size(path, file); });
    }
}

Verified verify(const std::string& path) {
    Verified verified;
    if (!fs::is_directory(path)) {
        const auto record = find_record(path);
        if (record) {
            check_digest(path, record->file.digest, record->manifest, verified);
        }
    } else {
        const std::string place = manifest_path(path);
        if (const auto manifest = find_manifest(place)) {
            for (const auto& file : manifest->outputs) {
                check_size(path, file);
                check_digest(fs::path(path) / file.name, file.digest, place, verified);
            }
        }
        for (const auto& [name, digest] : find_checksums(path)) {
            check_digest(fs::path(path) / name, digest, std::string(formats::kChecksumFile), verified);
        }
    }
    if (verified.files == 0) {
        throw InputError({path}, "no manifest names it; expected a file or folder that Treeline has made");
    }
    return verified;
}

}  // namespace treeline::base
