#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace treeline::base {

/// Digests by file name, of the files of one folder: `checksums.xxh128` in it, a line `DIGEST  NAME` each, which
/// `xxhsum -H2 -c` reads. For folders whose files differ from run to run though their content is the same.
using Checksums = std::map<std::string, std::string>;

/// Writes the list of all files that are in `folder`; returns the bytes that they and the list take.
std::uint64_t write_checksums(const std::string& folder);
/// Throws InputError for a list that is damaged, SystemError where there is none.
[[nodiscard]] Checksums read_checksums(const std::string& folder);
/// Names of files that are in `folder` with other bytes than `expected` says. Reads all that it names.
[[nodiscard]] std::vector<std::string> find_damaged(const std::string& folder, const Checksums& expected);
/// What the lists in a folder and below it say, by paths below the folder; nothing where there is none or one is damaged.
[[nodiscard]] Checksums find_checksums(const std::string& folder);

}  // namespace treeline::base
