#include "base/checksums.hpp"

#include <filesystem>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/input.hpp"
#include "base/output.hpp"

namespace treeline::base {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kDigits = 32;
constexpr std::string_view kGap = "  ";

std::string list_in(const std::string& folder) {
    return (fs::path(folder) / formats::kChecksumFile).string();
}

}  // namespace

std::uint64_t write_checksums(const std::string& folder) {
    Checksums digests;
    std::uint64_t bytes = 0;
    visit_folder(folder, [&](const fs::directory_entry& entry) {
        digests[entry.path().filename().string()] = digest_file(entry.path().string());
        bytes += entry.file_size();
    });
    std::string text;
    for (const auto& [name, digest] : digests) {
        text.append(digest).append(kGap).append(name).append("\n");
    }
    write_whole_file(list_in(folder), text);
    return bytes + text.size();
}

Checksums read_checksums(const std::string& folder) {
    Checksums digests;
    LineReader lines(list_in(folder));
    for (std::string_view line; lines.next(line);) {
        if (line.size() <= kDigits + kGap.size() || line.substr(kDigits, kGap.size()) != kGap) {
            throw InputError(lines.place(), "the list of checksums is damaged");
        }
        digests[std::string(line.substr(kDigits + kGap.size()))] = line.substr(0, kDigits);
    }
    return digests;
}

std::vector<std::string> find_damaged(const std::string& folder, const Checksums& expected) {
    std::vector<std::string> damaged;
    for (const auto& [name, digest] : expected) {
        const fs::path path = fs::path(folder) / name;
        if (fs::is_regular_file(path) && digest_file(path.string()) != digest) {
            damaged.push_back(name);
        }
    }
    return damaged;
}

Checksums find_checksums(const std::string& folder) {
    Checksums found;
    try {
        visit_folders(folder, [&](const fs::directory_entry& entry) {
            if (entry.path().filename() == formats::kChecksumFile) {
                const fs::path holder = entry.path().parent_path();
                for (const auto& [name, digest] : read_checksums(holder.string())) {
                    found[((holder / name).lexically_relative(folder)).string()] = digest;
                }
            }
        });
    } catch (const Error&) {
        return {};
    }
    return found;
}

}  // namespace treeline::base
