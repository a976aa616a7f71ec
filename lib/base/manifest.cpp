#include "base/manifest.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/input.hpp"
#include "base/output.hpp"

namespace treeline::base {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;
using Values = Manifest::Values;
using Files = std::vector<Manifest::File>;

using formats::kManifestVersion;
constexpr std::uint64_t kLargestManifest = std::uint64_t{1} << 26;
constexpr const char* kDigestMember = "digest";

/// What is wrong with a manifest, before the path is known.
struct Mismatch : std::runtime_error {
    using std::runtime_error::runtime_error;
};

std::string spell(const Json& json) {
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json values_to_json(const Values& values) {
    Json object = Json::object();
    for (const auto& [key, value] : values) {
        Json& member = object[key];
        std::visit([&member](const auto& held) { member = held; }, value);
    }
    return object;
}

Json files_to_json(const Files& files) {
    Json list = Json::array();
    for (const Manifest::File& file : files) {
        list.push_back({{"name", file.name}, {"digest", file.digest}, {"bytes", file.bytes}});
    }
    return list;
}

const Json& get_member(const Json& object, const std::string& key) {
    if (!object.is_object() || !object.contains(key)) {
        throw Mismatch("'" + key + "' is missing");
    }
    return object.at(key);
}

std::string get_string(const Json& object, const std::string& key) {
    const Json& value = get_member(object, key);
    if (!value.is_string()) {
        throw Mismatch("'" + key + "' is not a string");
    }
    return value.get<std::string>();
}

Manifest::Value value_from_json(const std::string& key, const Json& value) {
    if (value.is_string()) {
        return value.get<std::string>();
    }
    if (value.is_boolean()) {
        return value.get<bool>();
    }
    if (value.is_number_float()) {
        return value.get<double>();
    }
    if (value.is_number_unsigned() ? value.get<std::uint64_t>() <= INT64_MAX : value.is_number_integer()) {
        return value.get<std::int64_t>();
    }
    throw Mismatch("'" + key + "' is neither a string, a number nor a truth value");
}

Values get_values(const Json& object, const std::string& key) {
    const Json& members = get_member(object, key);
    if (!members.is_object()) {
        throw Mismatch("'" + key + "' is not an object");
    }
    Values values;
    for (const auto& [name, value] : members.items()) {
        values.emplace(name, value_from_json(name, value));
    }
    return values;
}

Files get_files(const Json& object, const std::string& key) {
    const Json& list = get_member(object, key);
    if (!list.is_array()) {
        throw Mismatch("'" + key + "' is not a list");
    }
    Files files;
    for (const Json& entry : list) {
        const Json& bytes = get_member(entry, "bytes");
        if (!bytes.is_number_unsigned()) {
            throw Mismatch("'bytes' is not a count");
        }
        files.push_back({get_string(entry, "name"), get_string(entry, "digest"), bytes.get<std::uint64_t>()});
    }
    return files;
}

/// Earlier manifests carry no digest, and those that people changed need none.
void require_own_digest(const std::string& path, Json object) {
    if (!object.contains(kDigestMember)) {
        return;
    }
    const std::string digest = get_string(object, kDigestMember);
    object.erase(kDigestMember);
    if (digest_bytes(spell(object)) != digest) {
        throw InputError({path},
                         "damaged: its digest is not that of its text; make the output again, or remove the "
                         "member 'digest' if you changed the manifest yourself");
    }
}

}  // namespace

Manifest::File describe_file(const std::string& path) {
    std::string digest = digest_file(path);
    return {fs::path(path).filename().string(), std::move(digest), fs::file_size(path)};
}

std::string to_json(const Manifest& manifest) {
    Json json = {{"format", kManifestVersion},
                 {"stage", manifest.stage},
                 {"version", manifest.version},
                 {"options", values_to_json(manifest.options)},
                 {"counts", values_to_json(manifest.counts)},
                 {"inputs", files_to_json(manifest.inputs)},
                 {"outputs", files_to_json(manifest.outputs)}};
    json[kDigestMember] = digest_bytes(spell(json));
    return spell(json);
}

Manifest manifest_from_json(const std::string& path, const std::string& json) {
    try {
        const Json object = Json::parse(json);
        if (get_member(object, "format") != kManifestVersion) {
            throw Mismatch("'format' is not " + std::to_string(kManifestVersion));
        }
        require_own_digest(path, object);
        return {get_string(object, "stage"),  get_string(object, "version"), get_values(object, "options"),
                get_values(object, "counts"), get_files(object, "inputs"),   get_files(object, "outputs")};
    } catch (const Json::exception&) {
        throw InputError({path}, "not a manifest: not valid JSON");
    } catch (const Mismatch& mismatch) {
        throw InputError({path}, std::string("not a manifest: ") + mismatch.what());
    }
}

void write_manifest(const std::string& path, const Manifest& manifest) {
    write_whole_file(path, to_json(manifest));
}

Manifest read_manifest(const std::string& path) {
    return manifest_from_json(path, read_whole_file(path, kLargestManifest));
}

std::string manifest_path(const std::string& output) {
    if (output.ends_with('/') || fs::is_directory(output)) {
        return (fs::path(output) / formats::kManifestFile).string();
    }
    return output + std::string(formats::kManifestEnding);
}

const char* program_version() { return TREELINE_VERSION; }

}  // namespace treeline::base
