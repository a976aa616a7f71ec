#include "esc/scorer.hpp"

#include "base/text.hpp"

namespace treeline::esc {

void Scorer::score(std::uint64_t id, std::string_view gold, const linear::SparseRow& row,
                   std::string_view tree, Scored& out) {
    model_->decision_values(row, decisions_);
    const std::size_t predicted = model_->decide(decisions_);
    out.outcomes.push_back({std::string(gold), static_cast<std::uint32_t>(predicted)});
    if (options_->explain > 0) {
        classify::Explanation explanation =
            classify::explain(*model_, row, predicted, decisions_, options_->explain);
        explanation.id = id;
        explanation.gold = gold;
        explanation.tree = tree;
        switch (options_->explanation) {
            case ExplanationFormat::kText: out.text += to_text(explanation, name_); break;
            case ExplanationFormat::kJson: out.text += to_json_line(explanation, name_); break;
            case ExplanationFormat::kHtml: out.text += to_html(explanation, name_); break;
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
