#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "classify/feature_catalog.hpp"
#include "classify/tree_layout.hpp"
#include "example/example.hpp"
#include "linear/linear_model.hpp"
#include "store/dictionary.hpp"

namespace treeline::classify {

/// A feature's part in a decision value, or in the difference of two.
struct Contribution {
    std::uint32_t index = 0;
    double value = 0;  ///< of the feature in the example
    double weight = 0;
    double product = 0;
    std::string name;                ///< see FeatureCatalog
    std::vector<double> by_class{};  ///< of a Contrast: the products for Explanation::classes
    std::vector<std::uint32_t>
        nodes{};  ///< of Explanation::nodes, those that its occurrences cover; ascending
};

/// Why the predicted class and not another: difference = sum of `top` + rest + bias.
struct Contrast {
    std::string other;      ///< the gold class where the prediction is wrong, else the runner-up
    double difference = 0;  ///< of the scores; of two classes with one decision value, that value, above 0
    std::vector<Contribution> top;  ///< by |product| descending, then index
    std::size_t rest_count = 0;
    double rest = 0;
    double bias = 0;
};

/// A class with its decision value.
struct ScoredClass {
    std::string label;
    double score = 0;
    double bias = 0;
};

/// Why an example was given its label: decision = sum of `top` + rest + bias.
struct Explanation {
    std::uint64_t id = 0;
    std::string gold;  ///< empty where it is not known
    std::string predicted;
    bool wrong = false;             ///< the gold label is known and of another class
    double decision = 0;            ///< of the predicted class (of the first of two)
    double margin = 0;              ///< of the predicted class over the runner-up, in decision values
    std::vector<Contribution> top;  ///< by |product| descending, then index
    std::size_t rest_count = 0;
    double rest = 0;
    double bias = 0;
    /// The predicted class, the gold one where it is another, the runner-up where it is yet another; none where two classes
    /// have one decision value.
    std::vector<ScoredClass> classes;
    Contrast contrast;
    std::string tree;              ///< the example's trees as text; empty where only vectors are known
    std::vector<DrawnNode> nodes;  ///< their nodes in post-order, one tree after the other
};

/// The `count` features that contributed most to the decision for the class `predicted`, and the `count` that did to
/// its lead over the gold class or the runner-up. `gold` may be empty, or no class of the model.
[[nodiscard]] Explanation explain(const linear::LinearModel& model, const linear::SparseRow& row,
                                  std::size_t predicted, std::span<const double> decisions, std::size_t count,
                                  const FeatureCatalog& features, std::string_view gold = {});

/// Adds the example's trees, and where in them the fragments of the contributions occur.
void locate(Explanation& explanation, const example::Example& example, const store::Dictionary& dictionary,
            const FeatureCatalog& features);

/// What each feature of a vector adds to the score of class `ahead` less that of class `behind`; those that add something.
[[nodiscard]] std::vector<Contribution> differences(const linear::LinearModel& model,
                                                    const linear::SparseRow& row, std::size_t ahead,
                                                    std::size_t behind);
/// The class whose label is of the same class as `label`; labels.size() where there is none.
[[nodiscard]] std::size_t find_class(const linear::LinearModel& model, std::string_view label);
/// How far the predicted class is ahead of the next one.
[[nodiscard]] double margin_of(const linear::LinearModel& model, std::span<const double> decisions,
                               std::size_t predicted);

/// The leaves of the example's trees in plain words.
[[nodiscard]] std::string sentence_of(const Explanation& explanation);

/// Text of one explanation, a few lines; one line of JSON; a section of the page (explanation_page.hpp has what stands
/// around it); an SVG file of the trees, tinted.
[[nodiscard]] std::string to_text(const Explanation& explanation);
[[nodiscard]] std::string to_json_line(const Explanation& explanation);
[[nodiscard]] std::string to_html(const Explanation& explanation);
[[nodiscard]] std::string to_svg_file(const Explanation& explanation);

}  // namespace treeline::classify
