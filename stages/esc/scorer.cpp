#include "esc/scorer.hpp"

#include "base/text.hpp"

namespace treeline::esc {

void Scorer::score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row,
                   const example::Example* example, Scored& out) {
    model_->decision_values(row, decisions_);
    const std::size_t predicted = model_->decide(decisions_);
    out.outcomes.push_back({std::string(gold), static_cast<std::uint32_t>(predicted)});
    if (options_->explain > 0) {
        classify::Explanation explanation =
            classify::explain(*model_, row, predicted, decisions_, options_->explain, *features_);
        explanation.id = id;
        explanation.gold = gold;
        if (example != nullptr) {
            classify::locate(explanation, *example, *dictionary_, *features_);
        }
        switch (options_->explanation) {
            case ExplanationFormat::kText: out.text += to_text(explanation); break;
            case ExplanationFormat::kJson: out.text += to_json_line(explanation); break;
            case ExplanationFormat::kHtml: out.text += to_html(explanation); break;
        }
        return;
    }
    out.text += model_->labels[predicted];
    const auto append = [&](double value) {
        out.text += '\t';
        out.text += base::format_double(value);
    };
    for (const double decision : decisions_) {
        append(decision);
    }
    if (options_->probabilities) {
        for (const double probability : model_->probabilities(decisions_)) {
            append(probability);
        }
    }
    out.text += '\n';
}

}  // namespace treeline::esc
