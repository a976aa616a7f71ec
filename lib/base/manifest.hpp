#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace treeline::base {

/// What a stage was given and what it made: written as `manifest.json` (or `NAME.manifest.json`) beside each
/// output. Holds no clock times and no absolute paths, so that equal work gives equal bytes.
struct Manifest {
    struct File {
        std::string name;    ///< file name without its folders
        std::string digest;  ///< see digest.hpp
        std::uint64_t bytes = 0;
        bool operator==(const File&) const = default;
    };
    using Value = std::variant<std::string, std::int64_t, double, bool>;

    std::string stage;
    std::string version;                   ///< of the program
    std::map<std::string, Value> options;  ///< in effect, defaults included, without --threads and the like
    std::map<std::string, Value> counts;   ///< what happened: records read, support vectors, ...
    std::vector<File> inputs;
    std::vector<File> outputs;

    bool operator==(const Manifest&) const = default;
};

/// Name, digest and size of a file on disk.
[[nodiscard]] Manifest::File describe_file(const std::string& path);

/// Canonical JSON: sorted keys, two spaces, a newline at the end.
[[nodiscard]] std::string to_json(const Manifest& manifest);
/// Throws InputError (with `path` as the place) on anything but a manifest.
[[nodiscard]] Manifest manifest_from_json(const std::string& path, const std::string& json);

void write_manifest(const std::string& path, const Manifest& manifest);
[[nodiscard]] Manifest read_manifest(const std::string& path);

/// `FOLDER/manifest.json` for a folder, `FILE.manifest.json` for a file.
[[nodiscard]] std::string manifest_path(const std::string& output);

/// True if `made` was produced by the same stage and version from the same options and inputs as `wanted`
/// and every output listed in it is still in `folder` with its size and digest: the work need not be
/// repeated.
[[nodiscard]] bool is_up_to_date(const Manifest& made, const Manifest& wanted, const std::string& folder);

/// Version of Treeline, e.g. "0.1.0".
[[nodiscard]] const char* program_version();

}  // namespace treeline::base
