#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <tbb/enumerable_thread_specific.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/parallel.hpp"
#include "bindings.hpp"
#include "classify/explanation.hpp"
#include "classify/kernel_classifier.hpp"
#include "classify/training.hpp"
#include "classify/tree_classifier.hpp"
#include "kernel/description.hpp"
#include "labels.hpp"
#include "machine_settings.hpp"
#include "store/linear_model.hpp"
#include "tree/bracket_writer.hpp"
#include "work.hpp"

namespace nb = nanobind;

// A vector of owners looks as if it could be copied.
template <>
struct nanobind::detail::is_copy_constructible<treeline::classify::KernelClassifier> : std::false_type {};

namespace treeline::python {

namespace {

using classify::Explanation;
using classify::KernelClassifier;
using classify::TreeClassifier;

constexpr std::size_t kPiece = 256;

Array<double> decide_linear(const TreeClassifier& classifier, nb::handle trees, bool probabilities,
                            std::size_t threads, nb::object progress) {
    const TreeTexts texts(trees);
    const std::size_t columns = probabilities ? classifier.labels().size() : classifier.model().columns();
    std::vector<double> values(texts.size() * columns);
    struct Worker {
        TreeParser parser;
        TreeClassifier::Worker worker;
    };
    run({threads, std::move(progress)}, [&](Listener& listener) {
        tbb::enumerable_thread_specific<Worker> workers([&] {
            return Worker{TreeParser(texts), TreeClassifier::Worker(classifier)};
        });
        std::atomic<std::uint64_t> done = 0;
        listener.start("trees", texts.size());
        base::parallel_pieces(texts.size(), kPiece, [&](std::size_t begin, std::size_t end) {
            Worker& local = workers.local();
            for (std::size_t i = begin; i < end; ++i) {
                (void)local.worker.classify(local.parser.parse(i));
                double* const out = values.data() + i * columns;
                if (probabilities) {
                    std::ranges::copy(local.worker.probabilities(), out);
                } else {
                    std::ranges::copy(local.worker.decisions(), out);
                }
            }
            listener.update(done += end - begin);
        });
        listener.finish();
    });
    return to_array<double>(std::move(values), {texts.size(), columns});
}

std::vector<Explanation> explain(const TreeClassifier& classifier, nb::handle trees, std::size_t count) {
    const TreeTexts texts(trees);
    std::vector<Explanation> out(texts.size());
    run({}, [&](Listener& listener) {
        TreeParser parser(texts);
        TreeClassifier::Worker worker(classifier);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            const example::Example& example = parser.parse(i);
            (void)worker.classify(example);
            out[i] = worker.explain(example, count);
            out[i].id = i;
            listener.check();
        }
    });
    return out;
}

nb::list contributions(const Explanation& explanation) {
    nb::list out;
    for (const classify::Contribution& one : explanation.top) {
        nb::dict item;
        item["feature"] = one.index;
        item["fragment"] = one.name;
        item["value"] = one.value;
        item["weight"] = one.weight;
        item["product"] = one.product;
        out.append(item);
    }
    return out;
}

void bind_linear(nb::module_& module) {
    using nb::arg;
    nb::class_<Explanation>(module, "Explanation")
        .def_ro("predicted", &Explanation::predicted)
        .def_ro("decision", &Explanation::decision)
        .def_ro("bias", &Explanation::bias)
        .def_ro("rest", &Explanation::rest)
        .def_ro("rest_count", &Explanation::rest_count)
        .def_ro("tree", &Explanation::tree)
        .def_prop_ro("top", &contributions)
        .def("to_text", [](const Explanation& one) { return classify::to_text(one); })
        .def("to_json", [](const Explanation& one) { return classify::to_json_line(one); })
        .def("to_html", [](const Explanation& one) { return classify::to_html(one); });
    nb::class_<TreeClassifier>(module, "TreeClassifier")
        .def_static(
            "read",
            [](const std::string& dictionary, const std::string& model) {
                return std::make_unique<TreeClassifier>(TreeClassifier::read(dictionary, model));
            },
            arg("dictionary"), arg("model"), nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("labels", [](const TreeClassifier& one) { return one.labels(); })
        .def_prop_ro("logistic", [](const TreeClassifier& one) { return one.model().is_logistic(); })
        .def_prop_ro("columns", [](const TreeClassifier& one) { return one.model().columns(); })
        .def("decide", &decide_linear, arg("trees"), arg("probabilities"), arg("threads"),
             arg("progress").none())
        .def("explain", &explain, arg("trees"), arg("count"));
    module.def(
        "read_linear_model",
        [](const std::string& path) {
            store::LinearModelFile file = store::read_linear_model(path);
            const std::size_t columns = file.model.columns();
            const std::size_t rows = file.model.weights.size() / columns;
            nb::dict out;
            out["solver"] = std::string(linear::name_of(file.model.solver).option);
            out["labels"] = file.model.labels;
            out["features"] = file.model.features;
            out["bias"] = file.model.bias;
            out["logistic"] = file.model.is_logistic();
            out["weights"] = to_array<double>(std::move(file.model.weights), {rows, columns});
            out["kernel"] = file.info.kernel;
            out["norm"] = file.info.norm;
            out["fragments"] = file.info.fragments;
            out["dictionary"] = file.info.dictionary;
            return out;
        },
        arg("path"));
}

/// A machine's numbers, exactly.
using MachineState = std::tuple<std::string, double, std::uint64_t, std::string, std::string,
                                std::vector<std::uint32_t>, std::vector<double>>;
/// Trees of the support vectors, by class its labels and machines.
using ClassifierState =
    std::pair<std::vector<std::string>,
              std::vector<std::tuple<std::string, std::string, std::vector<MachineState>>>>;

ClassifierState state_of(const KernelClassifier& classifier) {
    ClassifierState state;
    for (std::size_t i = 0; i < classifier.examples().size(); ++i) {
        std::string& text = state.first.emplace_back("()");
        const auto trees = classifier.examples().trees(i);
        if (!trees.empty() && trees[0] != example::kEmptyTree) {
            text.clear();
            tree::append_tree(text, classifier.forest().text(trees[0]));
        }
    }
    for (const classify::ClassMachines& machines : classifier.classes()) {
        auto& [positive, negative, models] = state.second.emplace_back();
        positive = machines.positive;
        negative = machines.negative;
        for (const store::KernelModel& model : machines.models) {
            std::vector<std::uint32_t> support;
            std::vector<double> coefficients;
            for (const store::SupportVector& vector : model.support) {
                support.push_back(vector.example);
                coefficients.push_back(vector.coefficient);
            }
            models.emplace_back(to_string(model.kernel), model.threshold, model.training_examples,
                                model.classes.positive, model.classes.negative, std::move(support),
                                std::move(coefficients));
        }
    }
    return state;
}

KernelClassifier from_state(const ClassifierState& state) {
    tree::Forest forest;
    example::ExampleSet set;
    const TreeTexts texts(nb::cast(state.first));
    Listener listener;
    add_examples(texts, {}, forest, set, listener);
    std::vector<classify::ClassMachines> classes;
    for (const auto& [positive, negative, models] : state.second) {
        classes.push_back({positive, negative, {}});
        for (const auto& [kernel, threshold, examples, own_positive, own_negative, support, coefficients] :
             models) {
            store::KernelModel model{.kernel = kernel::parse_kernel(kernel),
                                     .threshold = threshold,
                                     .training_examples = examples,
                                     .support = {},
                                     .classes = {own_positive, own_negative}};
            for (std::size_t i = 0; i < support.size(); ++i) {
                model.support.push_back({support.at(i), coefficients.at(i)});
            }
            classes.back().models.push_back(std::move(model));
        }
    }
    return {std::move(forest), std::move(set), std::move(classes)};
}

Array<double> decide_kernel(const KernelClassifier& classifier, nb::handle trees, std::size_t threads,
                            nb::object progress) {
    const TreeTexts texts(trees);
    classify::Decisions decisions;
    run({threads, std::move(progress)}, [&](Listener& listener) {
        tree::Forest forest;
        example::ExampleSet set;
        add_examples(texts, {}, forest, set, listener);
        decisions = classifier.classify(set, forest, listener);
    });
    const std::size_t columns = decisions.columns;
    return to_array<double>(std::move(decisions.values), {texts.size(), columns});
}

std::unique_ptr<KernelClassifier> train(nb::handle trees, std::vector<std::string> labels, const Costs& costs,
                                        const MachineSettings& settings, std::size_t threads,
                                        nb::object progress) {
    const TreeTexts texts(trees);
    const Labels known = make_labels(std::move(labels), costs);
    const svm::MachineOptions options = settings.options();
    std::unique_ptr<KernelClassifier> trained;
    run({threads, std::move(progress)}, [&](Listener& listener) {
        tree::Forest forest;
        example::ExampleSet set;
        add_examples(texts, known, forest, set, listener);
        trained = std::make_unique<KernelClassifier>(classify::train_kernel_classifier(
            set, forest, options, listener, [&] { return listener.stopped(); }));
        listener.check();
    });
    return trained;
}

void bind_kernel(nb::module_& module) {
    using nb::arg;
    nb::class_<KernelClassifier>(module, "KernelClassifier")
        .def_static("train", &train, arg("trees"), arg("labels"), arg("costs").none(), arg("settings"),
                    arg("threads"), arg("progress").none())
        .def_static(
            "read",
            [](const std::string& path) {
                return std::make_unique<KernelClassifier>(KernelClassifier::read(path));
            },
            arg("path"), nb::call_guard<nb::gil_scoped_release>())
        .def("write", &classify::write_kernel_classifier, arg("path"),
             nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("labels", [](const KernelClassifier& one) { return one.labels(); })
        .def_prop_ro("kernel",
                     [](const KernelClassifier& one) {
                         return to_string(one.classes().front().models.front().kernel);
                     })
        .def("support", [](const KernelClassifier& one) { return state_of(one).first; })
        .def("coefficients",
             [](const KernelClassifier& one) {
                 std::vector<std::tuple<std::string, std::vector<std::uint32_t>, std::vector<double>, double>>
                     out;
                 for (const auto& [positive, negative, models] : state_of(one).second) {
                     for (const auto& model : models) {
                         out.emplace_back(positive, std::get<5>(model), std::get<6>(model),
                                          std::get<1>(model));
                     }
                 }
                 return out;
             })
        .def("decide", &decide_kernel, arg("trees"), arg("threads"), arg("progress").none())
        .def("__getstate__", &state_of)
        .def("__setstate__", [](KernelClassifier* self, const ClassifierState& state) {
            new (self) KernelClassifier(from_state(state));
        });
}

}  // namespace

void bind_classifiers(nb::module_& module) {
    bind_linear(module);
    bind_kernel(module);
}

}  // namespace treeline::python
