#include "ksl/search.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <numeric>

#include "base/error.hpp"
#include "base/output.hpp"
#include "common/learning.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "common/stop.hpp"
#include "example/example_set.hpp"
#include "svm/parameter_search.hpp"

namespace treeline::ksl {

namespace {

using svm::Candidate;
using svm::CandidateScore;

class Search {
  public:
    Search(const Options& options, const SearchOptions& search, base::ProgressObserver& progress)
        : options_(options), search_(search), progress_(progress) {}

    stage::Summary run() {
        // The table is wanted even where the choice is there already.
        stage::Outputs outputs(stage::plan_work("ksl --search", values(), options_.common, inputs()),
                               {{options_.output, {}}, {"-", "table"}}, options_.common, progress_);
        (void)outputs.begin();
        stage::stop_on_signals();
        const auto candidates = svm::make_candidates(grid(), options_.training);
        std::vector<evaluate::Fold> folds;
        const auto read = read_input(folds);
        svm::MachineOptions machines = options_.training;
        machines.trainer.seed = options_.common.seed;
        const auto search = stage::naming_input(options_.input, [&] {
            return svm::ParameterSearch(forest_, set_, std::move(folds), machines, search_.sample,
                                        search_.measure);
        });
        two_class_ = search.is_two_class();
        if (!two_class_ && search_.measure == evaluate::Measure::kF1) {
            throw base::UsageError(
                "--measure f1 is for one of two classes, and there are more; give --measure "
                "macro-f1, the mean over all of them, or name a class with --positive");
        }
        std::vector<CandidateScore> scores;
        std::size_t best = 0;
        std::cout << (two_class_
                          ? "kernel\tc\tj\tprecision\trecall\tf1\taccuracy\tmacro_f1\tsupport_vectors\n"
                          : "kernel\tc\tj\taccuracy\tmacro_f1\tsupport_vectors\n");
        progress_.start("candidates", candidates.size());
        for (std::size_t i = 0; i < candidates.size(); ++i) {
            scores.push_back(search.measure(candidates[i], stage::stop_requested));
            std::cout << line(candidates[i], scores[i]) << '\n';
            best = scores[i].value > scores[best].value ? i : best;
            progress_.update(i + 1);
        }
        progress_.finish();
        std::cout.flush();
        write_choice(candidates[best], scores[best]);
        outputs.record({{"candidates", stage::value_of(candidates.size())}});
        return {.in = read.records(), .out = candidates.size(), .skipped = read.bad.skipped()};
    }

  private:
    [[nodiscard]] svm::ParameterGrid grid() const {
        return search_.grid.empty() ? svm::usual_grid() : search_.grid;
    }

    [[nodiscard]] stage::Values values() const {
        const svm::ParameterGrid tried = grid();
        const auto listed = [](const auto& list) { return fmt::format("{}", fmt::join(list, " ")); };
        stage::Values values = stage::values_of(options_.training);
        values["limit"] = stage::value_of(options_.limit);
        values["folds"] = stage::value_of(search_.folds);
        values["search-sample"] = stage::value_of(search_.sample);
        values["measure"] = stage::value_of(evaluate::kMeasureNames, search_.measure);
        values["search-kernel"] = listed(tried.kernels);
        values["search-lambda"] = listed(tried.lambdas);
        values["search-cost"] = listed(tried.costs);
        values["search-cost-factor"] = listed(tried.cost_factors);
        return values;
    }

    [[nodiscard]] std::vector<std::string> inputs() const {
        return search_.dev.empty() ? std::vector{options_.input} : std::vector{options_.input, search_.dev};
    }

    example::ReadReport read_input(std::vector<evaluate::Fold>& folds) {
        const auto read = [&](const std::string& path, std::uint64_t limit) {
            return stage::read_examples(path, limit, stage::Labels::kNeeded, options_.common, forest_, set_,
                                        progress_);
        };
        auto report = read(options_.input, options_.limit);
        if (search_.dev.empty()) {
            folds = stage::naming_input(options_.input, [&] {
                return svm::stratified_folds(set_, options_.training.classes, search_.folds,
                                             options_.common.seed);
            });
            if (std::ranges::all_of(folds, [](const evaluate::Fold& fold) { return fold.test.empty(); })) {
                progress_.warn(
                    "every class has a single example, so that none can be judged: the first candidate is "
                    "chosen; give more examples, or some to judge by as --dev");
            }
        } else {
            const auto size = static_cast<std::uint32_t>(set_.size());
            const auto dev = read(search_.dev, 0);
            if (dev.examples == 0) {
                throw base::InputError({search_.dev}, "no examples; expected some to judge by");
            }
            report.examples += dev.examples;
            report.bad.append(dev.bad);
            evaluate::Fold& fold = folds.emplace_back();
            fold.training.resize(size);
            std::iota(fold.training.begin(), fold.training.end(), 0U);
            fold.test.resize(set_.size() - size);
            std::iota(fold.test.begin(), fold.test.end(), size);
        }
        return report;
    }

    [[nodiscard]] std::string line(const Candidate& candidate, const CandidateScore& score) const {
        const std::string head =
            fmt::format("{}\t{}\t{}", to_string(candidate.kernel), candidate.cost, candidate.cost_factor);
        const std::string of_positive =
            two_class_ ? fmt::format("\t{:.2f}\t{:.2f}\t{:.2f}", score.precision, score.recall, score.f1)
                       : "";
        return fmt::format("{}{}\t{:.2f}\t{:.2f}\t{}", head, of_positive, score.accuracy, score.macro_f1,
                           score.support_vectors);
    }

    void write_choice(const Candidate& candidate, const CandidateScore& score) {
        std::string text = fmt::format(
            "# The choice of ksl --search: {} {:.2f}\nkernel = \"{}\"\ncost = {}\ncost-factor = {}\n",
            base::name_of(evaluate::kMeasureNames, score.measure), score.value, to_string(candidate.kernel),
            candidate.cost, candidate.cost_factor);
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
                        base::name_of(evaluate::kMeasureNames, score.measure), score.value, options_.output));
    }

    const Options& options_;
    const SearchOptions& search_;
    base::ProgressObserver& progress_;
    tree::Forest forest_;
    example::ExampleSet set_;
    bool two_class_ = false;
};

}  // namespace

void validate(const Options& options, const SearchOptions& search) {
    const auto above_zero = [](double value) { return value > 0; };
    if (search.folds < 2 && search.dev.empty()) {
        throw base::UsageError("--folds must be at least 2");
    }
    if (!std::ranges::all_of(search.grid.costs, above_zero) ||
        !std::ranges::all_of(search.grid.cost_factors, above_zero)) {
        throw base::UsageError("--search-cost and --search-cost-factor must be above 0");
    }
    if (options.output == "-") {
        throw base::UsageError("--search writes its table to stdout; give a file as --output");
    }
    (void)svm::make_candidates(search.grid, options.training);
}

stage::Summary run_search(const Options& options, const SearchOptions& search,
                          base::ProgressObserver& progress) {
    validate(options, search);
    return Search(options, search, progress).run();
}

}  // namespace treeline::ksl
