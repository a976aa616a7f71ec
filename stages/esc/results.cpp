#include "esc/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <iostream>

#include "classify/explanation_page.hpp"

namespace treeline::esc {

namespace {

constexpr std::size_t kSpare = 1024;  // explanations kept beyond those wanted before the others are dropped

std::string title_of(const Options& options) {
    const std::string& input = options.trees.empty() ? options.input : options.trees;
    return input == "-" ? "Explanations"
                        : "Explanations of " + std::filesystem::path(input).filename().string();
}

}  // namespace

Results::Results(const Options& options, const linear::LinearModel& model)
    : options_(&options), model_(&model) {
    if (options.explain == 0) {
        predictions_.emplace(
            options.output, prediction_format(options.format),
            store::PredictionColumns{
                .classes = model.labels, .values = model.columns(), .probabilities = options.probabilities});
        return;
    }
    if (is_folder(options.format)) {
        folder_.emplace(options.output);
        if (options.format == Format::kSite) {
            site_.emplace(folder_->temporary_path(), title_of(options));
        }
    } else if (options.output != "-") {
        file_.emplace(options.output);
    }
    if (options.format == Format::kHtml) {
        write(classify::html_head(title_of(options)));
    }
}

void Results::write(std::string_view text) {
    if (file_) {
        file_->write(text);
    } else {
        std::cout << text << std::flush;
    }
}

void Results::write(const Explained& one) {
    if (options_->selection.count > 0 && written_ == options_->selection.count) {
        return;
    }
    ++written_;
    if (site_) {
        site_->add(one.entry);
    } else if (folder_) {
        base::write_whole_file(
            (std::filesystem::path(folder_->temporary_path()) / fmt::format("{}.svg", one.id)).string(),
            one.text);
    } else {
        write(one.text);
    }
}

void Results::keep_first() {
    std::ranges::stable_sort(kept_, {}, &Explained::lead);
    if (options_->selection.count > 0 && kept_.size() > options_->selection.count) {
        kept_.resize(options_->selection.count);
    }
}

void Results::add(Scored&& scored) {
    if (predictions_) {
        predictions_->write(scored.predictions);
    }
    for (Explained& one : scored.explained) {
        if (options_->selection.order == Order::kInput) {
            write(one);
        } else {
            kept_.push_back(std::move(one));
        }
    }
    if (options_->selection.count > 0 && kept_.size() > 2 * options_->selection.count + kSpare) {
        keep_first();
    }
    classify::add_causes(causes_, scored.causes);
    for (const Scored::Outcome& outcome : scored.outcomes) {
        ++count_;
        if (!outcome.gold.empty()) {
            metrics_.add(outcome.gold, model_->labels[outcome.predicted]);
        }
    }
}

void Results::commit(stage::Outputs& outputs, const stage::Values& counts,
                     const classify::FeatureCatalog& features) {
    keep_first();
    for (const Explained& one : kept_) {
        write(one);
    }
    if (site_) {
        site_->finish(metrics_, causes_, features);
        base::write_whole_file((std::filesystem::path(folder_->temporary_path()) / "metrics.json").string(),
                               evaluate::to_json(metrics_));
    }
    if (folder_) {
        outputs.commit(*folder_, counts);
        return;
    }
    if (options_->explain > 0 && options_->format == Format::kHtml) {
        write(classify::html_foot());
    }
    if (predictions_) {
        predictions_->commit();
    } else if (file_) {
        file_->commit();
    }
    if (!options_->metrics.empty()) {
        base::write_whole_file(options_->metrics, evaluate::to_json(metrics_));
    }
    outputs.record(counts);
}

}  // namespace treeline::esc
