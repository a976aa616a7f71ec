#pragma once

#include <string>
#include <vector>

#include "sparse/column_pool.hpp"
#include "sparse/path_search.hpp"
#include "tree/symbols.hpp"

namespace treeline::fpl {

/// What the page and path.json say beside the path itself.
struct PathDescription {
    std::string kernel;
    std::string loss;
    std::vector<std::string> positives;  ///< class of each question
};

/// `path.json`: kernel, loss, measure, how, chosen (number of a step), steps [{c, features, objective, bound, gap, gap_reached,
/// quality}],
/// cross_validation [{c, quality}], features [{class, text, weights by step}], the strongest of the chosen model.
[[nodiscard]] std::string path_json(const sparse::Path& path, const PathDescription& description,
                                    const sparse::ColumnPool& columns, const tree::SymbolTable& symbols);
/// A page that shows it and needs no other file.
[[nodiscard]] std::string path_page(const std::string& json);

}  // namespace treeline::fpl
