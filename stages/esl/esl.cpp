#include "esl/esl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <optional>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/text.hpp"
#include "classify/mined_weights.hpp"
#include "common/learning.hpp"
#include "common/outputs.hpp"
#include "linear/block_dual.hpp"
#include "linear/cost_search.hpp"
#include "linear/linear_trainer.hpp"
#include "linear/newton.hpp"
#include "store/dictionary.hpp"
#include "store/linear_model.hpp"
#include "store/linear_rows.hpp"

namespace treeline::esl {

namespace {

using linear::LinearModel;
using linear::LinearProblem;
using store::LinearRows;

/// Weights by class: those given one by one, and -j for the positive one of two.
std::map<std::string, double> class_weights(const Options& options, const example::ClassSet& classes) {
    std::map<std::string, double> weights;
    if (options.cost_factor != 1) {
        if (classes.size() != 2) {
            throw base::UsageError("--cost-factor is for the positive one of two classes, and there are " +
                                   std::to_string(classes.size()) + "; use --class-cost LABEL=FACTOR");
        }
        weights[classes.names()[classes.positive()]] = options.cost_factor;
    }
    for (const std::string& item : options.class_costs) {
        const std::size_t equals = item.rfind('=');
        const auto weight =
            equals == std::string::npos ? std::nullopt : base::parse_double(item.substr(equals + 1));
        if (!weight) {
            throw base::UsageError("--class-cost " + base::quoted(item) + "; expected LABEL=NUMBER");
        }
        const std::string label = item.substr(0, equals);
        const auto number = classes.find(label);
        if (!number) {
            throw base::UsageError("--class-cost: no example has the label " + base::quoted(label));
        }
        weights[classes.names()[*number]] = *weight;
    }
    return weights;
}

base::Plan plan(const Options& options) {
    std::vector<std::string> inputs{options.input};
    for (const std::string& input : {options.dev, options.dictionary, options.start_from}) {
        if (!input.empty()) {
            inputs.push_back(input);
        }
    }
    std::string class_costs;
    for (const std::string& item : options.class_costs) {
        class_costs += (class_costs.empty() ? "" : " ") + item;
    }
    const linear::LinearOptions& learner = options.learner;
    return stage::plan_work("esl",
                            {{"solver", std::string(linear::name_of(learner.solver).option)},
                             {"mined", options.mined},
                             {"cost", learner.c},
                             {"cost-factor", options.cost_factor},
                             {"class-cost", class_costs},
                             {"constant", options.constant},
                             {"epsilon", learner.epsilon.value_or(linear::default_epsilon(learner.solver))},
                             {"seed", stage::value_of(options.common.seed)},
                             {"search", options.search},
                             {"search-from", options.grid.from},
                             {"search-to", options.grid.to},
                             {"search-factor", options.grid.factor},
                             {"folds", stage::value_of(options.grid.folds)},
                             {"measure", stage::value_of(evaluate::kMeasureNames, options.grid.measure)}},
                            options.common, inputs);
}

/// Dual coordinate descent over the batches of the files: where memory is short, and for rows with weights,
/// which LIBLINEAR does not know. `reason` says which.
LinearModel train_block_by_block(const Options& options, const linear::LinearOptions& learner,
                                 const LinearRows& rows, const std::string& reason,
                                 base::ProgressObserver& progress) {
    if (!linear::has_block_dual(learner.solver) || options.search || !options.start_from.empty()) {
        throw base::UsageError(
            reason +
            "; l2r-l1loss-svc-dual, l2r-l2loss-svc-dual and l2r-l2loss-svc can learn then, without "
            "--search and --start-from");
    }
    progress.note(reason + ": working block by block");
    if (const std::uint64_t needed =
            linear::block_bytes(rows.rows(), rows.head().features, rows.head().labels.size());
        needed > options.common.memory) {
        throw base::UsageError(fmt::format(
            "--memory {} is too little for weights of {} features and {} examples; give at least {}",
            base::format_size(options.common.memory), rows.head().features, rows.rows(),
            base::format_size(needed)));
    }
    store::IdBlocks blocks(rows);
    linear::BlockDualReport report;
    LinearModel model = linear::train_blocks(blocks, rows.head(), learner, {}, report, progress);
    progress.detail(fmt::format("{} iterations over {} blocks, largest violation {:.4g}", report.iterations,
                                blocks.block_count(), report.violation));
    if (!report.converged) {
        progress.warn(
            fmt::format("the optimum was not reached: the largest violation is {:.4g}, --epsilon {}; a "
                        "smaller C or more --memory helps",
                        report.violation, learner.epsilon.value_or(linear::default_epsilon(learner.solver))));
    }
    return model;
}

LinearModel train_in_memory(const Options& options, linear::LinearOptions& learner, LinearRows& rows,
                            base::ProgressObserver& progress) {
    const LinearProblem problem = rows.load();
    if (options.search) {
        std::optional<LinearRows> dev_rows;
        LinearProblem dev;
        if (!options.dev.empty()) {
            dev_rows.emplace(options.dev);
            if (!dev_rows->info().same_space(rows.info())) {
                throw base::InputError({options.dev},
                                       "vectors of another dictionary or norm than those of --input");
            }
            if (dev_rows->rows() == 0) {
                throw base::InputError({options.dev}, "no examples; expected some to judge by");
            }
            dev = dev_rows->load();
        }
        learner.c = linear::search_cost(options.grid, learner, problem, dev_rows ? &dev : nullptr, progress);
        progress.note("best C: " + base::format_double(learner.c));
    }
    LinearModel start;
    if (!options.start_from.empty()) {
        store::LinearModelFile file = store::read_linear_model(options.start_from);
        if (!file.info.dictionary.empty() && !file.info.same_space(rows.info())) {
            throw base::InputError(
                {options.start_from},
                "a model over another dictionary or norm than that of the vectors of --input");
        }
        start = std::move(file.model);
        learner.start = &start;
    }
    LinearModel model = linear::train_linear(problem, learner, progress);
    learner.start = nullptr;
    return model;
}

}  // namespace

void validate(const Options& options) {
    linear::validate(options.learner);
    if (options.constant < 0) {
        throw base::UsageError("--constant must not be below 0");
    }
    if (options.mined && (options.dictionary.empty() || options.search || !options.start_from.empty())) {
        throw base::UsageError("--mined takes --dictionary, and neither --search nor --start-from");
    }
    if (!options.start_from.empty() && !linear::has_newton(options.learner.solver)) {
        throw base::UsageError("--start-from: only l2r-lr and l2r-l2loss-svc can start from a model");
    }
    if (!(options.cost_factor > 0)) {
        throw base::UsageError("--cost-factor " + base::format_double(options.cost_factor) +
                               "; expected a number above 0");
    }
    if (options.search &&
        (!(options.grid.from > 0) || options.grid.to < options.grid.from || !(options.grid.factor > 1))) {
        throw base::UsageError(
            "--search: expected 0 < --search-from <= --search-to and --search-factor above 1");
    }
    if (options.search && options.dev.empty() && options.grid.folds < 2) {
        throw base::UsageError("--folds " + std::to_string(options.grid.folds) + "; expected at least 2");
    }
    if (!options.dev.empty() && !options.search) {
        throw base::UsageError("--dev is for --search");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    stage::Outputs outputs(plan(options), {{options.output, {}}}, options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    LinearRows rows(options.input);
    stage::naming_input(options.input, [&] { example::require_two_classes(rows.classes()); });
    if (options.search && options.grid.measure == evaluate::Measure::kF1 && rows.classes().size() > 2) {
        throw base::UsageError("--measure f1 is for one of two classes, and there are " +
                               std::to_string(rows.classes().size()) +
                               "; give --measure macro-f1, the mean over all of them");
    }
    stage::warn_of_many_classes(rows.classes().size(), rows.rows(), progress);
    linear::LinearOptions learner = options.learner;
    learner.seed = options.common.seed;
    learner.weights = class_weights(options, rows.classes());
    learner.bias = options.constant == 0 ? -1 : options.constant;

    store::LinearModelFile file;
    file.info = rows.info();
    file.info.shard = 0;
    file.info.shards = 1;
    const std::uint64_t needed = linear::linear_bytes(learner.solver, rows.rows(), rows.entries(),
                                                      rows.head().features, rows.head().labels.size()) *
                                 (options.search && options.dev.empty() ? 2 : 1);
    if (options.mined) {
        const store::Dictionary dictionary(options.dictionary);
        if (dictionary.digest() != rows.info().dictionary) {
            throw base::InputError({options.input}, "vectors made with another dictionary than " +
                                                        base::quoted(options.dictionary));
        }
        file.model = classify::mined_model(dictionary, rows.load(), learner);
    } else if (needed > options.common.memory) {
        file.model = train_block_by_block(
            options, learner, rows,
            fmt::format("{} examples with {} entries need {} of memory, more than --memory", rows.rows(),
                        rows.entries(), base::format_size(needed)),
            progress);
    } else if (rows.has_weights() && !linear::has_newton(learner.solver)) {
        file.model = train_block_by_block(options, learner, rows, "examples have weights", progress);
    } else {
        file.model = train_in_memory(options, learner, rows, progress);
    }
    store::write_linear_model(options.output, file);
    const auto used = static_cast<std::int64_t>(
        file.model.weights.size() - static_cast<std::size_t>(std::ranges::count(file.model.weights, 0.0)));
    outputs.record({{"examples", stage::value_of(rows.rows())},
                    {"entries", stage::value_of(rows.entries())},
                    {"classes", stage::value_of(file.model.labels.size())},
                    {"features", stage::value_of(file.model.features)},
                    {"weights-not-zero", used},
                    {"chosen-c", learner.c}});
    return {.in = rows.rows(), .out = 1, .skipped = 0};
}

}  // namespace treeline::esl
