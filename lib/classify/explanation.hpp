#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "linear/linear_model.hpp"

namespace treeline::classify {

/// A feature's part in a decision value.
struct Contribution {
    std::uint32_t index = 0;
    double value = 0;  ///< of the feature in the example
    double weight = 0;
    double product = 0;
};

/// Why an example was given its label: decision = sum of `top` + rest + bias.
struct Explanation {
    std::uint64_t id = 0;
    std::string gold;
    std::string predicted;
    double decision = 0;            ///< of the predicted class (of the first of two)
    std::vector<Contribution> top;  ///< by |product| descending, then index
    std::size_t rest_count = 0;
    double rest = 0;
    double bias = 0;
    std::string tree;  ///< as text; empty where only vectors are known
};

/// The `count` features that contributed most to the decision for the class `predicted`.
[[nodiscard]] Explanation explain(const linear::LinearModel& model, const linear::SparseRow& row,
                                  std::size_t predicted, std::span<const double> decisions,
                                  std::size_t count);

/// The name of a feature: the fragment's text, `feature N` for flat ones.
using FeatureName = std::function<std::string(std::uint32_t)>;

/// Text of one explanation, a few lines; one line of JSON; or a section of the page.
[[nodiscard]] std::string to_text(const Explanation& explanation, const FeatureName& name);
[[nodiscard]] std::string to_json_line(const Explanation& explanation, const FeatureName& name);
[[nodiscard]] std::string to_html(const Explanation& explanation, const FeatureName& name);
/// What stands around the sections: a page that needs no other file.
[[nodiscard]] std::string html_head();
[[nodiscard]] std::string html_foot();

}  // namespace treeline::classify
