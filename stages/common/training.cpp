#include "common/training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "common/binding.hpp"
#include "common/console.hpp"
#include "store/svm_light_header.hpp"

namespace treeline::stage {

namespace {

/// What an example costs besides its row: its variables, its part of the indices of passes and of rows.
constexpr std::uint64_t kBytesPerExample = 1200;
constexpr std::uint64_t kLeastForRows = std::uint64_t{16} << 20U;

}  // namespace

void bind_training(CLI::App& app, TrainingOptions& options) {
    auto& trainer = options.trainer;
    app.set_config("--config", "", "file of options, `name = value` a line (TOML); ksl --search writes one")
        ->type_name("FILE");
    app.allow_config_extras(CLI::config_extras_mode::error);
    add_choice(app, "--solver", trainer.solver, choices_of(svm::kSolverNames),
               "smo: exact SVM in the dual; usvm, isvm: cutting planes on uniform or importance samples, "
               "without bias");
    app.add_option(
           "--kernel", options.kernel,
           "kernel on examples: st sst st-bow sst-bow (lambda=0.4), ptk uptk "
           "(lambda=0.4,mu=0.4,p=0,terminal=1,gaps=skipped), linear, poly (d=3,s=1,c=1), all with "
           "(norm=none,pairs=all); sums and products such as 0.6*sst+poly(d=3). ptk: D = mu (lambda^2 + "
           "sum over child subsequences of lambda^gaps prod D), at most p children of a node (0 = any; "
           "SVM-light-TK: 5), terminal mu lambda^2 at leaves; gaps=span: lambda^span")
        ->type_name("KERNEL");
    add_number(app, "-c,--cost", trainer.c,
               "C: cost of an error, in |w|^2/2 + sum C_i max(0, 1 - y_i f(x_i))")
        ->type_name("C");
    add_number(app, "-j,--cost-factor", options.cost_factor,
               "errors on positive examples cost so many times more: C_i = j C")
        ->type_name("J");
    add_number(app, "-e,--epsilon", trainer.epsilon,
               "tolerance; smo: max {y_i - f_i: can grow} - min {y_i - f_i: can fall} <= E; usvm, isvm: "
               "of the mean hinge loss")
        ->type_name("E");
    app.add_flag("--bias,!--no-bias", trainer.bias, "smo: f(x) = w.phi(x) - b (default), or without b");
    app.add_flag("--shrinking,!--no-shrinking", trainer.shrink,
                 "smo: leave variables aside that stay at their bounds (default), or not");
    add_count(app, "--sample", trainer.sample, "usvm, isvm: examples of a cut; 0 = all")->type_name("R");
    add_number(app, "--constant", trainer.constant,
               "usvm, isvm: value of a constant feature, in place of a bias; 0 = none")
        ->type_name("V");
    app.add_option("--label-until", options.classes.label_until,
                   "labels end before TEXT: with ':' the label NUM:date is NUM")
        ->type_name("TEXT");
    app.add_option(
           "--positive", options.classes.positive,
           "train this label against all others; without it two labels make one machine (of numbers the larger, "
           "of words the later in the alphabet is positive) and more make one per label")
        ->type_name("LABEL");
}

void validate(const TrainingOptions& options) {
    const auto require = [](bool holds, const char* problem) {
        if (!holds) {
            throw base::UsageError(problem);
        }
    };
    (void)kernel::parse_kernel(options.kernel);
    require(options.trainer.c > 0, "--cost must be above 0");
    require(options.cost_factor > 0, "--cost-factor must be above 0");
    require(options.trainer.epsilon > 0, "--epsilon must be above 0");
    require(options.trainer.constant >= 0, "--constant must not be below 0");
    require(options.trainer.solver == svm::Solver::kSmo || options.trainer.bias,
            "--no-bias belongs to --solver smo");
    require(options.trainer.solver != svm::Solver::kSmo || options.trainer.constant == 0,
            "--constant belongs to --solver usvm or isvm");
}

Values values_of(const TrainingOptions& options) {
    const auto& trainer = options.trainer;
    Values values{{"kernel", to_string(kernel::parse_kernel(options.kernel))},
                  {"cost", value_of(trainer.c)},
                  {"cost-factor", value_of(options.cost_factor)},
                  {"epsilon", value_of(trainer.epsilon)},
                  {"solver", stage::value_of(svm::kSolverNames, trainer.solver)},
                  {"seed", value_of(trainer.seed)},
                  {"label-until", options.classes.label_until},
                  {"positive", options.classes.positive}};
    if (trainer.solver == svm::Solver::kSmo) {
        values["bias"] = trainer.bias;
        values["shrinking"] = trainer.shrink;
    } else {
        values["sample"] = value_of(trainer.sample);
        values["constant"] = value_of(trainer.constant);
    }
    return values;
}

void note_other_readings(const kernel::KernelDescription& kernel, base::ProgressObserver& progress) {
    const std::string own = to_string(kernel);
    const std::string other = to_string(store::svm_light_kernel(kernel));
    if (own != other) {
        progress.warn(
            fmt::format("SVM-light-TK has no {}; it would read this model as one of {}", own, other));
    }
}

std::uint64_t memory_for_rows(std::uint64_t memory, std::size_t examples, std::uint64_t more) {
    const std::uint64_t needed = base::peak_memory() + examples * kBytesPerExample + more;
    if (memory < needed + kLeastForRows) {
        throw base::UsageError(
            fmt::format("--memory {} is too little for these {} examples; give at least {}",
                        base::format_size(memory), examples, base::format_size(needed + kLeastForRows)));
    }
    return memory - needed;
}

std::string to_string(const svm::TrainingOutcome& outcome) {
    std::string text;
    for (const auto& [name, value] : outcome.counts) {
        const bool whole =
            value >= 0 && value < 1e15 && value == static_cast<double>(static_cast<std::uint64_t>(value));
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name,
                            whole ? fmt::format("{:.0f}", value) : fmt::format("{:.6g}", value));
    }
    for (const auto& [name, value] : outcome.seconds) {
        text += fmt::format("{}{} {}", &outcome.seconds[0].first == &name ? "; " : ", ", name,
                            format_seconds(value));
    }
    return text;
}

}  // namespace treeline::stage
