#pragma once

#include <string>

namespace treeline::test {

/// Folder of the development data: TREELINE_DATA, else `../shared/data` seen from the project's root.
/// Empty where there is no such folder.
[[nodiscard]] std::string data_folder();

/// `name` below data_folder(); throws std::runtime_error where it is missing. Catch2 cases that call it are
/// tagged [data], and their program is declared with DATA, so that they are skipped without the data.
[[nodiscard]] std::string data_file(const std::string& name);

/// `name` below the project's root, for samples and corpora that belong to the project.
[[nodiscard]] std::string project_file(const std::string& name);

}  // namespace treeline::test
