#include "ksl/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <map>
#include <numeric>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/random.hpp"
#include "common/manifest.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "evaluate/metrics.hpp"
#include "example/example_set.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/kernel_sums.hpp"
#include "svm/cutting_plane.hpp"

namespace treeline::ksl {

namespace {

struct Candidate {
    kernel::KernelDescription kernel;
    double cost = 1;
    double cost_factor = 1;
};

struct Score {
    double value = 0;  ///< what decides
    double precision = 0;
    double recall = 0;
    double macro_f1 = 0;
    std::uint64_t support_vectors = 0;
};

/// Every tree kernel of `kernel` with that decay.
kernel::KernelDescription with_lambda(kernel::KernelDescription kernel, double lambda) {
    for (auto& term : kernel.terms) {
        for (auto& factor : term.factors) {
            if (auto* trees = std::get_if<kernel::TreeKernel>(&factor)) {
                trees->lambda = lambda;
            }
        }
    }
    return kernel::parse_kernel(to_string(kernel));
}

std::vector<Candidate> candidates_of(const Options& options, const SearchOptions& search) {
    const auto or_one = [](const auto& list, const auto& one) {
        return list.empty() ? std::remove_cvref_t<decltype(list)>{one} : list;
    };
    std::vector<kernel::KernelDescription> kernels;
    for (const auto& text : or_one(search.kernels, options.training.kernel)) {
        const auto kernel = kernel::parse_kernel(text);
        if (search.lambdas.empty() || !kernel.uses_trees()) {
            kernels.push_back(kernel);
        } else {
            std::ranges::transform(search.lambdas, std::back_inserter(kernels),
                                   [&](double lambda) { return with_lambda(kernel, lambda); });
        }
    }
    std::vector<Candidate> candidates;
    for (const auto& kernel : kernels) {
        for (const double cost : or_one(search.costs, options.training.trainer.c)) {
            for (const double factor : or_one(search.cost_factors, options.training.cost_factor)) {
                candidates.push_back({kernel, cost, factor});
            }
        }
    }
    return candidates;
}

/// Examples to train on and to measure on.
struct Fold {
    std::vector<std::uint32_t> training;
    std::vector<std::uint32_t> test;
};

/// Each class is dealt out evenly; the order of the examples stays.
std::vector<Fold> stratified_folds(const example::ExampleSet& set, const example::Classes& classes,
                                   std::size_t count, std::uint64_t seed) {
    std::map<std::uint32_t, std::vector<std::uint32_t>> members;
    for (std::uint32_t i = 0; i < set.size(); ++i) {
        members[classes.members()[i]].push_back(i);
    }
    std::vector<std::size_t> fold_of(set.size());
    base::Random random(seed);
    std::size_t next = 0;
    for (auto& [label, examples] : members) {
        random.shuffle(std::span(examples));
        for (const std::uint32_t example : examples) {
            fold_of[example] = next++ % count;
        }
    }
    std::vector<Fold> folds(count);
    for (std::uint32_t i = 0; i < set.size(); ++i) {
        for (std::size_t f = 0; f < count; ++f) {
            (fold_of[i] == f ? folds[f].test : folds[f].training).push_back(i);
        }
    }
    return folds;
}

class Search {
  public:
    Search(const Options& options, const SearchOptions& search, base::ProgressObserver& progress)
        : options_(options), search_(search), progress_(progress) {}

    stage::Summary run() {
        // The table is wanted even where the choice is there already; another file is not written over.
        auto planned = stage::plan_manifest("ksl --search", values(), inputs());
        (void)stage::needs_work(options_.output, planned, options_.common.force, progress_);
        stage::stop_on_signals();
        const auto candidates = candidates_of(options_, search_);
        const auto read = read_input();
        std::vector<Score> scores;
        std::size_t best = 0;
        std::cout << (is_two_class() ? "kernel\tc\tj\tprecision\trecall\tf1\tsupport_vectors\n"
                                     : "kernel\tc\tj\taccuracy\tmacro_f1\tsupport_vectors\n");
        progress_.start("candidates", candidates.size());
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            scores.push_back(measure(candidates[i]));
            std::cout << line(candidates[i], scores[i]) << '\n';
            best = scores[i].value > scores[best].value ? i : best;
            progress_.update(i + 1);
        }
        progress_.finish();
        std::cout.flush();
        write_choice(candidates[best], scores[best]);
        stage::record_output(options_.output, std::move(planned),
                             {{"candidates", stage::value_of(candidates.size())}});
        return {.in = read.examples, .out = candidates.size(), .skipped = read.skipped};
    }

  private:
    [[nodiscard]] stage::Values values() const {
        const auto listed = [](const auto& list) { return fmt::format("{}", fmt::join(list, " ")); };
        stage::Values values = stage::values_of(options_.training);
        values["limit"] = stage::value_of(options_.limit);
        values["folds"] = stage::value_of(search_.folds);
        values["search-sample"] = stage::value_of(search_.sample);
        values["search-kernel"] = listed(search_.kernels);
        values["search-lambda"] = listed(search_.lambdas);
        values["search-cost"] = listed(search_.costs);
        values["search-cost-factor"] = listed(search_.cost_factors);
        return values;
    }

    [[nodiscard]] std::vector<std::string> inputs() const {
        return search_.dev.empty() ? std::vector{options_.input} : std::vector{options_.input, search_.dev};
    }

    example::ReadReport read_input() {
        example::ExampleReaderOptions reading{.on_error = stage::on_error(options_.common),
                                              .limit = options_.limit};
        auto report = example::read_examples(options_.input, reading, forest_, set_, progress_);
        if (search_.dev.empty()) {
            std::vector<std::uint32_t> all(set_.size());
            std::iota(all.begin(), all.end(), 0U);
            const example::Classes classes(set_, all, options_.training.classes);
            folds_ = stratified_folds(set_, classes, search_.folds, options_.common.seed);
        } else {
            const auto size = static_cast<std::uint32_t>(set_.size());
            reading.limit = 0;
            const auto dev = example::read_examples(search_.dev, reading, forest_, set_, progress_);
            report.examples += dev.examples;
            report.skipped += dev.skipped;
            Fold& fold = folds_.emplace_back();
            fold.training.resize(size);
            std::iota(fold.training.begin(), fold.training.end(), 0U);
            fold.test.resize(set_.size() - size);
            std::iota(fold.test.begin(), fold.test.end(), size);
        }
        for (const Fold& fold : folds_) {
            classes_.emplace_back(set_, fold.training, options_.training.classes);
        }
        return report;
    }

    [[nodiscard]] bool is_two_class() const { return classes_[0].questions().size() == 1; }

    /// Trains on every fold, measures what all of them leave out.
    Score measure(const Candidate& candidate) {
        kernel::KernelSpace space(candidate.kernel, forest_, set_, kernel::Precision::kSingle);
        evaluate::Metrics metrics;
        Score score;
        for (std::size_t f = 0; f < folds_.size(); ++f) {
            const Fold& fold = folds_[f];
            space.prepare(fold.test);
            std::vector<std::vector<double>> values;
            for (std::size_t q = 0; q < classes_[f].questions().size(); ++q) {
                const auto machine = train(candidate, fold, classes_[f].labels(q));
                std::vector<std::uint32_t> support;
                std::vector<double> weights;
                for (std::size_t i = 0; i < fold.training.size(); ++i) {
                    if (machine.coefficients[i] != 0) {
                        support.push_back(fold.training[i]);
                        weights.push_back(machine.coefficients[i]);
                    }
                }
                space.prepare(support);
                kernel::KernelSums sums(space);
                sums.append(support);
                sums.at_examples(weights, fold.test, values.emplace_back(fold.test.size()));
                std::ranges::for_each(values.back(), [&](double& value) { value -= machine.threshold; });
                score.support_vectors += support.size();
            }
            add_predictions(classes_[f], fold, values, metrics);
        }
        score.support_vectors /= folds_.size();
        score.macro_f1 = metrics.macro_f1();
        score.value = metrics.accuracy();
        if (is_two_class()) {
            for (const auto& found : metrics.classes()) {
                if (example::same_class(found.label, classes_[0].questions()[0].positive)) {
                    score.precision = found.precision;
                    score.recall = found.recall;
                    score.value = found.f1;
                }
            }
        }
        return score;
    }

    svm::TrainedMachine train(const Candidate& candidate, const Fold& fold,
                              const std::vector<double>& labels) {
        const auto& trainer = options_.training.trainer;
        svm::CuttingPlaneOptions cutting;
        cutting.c = candidate.cost;
        cutting.sample = search_.sample;
        cutting.epsilon = trainer.epsilon;
        cutting.constant = trainer.constant;
        cutting.seed = options_.common.seed;
        const auto costs = stage::costs_of(set_, fold.training, labels, candidate.cost_factor);
        auto result = svm::train_cutting_plane({candidate.kernel, forest_, set_, fold.training},
                                               {labels, costs}, cutting, stage::stop_requested);
        if (stage::stop_requested()) {
            throw base::Error("interrupted; no choice was made");
        }
        return std::move(result.machine);
    }

    void add_predictions(const example::Classes& classes, const Fold& fold,
                         const std::vector<std::vector<double>>& values, evaluate::Metrics& metrics) const {
        const auto& questions = classes.questions();
        const std::string other =
            questions[0].negative.empty() ? example::rest_of(questions[0].positive) : questions[0].negative;
        for (std::size_t k = 0; k < fold.test.size(); ++k) {
            const auto gold =
                example::cut_label(set_.label_text(fold.test[k]), options_.training.classes.label_until);
            if (questions.size() == 1) {
                const bool is_positive = example::same_class(gold, questions[0].positive);
                metrics.add(is_positive ? questions[0].positive : other,
                            values[0][k] > 0 ? questions[0].positive : other);
                continue;
            }
            std::size_t best = 0;
            for (std::size_t q = 1; q < questions.size(); ++q) {
                best = values[q][k] > values[best][k] ? q : best;
            }
            metrics.add(gold, questions[best].positive);
        }
    }

    [[nodiscard]] std::string line(const Candidate& candidate, const Score& score) const {
        const std::string head =
            fmt::format("{}\t{}\t{}", to_string(candidate.kernel), candidate.cost, candidate.cost_factor);
        return is_two_class() ? fmt::format("{}\t{:.2f}\t{:.2f}\t{:.2f}\t{}", head, score.precision,
                                            score.recall, score.value, score.support_vectors)
                              : fmt::format("{}\t{:.2f}\t{:.2f}\t{}", head, score.value, score.macro_f1,
                                            score.support_vectors);
    }

    void write_choice(const Candidate& candidate, const Score& score) {
        std::string text = fmt::format(
            "# The choice of ksl --search: {} {:.2f}\nkernel = \"{}\"\ncost = {}\ncost-factor = {}\n",
            is_two_class() ? "F1" : "accuracy", score.value, to_string(candidate.kernel), candidate.cost,
            candidate.cost_factor);
        const auto add = [&](const char* name, const std::string& value) {
            text += value.empty() ? "" : fmt::format("{} = \"{}\"\n", name, value);
        };
        add("label-until", options_.training.classes.label_until);
        add("positive", options_.training.classes.positive);
        base::AtomicFile file(options_.output);
        file.write(text);
        file.commit();
        progress_.note(
            fmt::format("chosen: {}, c {}, j {} ({} {:.2f}); '{}' is for ksl --config and fsl --config",
                        to_string(candidate.kernel), candidate.cost, candidate.cost_factor,
                        is_two_class() ? "F1" : "accuracy", score.value, options_.output));
    }

    const Options& options_;
    const SearchOptions& search_;
    base::ProgressObserver& progress_;
    tree::Forest forest_;
    example::ExampleSet set_;
    std::vector<Fold> folds_;
    std::vector<example::Classes> classes_;  // of each fold's training examples
};

}  // namespace

void validate(const Options& options, const SearchOptions& search) {
    const auto above_zero = [](double value) { return value > 0; };
    if (search.folds < 2 && search.dev.empty()) {
        throw base::UsageError("--folds must be at least 2");
    }
    if (!std::ranges::all_of(search.costs, above_zero) ||
        !std::ranges::all_of(search.cost_factors, above_zero)) {
        throw base::UsageError("--search-cost and --search-cost-factor must be above 0");
    }
    if (options.output == "-") {
        throw base::UsageError("--search writes its table to stdout; give a file as --output");
    }
    (void)candidates_of(options, search);
}

stage::Summary run_search(const Options& options, const SearchOptions& search,
                          base::ProgressObserver& progress) {
    validate(options, search);
    return Search(options, search, progress).run();
}

}  // namespace treeline::ksl
