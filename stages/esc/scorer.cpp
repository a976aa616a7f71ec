#include "esc/scorer.hpp"

#include "base/text.hpp"

namespace treeline::esc {

void Scorer::score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row, Scored& out) {
    model_->decision_values(row, decisions_);
    const std::size_t predicted = model_->decide(decisions_);
    out.outcomes.push_back({std::string(gold), static_cast<std::uint32_t>(predicted)});
    if (options_->explain > 0) {
        add_explanation(id, gold,
                        classify::explain(*model_, row, predicted, decisions_, options_->explain, *features_),
                        out);
    } else {
        add_prediction(predicted, decisions_, out);
    }
}

void Scorer::score(std::uint64_t id, std::string_view gold, const example::Example& example, Scored& out) {
    const std::size_t predicted = worker_->classify(example);
    out.outcomes.push_back({std::string(gold), static_cast<std::uint32_t>(predicted)});
    if (options_->explain > 0) {
        add_explanation(id, gold, worker_->explain(example, options_->explain), out);
    } else {
        add_prediction(predicted, worker_->decisions(), out);
    }
}

void Scorer::add_explanation(std::uint64_t id, std::string_view gold, classify::Explanation explanation,
                             Scored& out) const {
    explanation.id = id;
    explanation.gold = gold;
    switch (options_->explanation) {
        case ExplanationFormat::kText: out.text += to_text(explanation); break;
        case ExplanationFormat::kJson: out.text += to_json_line(explanation); break;
        case ExplanationFormat::kHtml: out.text += to_html(explanation); break;
    }
}

void Scorer::add_prediction(std::size_t predicted, std::span<const double> decisions, Scored& out) const {
    out.text += model_->labels[predicted];
    const auto append = [&](double value) {
        out.text += '\t';
        out.text += base::format_double(value);
    };
    for (const double decision : decisions) {
        append(decision);
    }
    if (options_->probabilities) {
        for (const double probability : model_->probabilities(decisions)) {
            append(probability);
        }
    }
    out.text += '\n';
}

}  // namespace treeline::esc
