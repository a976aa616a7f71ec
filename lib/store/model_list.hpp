#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/manifest.hpp"
#include "store/kernel_model.hpp"

namespace treeline::store {

/// One kernel model among those that belong together: of a class (against the rest) and of a split of the
/// data.
struct ListedModel {
    std::string name;             ///< file name; in what list_models() returns, the path
    std::string positive = "+1";  ///< label of examples with f(x) > 0
    std::string negative = "-1";  ///< label of the others; empty for "the rest" in one against all
    std::uint64_t split = 0;      ///< counted from 1; 0 = made from all examples
};

/// Models of one file or folder, in the order of their manifest. A folder must have a manifest (it is written
/// last, so it stands for a finished run) whose outputs are there with their sizes; a file may have one
/// beside it, which then gives the labels. Throws InputError, or SystemError where there is nothing.
[[nodiscard]] std::vector<ListedModel> list_models(const std::string& path);

/// Reads a listed model. The classes that the file itself names override those of the list.
[[nodiscard]] KernelModel read_listed_model(const ListedModel& listed, tree::Forest& forest,
                                            example::ExampleSet& examples);

/// Writes into `manifest` what list_models() finds there.
void record_models(base::Manifest::Values& counts, const std::vector<ListedModel>& models);

/// A file name for the model of class number `number` (from 0) that is safe whatever the label:
/// `class-00002-NUM.svm`; bytes other than letters, digits, `_` and `-` are left out.
[[nodiscard]] std::string class_file_name(std::size_t number, std::string_view label);

/// `split-003-of-010.svm`, or `split-003-of-010.CLASS_FILE` where there are several machines; splits count
/// from 1.
[[nodiscard]] std::string split_file_name(std::size_t number, std::size_t count,
                                          const std::string& class_file);

}  // namespace treeline::store
