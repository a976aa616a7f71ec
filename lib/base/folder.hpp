#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace treeline::base {

using FolderVisit = std::function<void(const std::filesystem::directory_entry&)>;

/// Calls `visit` for all that is in a folder, in no order. Throws SystemError, which names the folder, where it cannot be read: the
/// iterators of the standard library do not name it.
void visit_folder(const std::string& folder, const FolderVisit& visit);
/// Likewise for what is in the folders below it, too.
void visit_folders(const std::string& folder, const FolderVisit& visit);

}  // namespace treeline::base
