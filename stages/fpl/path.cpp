#include "fpl/path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "classify/pages.hpp"

namespace treeline::fpl {

namespace {

constexpr std::size_t kStrongest = 30;  ///< features drawn

/// Text or number of a feature.
std::string name_of(sparse::ColumnId id, const sparse::ColumnPool& columns,
                    const tree::SymbolTable& symbols) {
    const auto fragment = columns.fragment(id);
    return fragment ? fragment::to_text(*fragment, symbols)
                    : fmt::format("feature {}", columns.flat_feature(id));
}

double weight_of(const sparse::SparseFit& fit, sparse::ColumnId id) {
    const auto found = std::ranges::lower_bound(fit.weights, id, {}, &sparse::ColumnWeight::column);
    return found != fit.weights.end() && found->column == id ? found->weight : 0;
}

}  // namespace

std::string path_json(const sparse::Path& path, const PathDescription& description,
                      const sparse::ColumnPool& columns, const tree::SymbolTable& symbols) {
    using nlohmann::ordered_json;
    ordered_json steps = ordered_json::array();
    for (const sparse::PathStep& step : path.steps) {
        double bound = 0;
        for (const sparse::SparseFit& fit : step.fits) {
            bound += fit.dual;
        }
        steps.push_back({{"c", step.c},
                         {"features", step.features},
                         {"objective", step.primal()},
                         {"bound", bound},
                         {"gap", step.gap()},
                         {"gap_reached", step.reached()},
                         {"quality", step.quality ? ordered_json(*step.quality) : ordered_json(nullptr)}});
    }
    ordered_json validation = ordered_json::array();
    for (std::size_t k = 0; k < path.validation.size(); ++k) {
        validation.push_back({{"c", path.costs[k]}, {"quality", path.validation[k]}});
    }
    struct Strong {
        std::size_t question;
        sparse::ColumnWeight item;
        std::string text;
    };
    std::vector<Strong> strong;
    const auto& fits = path.steps[path.chosen].fits;
    for (std::size_t question = 0; question < fits.size(); ++question) {
        for (const sparse::ColumnWeight& item : fits[question].weights) {
            strong.push_back({question, item, name_of(item.column, columns, symbols)});
        }
    }
    std::ranges::sort(strong, [](const Strong& a, const Strong& b) {
        return std::tuple(-std::abs(a.item.weight), a.question, std::string_view(a.text)) <
               std::tuple(-std::abs(b.item.weight), b.question, std::string_view(b.text));
    });
    strong.resize(std::min(strong.size(), kStrongest));
    ordered_json features = ordered_json::array();
    for (const Strong& one : strong) {
        ordered_json weights = ordered_json::array();
        for (const sparse::PathStep& step : path.steps) {
            weights.push_back(weight_of(step.fits[one.question], one.item.column));
        }
        features.push_back(
            {{"class", description.positives[one.question]}, {"text", one.text}, {"weights", weights}});
    }
    const ordered_json all = {{"kernel", description.kernel},   {"loss", description.loss},
                              {"measure", path.measure},        {"how", path.how},
                              {"chosen", path.chosen},          {"steps", steps},
                              {"cross_validation", validation}, {"features", features}};
    return all.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

std::string path_page(const std::string& json) {
    std::string data = json;  // inside a script no text may look like its end
    for (std::size_t at = data.find('<'); at != std::string::npos; at = data.find('<', at + 1)) {
        data.replace(at, 1, "\\u003c");
    }
    return classify::fill_page(classify::path_html(),
                               "const path = " + data + ";\n" + std::string(classify::path_js()));
}

}  // namespace treeline::fpl
