#pragma once

#include <cstdint>
#include <string>

#include "base/manifest.hpp"

/// Whether files still are what the manifests beside them say. Where no manifest names a file, nothing is said about it.
namespace treeline::base {

/// Throws InputError if the file `path`, of which `found` is the description, is named with another digest by its
/// manifest or that of its folder.
void require_as_recorded(const std::string& path, const Manifest::File& found);
/// Throws InputError if a file that the manifest of the folder `path` names is missing or has another size. What is in the
/// files is for their readers to check.
void require_whole_folder(const std::string& path);

/// What verify() has read.
struct Verified {
    std::uint64_t files = 0;
    std::uint64_t bytes = 0;
};
/// Reads a file that a manifest names, or all files of a folder that its manifest and the lists of checksums in it name.
/// Throws InputError where one is not as recorded, or none is recorded.
Verified verify(const std::string& path);

}  // namespace treeline::base
