#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/manifest.hpp"
#include "base/output.hpp"
#include "bindings.hpp"
#include "classify/mining.hpp"
#include "classify/sparse_folder.hpp"
#include "classify/sparse_training.hpp"
#include "classify/split_training.hpp"
#include "classify/training.hpp"
#include "classify/tree_space.hpp"
#include "kernel/description.hpp"
#include "labels.hpp"
#include "machine_settings.hpp"
#include "store/dictionary.hpp"
#include "store/linear_model.hpp"
#include "work.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

struct SparseSettings {
    std::string kernel;
    std::optional<double> c;
    bool search = false;
    std::size_t folds = 5;
    std::size_t max_fragments = 0;
    std::string loss;
    double cost_factor = 1;
    double l2 = 0;
    double gap = 1e-4;
    std::uint64_t seed = 1;
    std::uint64_t memory = 0;
};

nb::dict describe(const sparse::SparseFit& fit, const std::string& positive) {
    nb::dict out;
    out["class"] = positive;
    out["objective"] = fit.primal;
    out["bound"] = fit.dual;
    out["gap"] = fit.gap();
    out["reached"] = fit.reached;
    out["features"] = fit.weights.size();
    out["rounds"] = fit.rounds;
    out["patterns"] = fit.patterns;
    return out;
}

/// What fpl writes, into `folder`; returns C and what is proven about each question.
nb::tuple learn_sparse(nb::handle trees, std::vector<std::string> labels, const Costs& costs,
                       const SparseSettings& settings, const std::string& folder, std::size_t threads,
                       nb::object progress) {
    const TreeTexts texts(trees);
    const Labels known = make_labels(std::move(labels), costs);
    classify::SparseOptions options;
    options.kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel(settings.kernel), "a sparse model");
    options.cost_factor = settings.cost_factor;
    options.path = {.search = settings.search,
                    .max_fragments = settings.max_fragments,
                    .folds = settings.folds,
                    .seed = settings.seed,
                    .last = settings.c};
    sparse::LearnerOptions learner;
    learner.c = settings.c.value_or(learner.c);
    learner.l2 = settings.l2;
    learner.loss = value_of(linear::kSparseLossNames, "loss", settings.loss);
    learner.gap = settings.gap;
    learner.memory = settings.memory;
    sparse::validate(learner);
    std::vector<sparse::SparseFit> fits;
    std::vector<std::string> positives;
    double c = learner.c;
    run({threads, std::move(progress)}, [&](Listener& listener) {
        learner.cancelled = [&] { return listener.stopped(); };
        tree::Forest forest;
        example::ExampleSet set;
        add_examples(texts, known, forest, set, listener);
        classify::SparseTraining training(forest, set, options);
        training.learn(learner, nullptr, listener);
        listener.check();
        const sparse::SparseModel model = training.model(learner.loss);
        positives = training.positives();
        fits.assign(training.fits().begin(), training.fits().end());
        if (const sparse::Path& path = training.path(); !path.steps.empty()) {
            c = path.steps[path.chosen].c;
        }
        base::Manifest manifest;
        manifest.stage = "fpl";
        manifest.version = base::program_version();
        base::AtomicFolder output(folder);
        classify::write_sparse_folder(output, {&training.rows(), fits, positives, &model, options.vectors},
                                      manifest);
        output.commit();
    });
    nb::list certificates;
    for (std::size_t k = 0; k < fits.size(); ++k) {
        certificates.append(describe(fits[k], positives[k]));
    }
    return nb::make_tuple(c, certificates);
}

/// Kernel models of splits of the examples, files that fsl would write, in `folder`; returns their number.
std::size_t train_splits(nb::handle trees, std::vector<std::string> labels, const Costs& costs,
                         const MachineSettings& settings, std::size_t splits, const std::string& folder,
                         std::size_t threads, nb::object progress) {
    const TreeTexts texts(trees);
    const Labels known = make_labels(std::move(labels), costs);
    std::size_t models = 0;
    run({threads, std::move(progress)}, [&](Listener& listener) {
        tree::Forest forest;
        example::ExampleSet set;
        add_examples(texts, known, forest, set, listener);
        models = classify::train_split_models(set, forest, settings.options(), splits, folder, listener,
                                              [&] { return listener.stopped(); });
        listener.check();
    });
    return models;
}

struct MinerSettings {
    std::size_t top = 0;
    double threshold = 0;
    std::uint32_t max_size = 0;
    std::uint64_t min_count = 1;
    std::string miner;
    bool share = false;  ///< `top` is of all models together, not of each
};

/// The dictionary that fmi would make of the models of a folder.
std::size_t mine(const std::string& models, const std::string& dictionary, const MinerSettings& settings,
                 std::size_t threads, nb::object progress) {
    fragment::MinerOptions options;
    options.kind = value_of(fragment::kMinerNames, "miner", settings.miner);
    options.top = settings.top;
    options.threshold = settings.threshold;
    options.max_size = settings.max_size;
    options.min_count = settings.min_count;
    std::size_t fragments = 0;
    run({threads, std::move(progress)}, [&](Listener& listener) {
        const std::vector<classify::ModelSource> sources = classify::list_sources({models});
        store::FragmentMerger merger;
        std::vector<classify::MiningModel> kept;
        for (const classify::MiningResult& result :
             classify::mine_sources(sources, options, false, settings.share ? &kept : nullptr, listener)) {
            (void)merger.add(result.mined);
        }
        const auto order =
            settings.share ? classify::select_globally(merger, kept, options, listener) : merger.ranked();
        base::Manifest manifest;
        manifest.stage = "fmi";
        manifest.version = base::program_version();
        fragments = classify::write_dictionary(merger, order, dictionary, manifest, {}, listener).fragments;
    });
    return fragments;
}

struct LinearSettings {
    std::string solver;
    double c = 1;
    double bias = 1;
    std::optional<double> epsilon;
    std::uint64_t seed = 1;
};

linear::LinearSolver linear_solver(const std::string& word) {
    std::string words;
    for (const linear::LinearSolverName& name : linear::linear_solver_names()) {
        if (name.option == word) {
            return name.solver;
        }
        words += (words.empty() ? "'" : ", '") + std::string(name.option) + "'";
    }
    throw base::UsageError("solver='" + word + "'; expected one of " + words);
}

/// The linear model that tfx and esl would make of the trees over a dictionary.
void train_linear(nb::handle trees, std::vector<std::string> labels, const Costs& costs,
                  const std::string& dictionary, const std::string& norm, const LinearSettings& settings,
                  const std::string& model, std::size_t threads, nb::object progress) {
    const TreeTexts texts(trees);
    const Labels known = make_labels(std::move(labels), costs);
    fragment::VectorizerOptions vectorizer;
    vectorizer.norm = value_of(fragment::kVectorNormNames, "norm", norm);
    linear::LinearOptions options;
    options.solver = linear_solver(settings.solver);
    options.c = settings.c;
    options.bias = settings.bias;
    options.epsilon = settings.epsilon;
    options.seed = settings.seed;
    linear::validate(options);
    run({threads, std::move(progress)}, [&](Listener& listener) {
        tree::Forest forest;
        example::ExampleSet set;
        add_examples(texts, known, forest, set, listener);
        const classify::TreeSpace space(store::Dictionary(dictionary), vectorizer, listener);
        const classify::ExplicitRows rows = space.vectorize(set, forest);
        listener.check();
        store::write_linear_model(model, classify::train_linear_model(space, rows, options, listener));
    });
}

/// A structure of settings whose fields are attributes.
template <typename T, typename... Fields>
void bind_settings(nb::module_& module, const char* name, Fields... fields) {
    auto bound = nb::class_<T>(module, name).def(nb::init<>());
    const auto bind = [&](const char* field, auto member) { bound.def_rw(field, member); };
    (std::apply(bind, fields), ...);
}

}  // namespace

svm::MachineOptions MachineSettings::options() const {
    const auto require = [](bool holds, const char* problem) {
        if (!holds) {
            throw base::UsageError(problem);
        }
    };
    svm::MachineOptions out;
    out.kernel = to_string(kernel::parse_kernel(kernel));
    out.cost_factor = cost_factor;
    out.trainer.solver = value_of(svm::kSolverNames, "solver", solver);
    out.trainer.c = c;
    out.trainer.epsilon = epsilon;
    out.trainer.memory = memory;
    out.trainer.seed = seed;
    out.trainer.bias = bias;
    out.trainer.sample = sample;
    out.trainer.constant = constant;
    require(c > 0 && std::isfinite(c), "C must be above 0");
    require(cost_factor > 0 && std::isfinite(cost_factor), "cost_factor must be above 0");
    require(epsilon > 0 && std::isfinite(epsilon), "epsilon must be above 0");
    return out;
}

void bind_learning(nb::module_& module) {
    using nb::arg;
    bind_settings<SparseSettings>(
        module, "SparseSettings", std::pair("kernel", &SparseSettings::kernel),
        std::pair("c", &SparseSettings::c), std::pair("search", &SparseSettings::search),
        std::pair("folds", &SparseSettings::folds),
        std::pair("max_fragments", &SparseSettings::max_fragments), std::pair("loss", &SparseSettings::loss),
        std::pair("cost_factor", &SparseSettings::cost_factor), std::pair("l2", &SparseSettings::l2),
        std::pair("gap", &SparseSettings::gap), std::pair("seed", &SparseSettings::seed),
        std::pair("memory", &SparseSettings::memory));
    bind_settings<MachineSettings>(
        module, "MachineSettings", std::pair("kernel", &MachineSettings::kernel),
        std::pair("c", &MachineSettings::c), std::pair("cost_factor", &MachineSettings::cost_factor),
        std::pair("solver", &MachineSettings::solver), std::pair("epsilon", &MachineSettings::epsilon),
        std::pair("sample", &MachineSettings::sample), std::pair("constant", &MachineSettings::constant),
        std::pair("bias", &MachineSettings::bias), std::pair("seed", &MachineSettings::seed),
        std::pair("memory", &MachineSettings::memory));
    bind_settings<MinerSettings>(
        module, "MinerSettings", std::pair("top", &MinerSettings::top),
        std::pair("threshold", &MinerSettings::threshold), std::pair("max_size", &MinerSettings::max_size),
        std::pair("min_count", &MinerSettings::min_count), std::pair("miner", &MinerSettings::miner),
        std::pair("share", &MinerSettings::share));
    bind_settings<LinearSettings>(
        module, "LinearSettings", std::pair("solver", &LinearSettings::solver),
        std::pair("c", &LinearSettings::c), std::pair("bias", &LinearSettings::bias),
        std::pair("epsilon", &LinearSettings::epsilon), std::pair("seed", &LinearSettings::seed));
    module.def("learn_sparse", &learn_sparse, arg("trees"), arg("labels"), arg("costs").none(),
               arg("settings"), arg("folder"), arg("threads"), arg("progress").none());
    module.def("train_splits", &train_splits, arg("trees"), arg("labels"), arg("costs").none(),
               arg("settings"), arg("splits"), arg("folder"), arg("threads"), arg("progress").none());
    module.def("mine", &mine, arg("models"), arg("dictionary"), arg("settings"), arg("threads"),
               arg("progress").none());
    module.def("train_linear", &train_linear, arg("trees"), arg("labels"), arg("costs").none(),
               arg("dictionary"), arg("norm"), arg("settings"), arg("model"), arg("threads"),
               arg("progress").none());
}

}  // namespace treeline::python
