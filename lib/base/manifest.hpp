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
        std::string name;    ///< without its folders; of an output, below the folder of the manifest
        std::string digest;  ///< see digest.hpp
        std::uint64_t bytes = 0;
        bool operator==(const File&) const = default;
    };
    using Value = std::variant<std::string, std::int64_t, double, bool>;
    using Values = std::map<std::string, Value>;

    std::string stage;
    std::string version;  ///< of the program
    Values options;       ///< in effect, defaults included, without --threads and the like
    Values counts;        ///< what happened: records read, support vectors, ...
    std::vector<File> inputs;
    std::vector<File> outputs;

    bool operator==(const Manifest&) const = default;
};

/// Name, digest and size of a file on disk.
[[nodiscard]] Manifest::File describe_file(const std::string& path);

/// Canonical JSON: sorted keys, two spaces, a newline at the end. The member `digest` is the digest of that text without it.
[[nodiscard]] std::string to_json(const Manifest& manifest);
/// Throws InputError (with `path` as the place) on anything but a manifest, and on one that contradicts its digest. One without a
/// digest is taken as it is.
[[nodiscard]] Manifest manifest_from_json(const std::string& path, const std::string& json);

void write_manifest(const std::string& path, const Manifest& manifest);
[[nodiscard]] Manifest read_manifest(const std::string& path);

/// `FOLDER/manifest.json` for a folder, `FILE.manifest.json` for a file.
[[nodiscard]] std::string manifest_path(const std::string& output);

/// Version of Treeline, e.g. "0.1.0".
[[nodiscard]] const char* program_version();

}  // namespace treeline::base
