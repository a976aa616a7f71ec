#include "esc/scorer.hpp"

namespace treeline::esc {

void Scorer::score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row, Scored& out) {
    model_->decision_values(row, decisions_);
    const std::size_t predicted = model_->decide(decisions_);
    add_outcome(gold, predicted, out);
    if (options_->explain > 0) {
        add_explanation(id, gold,
                        classify::explain(*model_, row, predicted, decisions_, options_->explain, *features_),
                        out);
    } else {
        add_prediction(id, gold, predicted, decisions_, out);
    }
}

void Scorer::score(std::uint64_t id, std::string_view gold, const example::Example& example, Scored& out) {
    const std::size_t predicted = worker_->classify(example);
    add_outcome(gold, predicted, out);
    if (options_->explain > 0) {
        add_explanation(id, gold, worker_->explain(example, options_->explain), out);
    } else {
        add_prediction(id, gold, predicted, worker_->decisions(), out);
    }
}

void Scorer::add_explanation(std::uint64_t id, std::string_view gold, classify::Explanation explanation,
                             Scored& out) const {
    explanation.id = id;
    explanation.gold = gold;
    switch (options_->format) {
        case Format::kJson: out.text += to_json_line(explanation); break;
        case Format::kHtml: out.text += to_html(explanation); break;
        default: out.text += to_text(explanation); break;
    }
}

void Scorer::add_outcome(std::string_view gold, std::size_t predicted, Scored& out) const {
    if (out.outcomes.empty()) {
        out.predictions = store::PredictionBatch(prediction_format(options_->format));
    }
    out.outcomes.push_back({std::string(gold), static_cast<std::uint32_t>(predicted)});
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
