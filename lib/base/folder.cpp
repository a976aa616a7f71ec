#include "base/folder.hpp"

#include <system_error>

#include "base/error.hpp"

namespace treeline::base {

namespace fs = std::filesystem;

namespace {

template <typename Iterator>
void visit_all(const std::string& folder, const FolderVisit& visit) {
    std::error_code error;
    for (Iterator at(folder, error); !error && at != Iterator(); at.increment(error)) {
        visit(*at);
    }
    if (error) {
        throw SystemError("read the folder", folder, error.value());
    }
}

}  // namespace

void visit_folder(const std::string& folder, const FolderVisit& visit) {
    visit_all<fs::directory_iterator>(folder, visit);
}

void visit_folders(const std::string& folder, const FolderVisit& visit) {
    visit_all<fs::recursive_directory_iterator>(folder, visit);
}

}  // namespace treeline::base
