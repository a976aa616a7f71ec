#include "sparse/held_out.hpp"

#include <algorithm>

#include "evaluate/measure.hpp"

namespace treeline::sparse {

std::vector<double> HeldOut::decisions(const SparseFit& fit, const ColumnPool& learned) {
    std::vector<ColumnId> ids;
    std::vector<double> weights;
    for (const ColumnWeight& item : fit.weights) {
        if (const auto fragment = learned.fragment(item.column)) {
            ids.push_back(pool_.intern(*fragment));
            weights.push_back(item.weight);
            continue;
        }
        const std::uint32_t feature = learned.flat_feature(item.column);
        const auto found = std::ranges::find(rows_->flat(), feature, &FeatureRows::FlatColumn::feature);
        if (found != rows_->flat().end()) {
            ids.push_back(pool_.intern_flat(static_cast<std::uint32_t>(found - rows_->flat().begin())));
            weights.push_back(item.weight);
        }
    }
    pool_.make(ids);
    std::vector<double> values(rows_->size(), fit.bias);
    for (std::size_t k = 0; k < ids.size(); ++k) {
        const linear::SparseColumn& column = *pool_.column(ids[k]);
        for (std::size_t e = 0; e < column.rows.size(); ++e) {
            values[column.rows[e]] += weights[k] * column.values[e];
        }
    }
    return values;
}

void HeldOut::judge(std::span<const SparseFit> fits, const ColumnPool& learned, evaluate::Metrics& metrics) {
    std::vector<std::uint32_t> decided(rows_->size());
    std::vector<double> best;
    for (std::size_t question = 0; question < fits.size(); ++question) {
        const std::vector<double> values = decisions(fits[question], learned);
        for (std::size_t row = 0; row < values.size(); ++row) {
            if (fits.size() == 1) {
                decided[row] = values[row] > 0 ? classes_->positives[0] : classes_->negative;
            } else if (question == 0 || values[row] > best[row]) {
                decided[row] = classes_->positives[question];
            }
        }
        if (question == 0) {
            best = values;
        }
        std::ranges::transform(best, values, best.begin(), [](double a, double b) { return std::max(a, b); });
    }
    const std::string other = "(another class)";
    for (std::size_t row = 0; row < decided.size(); ++row) {
        const std::uint32_t gold = rows_->classes()[row];
        metrics.add(gold < classes_->names.size() ? classes_->names[gold] : other,
                    classes_->names[decided[row]], rows_->counts()[row]);
    }
}

double quality(const evaluate::Metrics& metrics) {
    return evaluate::value_of(evaluate::Measure::kAuto, metrics, "+1");
}

std::string quality_name(const QuestionClasses& classes) {
    const bool is_signed = std::ranges::all_of(
        classes.names, [](const std::string& name) { return name == "+1" || name == "-1"; });
    return is_signed ? "F1" : "accuracy";
}

}  // namespace treeline::sparse
