#include "esc/scorer.hpp"

#include <algorithm>

#include "example/class_set.hpp"
#include "example/decision.hpp"

namespace treeline::esc {

void Scorer::score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row, Scored& out) {
    model_->decision_values(row, decisions_);
    const std::size_t predicted = example::decide(decisions_);
    add(id, gold, predicted, row, decisions_, out, [&] {
        return classify::explain(*model_, row, predicted, decisions_, options_->explain, *features_, gold);
    });
}

void Scorer::score(std::uint64_t id, std::string_view gold, const example::Example& example, Scored& out) {
    const std::size_t predicted = worker_->classify(example);
    add(id, gold, predicted, worker_->row(), worker_->decisions(), out,
        [&] { return worker_->explain(example, options_->explain, gold); });
}

template <typename Explain>
void Scorer::add(std::uint64_t id, std::string_view gold, std::size_t predicted, const linear::SparseRow& row,
                 std::span<const double> decisions, Scored& out, Explain&& explain) const {
    if (out.outcomes.empty()) {
        out.predictions = store::PredictionBatch(prediction_format(options_->format));
    }
    out.outcomes.push_back({std::string(gold), static_cast<std::uint32_t>(predicted)});
    if (options_->explain == 0) {
        add_prediction(id, gold, predicted, decisions, out);
        return;
    }
    const std::string& label = model_->labels[predicted];
    const bool wrong = !gold.empty() && !example::same_class(gold, label);
    if (wrong && options_->format == Format::kSite) {
        if (const std::size_t right = classify::find_class(*model_, gold); right < model_->labels.size()) {
            classify::add_causes(out.causes, id, classify::differences(*model_, row, predicted, right));
        }
    }
    if (is_wanted(id, gold, label, wrong, classify::margin_of(*model_, decisions, predicted))) {
        classify::Explanation explanation = explain();
        explanation.id = id;
        out.explained.push_back(written(explanation));
    }
}

bool Scorer::is_wanted(std::uint64_t id, std::string_view gold, std::string_view predicted, bool wrong,
                       double margin) const {
    const Selection& wanted = options_->selection;
    return (!wanted.errors || wrong) && (wanted.gold.empty() || example::same_class(gold, wanted.gold)) &&
           (wanted.predicted.empty() || example::same_class(predicted, wanted.predicted)) &&
           (wanted.ids.empty() || std::ranges::find(wanted.ids, id) != wanted.ids.end()) &&
           (!wanted.margin || margin <= *wanted.margin);
}

Explained Scorer::written(const classify::Explanation& explanation) const {
    Explained one{.id = explanation.id,
                  .lead = explanation.wrong ? -explanation.margin : explanation.margin,
                  .text = {}};
    switch (options_->format) {
        case Format::kJson: one.text = to_json_line(explanation); break;
        case Format::kHtml: one.text = to_html(explanation); break;
        case Format::kSite: one.entry = classify::ExplanationSite::entry_of(explanation); break;
        case Format::kSvg: one.text = to_svg_file(explanation); break;
        default: one.text = to_text(explanation); break;
    }
    return one;
}

void Scorer::add_prediction(std::uint64_t id, std::string_view gold, std::size_t predicted,
                            std::span<const double> decisions, Scored& out) const {
    std::vector<double> probabilities;
    if (options_->probabilities) {
        probabilities = model_->probabilities(decisions);
    }
    out.predictions.add({id, gold, model_->labels[predicted], decisions, probabilities});
}

}  // namespace treeline::esc
