#include "ksc/ksc.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <map>
#include <memory>
#include <numeric>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "common/manifest.hpp"
#include "common/reading.hpp"
#include "evaluate/metrics.hpp"
#include "example/class_set.hpp"
#include "kernel/kernel_space.hpp"
#include "store/kernel_model.hpp"
#include "store/model_list.hpp"

namespace treeline::ksc {

namespace {

/// Examples that are classified together.
constexpr std::size_t kBlock = 8192;

/// Machines of one class: its decision value is the mean of theirs (several, where the data were split).
struct ClassMachines {
    std::string positive;
    std::string negative;
    std::vector<store::KernelModel> models;
};

class Classification {
  public:
    Classification(const Options& options, base::ProgressObserver& progress)
        : options_(options), progress_(progress) {}

    stage::Summary run() {
        const auto listed = store::list_models(options_.model);
        const bool skips = options_.common.on_error == stage::OnError::kSkip;
        stage::Values values{{"label-until", options_.label_until},
                             {"limit", stage::value_of(options_.limit)},
                             {"on-error", skips ? "skip" : "fail"}};
        const auto planned = stage::plan_manifest("ksc", std::move(values), {options_.model, options_.input});
        if (is_made(planned)) {
            return {};
        }
        for (const std::string& output : {options_.output, options_.metrics}) {
            if (!output.empty() && output != "-") {
                base::require_writable(output, options_.common.force);
            }
        }
        read_models(listed);
        const auto read = read_input();
        require_memory();
        evaluate();
        const bool labelled = write_predictions();
        if (labelled) {
            report_metrics();
        } else if (!options_.metrics.empty()) {
            throw base::UsageError("the examples have no labels; there is nothing to measure with --metrics");
        }
        if (!options_.output.empty()) {
            stage::record_output(options_.output, planned, {{"examples", stage::value_of(targets_.size())}});
        }
        return {.in = read.examples, .out = targets_.size(), .skipped = read.skipped};
    }

  private:
    /// Predictions, and metrics where they are asked for, that are there and were made as planned.
    [[nodiscard]] bool is_made(const base::Manifest& planned) {
        namespace fs = std::filesystem;
        const bool complete = fs::is_regular_file(options_.output) &&
                              (options_.metrics.empty() || fs::exists(options_.metrics));
        return complete && !stage::needs_work(options_.output, planned, options_.common.force, progress_);
    }

    void read_models(const std::vector<store::ListedModel>& models) {
        for (const auto& listed : models) {
            progress_.start("reading " + listed.name, 0);
            auto model = store::read_kernel_model(listed.name, forest_, set_);
            progress_.finish();
            auto found = std::ranges::find(classes_, listed.positive, &ClassMachines::positive);
            if (found == classes_.end()) {
                classes_.push_back({listed.positive, listed.negative, {}});
                found = classes_.end() - 1;
            }
            found->models.push_back(std::move(model));
        }
        if (classes_.size() == 1 && classes_[0].negative.empty()) {
            classes_[0].negative = example::rest_of(classes_[0].positive);
            one_against_rest_ = true;
        }
        if (classes_.size() > 1) {
            std::string names;
            for (const auto& machines : classes_) {
                names += " " + machines.positive;
            }
            progress_.note("decision values are of the classes" + names);
        }
    }

    example::ReadReport read_input() {
        const std::size_t first = set_.size();
        const auto report =
            stage::read_examples(options_.input, options_.limit, options_.common, forest_, set_, progress_);
        targets_.resize(set_.size() - first);
        std::iota(targets_.begin(), targets_.end(), static_cast<std::uint32_t>(first));
        return report;
    }

    /// What classification needs besides the examples: values, and the blocks under work.
    void require_memory() const {
        const std::uint64_t needed = base::peak_memory() +
                                     targets_.size() * (classes_.size() + 1) * sizeof(double) +
                                     base::current_threads() * kBlock * 4096;
        if (options_.common.memory < needed) {
            throw base::UsageError(fmt::format(
                "--memory {} is too little for these {} examples; give at least {}",
                base::format_size(options_.common.memory), targets_.size(), base::format_size(needed)));
        }
    }

    void evaluate() {
        values_.assign(classes_.size(), std::vector<double>(targets_.size()));
        // Machines of one kernel share the preparation of the examples.
        std::map<std::string, std::vector<std::pair<std::size_t, const store::KernelModel*>>> by_kernel;
        for (std::size_t c = 0; c < classes_.size(); ++c) {
            for (const auto& model : classes_[c].models) {
                by_kernel[to_string(model.kernel)].emplace_back(c, &model);
            }
        }
        progress_.start("classifying", targets_.size() * by_kernel.size());
        std::atomic<std::uint64_t> done = 0;
        for (const auto& [text, machines] : by_kernel) {
            kernel::KernelSpace space(machines[0].second->kernel, forest_, set_);
            std::vector<std::uint32_t> all(set_.size());
            std::iota(all.begin(), all.end(), 0U);
            space.prepare(all);
            base::parallel_pieces(targets_.size(), kBlock, [&](std::size_t begin, std::size_t end) {
                const auto block = space.make_block(std::span(targets_).subspan(begin, end - begin));
                std::vector<double> sums(end - begin);
                for (const auto& [c, model] : machines) {
                    std::vector<kernel::WeightedExample> support;
                    for (const auto& vector : model->support) {
                        support.push_back({vector.example, vector.coefficient});
                    }
                    std::ranges::fill(sums, 0.0);
                    block->add_at_targets(support, sums);
                    const double share = 1 / static_cast<double>(classes_[c].models.size());
                    for (std::size_t k = begin; k < end; ++k) {
                        values_[c][k] += share * (sums[k - begin] - model->threshold);
                    }
                }
                progress_.update(done += end - begin);
            });
        }
        progress_.finish();
    }

    [[nodiscard]] const std::string& predicted(std::size_t k) const {
        if (classes_.size() == 1) {
            return values_[0][k] > 0 ? classes_[0].positive : classes_[0].negative;
        }
        std::size_t best = 0;
        for (std::size_t c = 1; c < classes_.size(); ++c) {
            best = values_[c][k] > values_[best][k] ? c : best;
        }
        return classes_[best].positive;
    }

    [[nodiscard]] std::string gold(std::size_t k) const {
        const auto label = example::cut_label(set_.label_text(targets_[k]), options_.label_until);
        if (one_against_rest_) {
            return example::same_class(label, classes_[0].positive) ? classes_[0].positive
                                                                    : classes_[0].negative;
        }
        return std::string(label);
    }

    /// True if the examples have labels, which are then counted.
    bool write_predictions() {
        bool labelled = !targets_.empty();
        std::unique_ptr<base::AtomicFile> file;
        if (!options_.output.empty()) {
            file = std::make_unique<base::AtomicFile>(options_.output);
        }
        std::string text;
        for (std::size_t k = 0; k < targets_.size(); ++k) {
            text += predicted(k);
            for (const auto& values : values_) {
                text.append("\t").append(base::format_double(values[k]));
            }
            text += '\n';
            labelled = labelled && !set_.label_text(targets_[k]).empty();
            metrics_.add(gold(k), predicted(k));
            if (file && text.size() > (std::size_t{1} << 20U)) {
                file->write(text);
                text.clear();
            }
        }
        if (file) {
            file->write(text);
            file->commit();
        }
        return labelled;
    }

    void report_metrics() {
        std::string lines = to_text(metrics_);
        for (std::size_t begin = 0; begin < lines.size();) {
            const std::size_t end = std::min(lines.find('\n', begin), lines.size());
            progress_.note(lines.substr(begin, end - begin));
            begin = end + 1;
        }
        if (!options_.metrics.empty()) {
            base::write_whole_file(options_.metrics, to_json(metrics_));
        }
    }

    const Options& options_;
    base::ProgressObserver& progress_;
    tree::Forest forest_;
    example::ExampleSet set_;  // support vectors, then the examples
    std::vector<ClassMachines> classes_;
    bool one_against_rest_ = false;
    std::vector<std::uint32_t> targets_;
    std::vector<std::vector<double>> values_;  // by class
    evaluate::Metrics metrics_;
};

}  // namespace

void validate(const Options& options) {
    if (options.model == "-" && options.input == "-") {
        throw base::UsageError("--model and --input cannot both be stdin");
    }
    if (!options.output.empty() && options.output == options.metrics) {
        throw base::UsageError("--output and --metrics are the same file");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    return Classification(options, progress).run();
}

}  // namespace treeline::ksc
