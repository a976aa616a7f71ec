#include "support/data.hpp"

#include <cstdlib>
#include <filesystem>
#include <stdexcept>

namespace treeline::test {

std::string data_folder() {
    const char* named = std::getenv("TREELINE_DATA");
    const std::filesystem::path folder =
        named != nullptr ? named : std::filesystem::path(TREELINE_SOURCE_DIR) / ".." / "shared" / "data";
    return std::filesystem::is_directory(folder) ? folder.lexically_normal().string() : std::string();
}

std::string data_file(const std::string& name) {
    const std::filesystem::path path = std::filesystem::path(data_folder()) / name;
    if (data_folder().empty() || !std::filesystem::exists(path)) {
        throw std::runtime_error("no '" + name + "' in the data folder; set TREELINE_DATA");
    }
    return path.string();
}

std::string project_file(const std::string& name) {
    return (std::filesystem::path(TREELINE_SOURCE_DIR) / name).string();
}

}  // namespace treeline::test
