#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classify/feature_catalog.hpp"
#include "classify/tree_drawing.hpp"
#include "example/example.hpp"
#include "linear/linear_model.hpp"
#include "store/dictionary.hpp"

namespace treeline::classify {

/// A feature's part in a decision value.
struct Contribution {
    std::uint32_t index = 0;
    double value = 0;  ///< of the feature in the example
    double weight = 0;
    double product = 0;
    std::string name;  ///< see FeatureCatalog
    std::vector<std::uint32_t>
        nodes{};  ///< of Explanation::nodes, those that its occurrences cover; ascending
};

/// Why an example was given its label: decision = sum of `top` + rest + bias.
struct Explanation {
    std::uint64_t id = 0;
    std::string gold;  ///< empty where it is not known
    std::string predicted;
    double decision = 0;            ///< of the predicted class (of the first of two)
    std::vector<Contribution> top;  ///< by |product| descending, then index
    std::size_t rest_count = 0;
    double rest = 0;
    double bias = 0;
    std::string tree;              ///< the example's trees as text; empty where only vectors are known
    std::vector<DrawnNode> nodes;  ///< their nodes in post-order, one tree after the other
};

/// The `count` features that contributed most to the decision for the class `predicted`.
[[nodiscard]] Explanation explain(const linear::LinearModel& model, const linear::SparseRow& row,
                                  std::size_t predicted, std::span<const double> decisions, std::size_t count,
                                  const FeatureCatalog& features);

/// Adds the example's trees, and where in them the fragments of the contributions occur.
void locate(Explanation& explanation, const example::Example& example, const store::Dictionary& dictionary,
            const FeatureCatalog& features);

/// Text of one explanation, a few lines; one line of JSON; or a section of the page.
[[nodiscard]] std::string to_text(const Explanation& explanation);
[[nodiscard]] std::string to_json_line(const Explanation& explanation);
[[nodiscard]] std::string to_html(const Explanation& explanation);
/// What stands around the sections: a page that needs no other file.
[[nodiscard]] std::string html_head();
[[nodiscard]] std::string html_foot();

}  // namespace treeline::classify
