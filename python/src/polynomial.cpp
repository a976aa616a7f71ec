#include <nanobind/nanobind.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "arrays.hpp"
#include "base/parallel.hpp"
#include "bindings.hpp"
#include "example/binary_example.hpp"
#include "example/class_set.hpp"
#include "polynomial/binary_dataset.hpp"
#include "polynomial/polynomial_classifier.hpp"
#include "polynomial/polynomial_learner.hpp"
#include "store/polynomial_model_file.hpp"
#include "work.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

using polynomial::PolynomialModel;

struct PolynomialSettings {
    unsigned degree = 2;
    double c = 1;
    std::uint64_t iterations = 20;
    std::string update;
    std::string method;
    std::string step_norm;
    bool average = true;
    bool shuffle = false;
    std::uint64_t seed = 1;
    std::uint64_t memory = 0;

    [[nodiscard]] polynomial::PolynomialLearnerOptions options() const {
        polynomial::PolynomialLearnerOptions out;
        out.margin.degree = degree;
        out.margin.kind = value_of(polynomial::kMarginNames, "method", method);
        out.margin.memory = memory;
        out.update = value_of(polynomial::kOnlineUpdateNames, "update", update);
        out.norm = value_of(polynomial::kStepNormNames, "step_norm", step_norm);
        out.c = c;
        out.iterations = iterations;
        out.average = average;
        out.shuffle = shuffle;
        out.seed = seed;
        return out;
    }
};

/// Rows of a matrix whose entries are all 1, in LIBSVM's numbers: column j is feature j + 1.
struct BinaryRows {
    std::span<const std::int64_t> ends;
    std::span<const std::int64_t> columns;

    [[nodiscard]] std::size_t size() const { return ends.size() - 1; }
    void row(std::size_t number, std::vector<std::uint64_t>& out) const {
        out.clear();
        for (auto at = ends[number]; at < ends[number + 1]; ++at) {
            out.push_back(static_cast<std::uint64_t>(columns[static_cast<std::size_t>(at)]) + 1);
        }
    }
};

/// A model and the classifier over it, which refers to it.
class PolynomialMachine {
  public:
    PolynomialMachine(PolynomialModel model, std::uint64_t memory)
        : model_(std::make_unique<PolynomialModel>(std::move(model))),
          classifier_(std::make_unique<polynomial::PolynomialClassifier>(*model_, memory)) {}

    [[nodiscard]] const PolynomialModel& model() const { return *model_; }

    [[nodiscard]] Array<double> margins(const InputArray<std::int64_t>& ends,
                                        const InputArray<std::int64_t>& columns, std::size_t threads) const {
        const BinaryRows rows{span_of(ends), span_of(columns)};
        std::vector<double> out;
        run({threads}, [&](Listener&) {
            std::vector<std::vector<std::uint32_t>> ranked(rows.size());
            std::vector<std::uint64_t> features;
            for (std::size_t i = 0; i < rows.size(); ++i) {
                rows.row(i, features);
                polynomial::rank_features(features, model_->ranking, ranked[i]);
            }
            out = classifier_->margins(ranked);
        });
        const std::size_t outputs = model_->outputs();
        return to_array<double>(std::move(out), {rows.size(), outputs});
    }

  private:
    std::unique_ptr<PolynomialModel> model_;
    std::unique_ptr<polynomial::PolynomialClassifier> classifier_;
};

/// Online learning that can go on, and the state to go on from.
class OnlineMachine {
  public:
    explicit OnlineMachine(const std::vector<std::string>& classes) {
        state_.labels = example::ClassSet(classes).model_names();
    }

    void learn(const InputArray<std::int64_t>& ends, const InputArray<std::int64_t>& columns,
               const std::vector<std::string>& labels, const PolynomialSettings& settings,
               nb::object progress) {
        const BinaryRows rows{span_of(ends), span_of(columns)};
        const polynomial::PolynomialLearnerOptions options = settings.options();
        run({1, std::move(progress)}, [&](Listener& listener) {
            std::vector<example::BinaryExample> examples(rows.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                examples[i].label = labels[i];
                rows.row(i, examples[i].features);
            }
            polynomial::OnlineState next = state_;
            polynomial::learn_more(next, examples, options, listener);
            state_ = std::move(next);
        });
    }
    [[nodiscard]] std::unique_ptr<PolynomialMachine> machine(const PolynomialSettings& settings) const {
        return std::make_unique<PolynomialMachine>(polynomial::model_of(state_, settings.options()),
                                                   settings.memory);
    }

    using State = std::tuple<std::vector<std::string>, std::uint64_t, std::vector<std::vector<std::uint64_t>>,
                             std::vector<double>, std::vector<double>>;
    [[nodiscard]] State state() const {
        return {state_.labels, state_.examples, state_.support, state_.steps, state_.late};
    }
    explicit OnlineMachine(State state) {
        std::tie(state_.labels, state_.examples, state_.support, state_.steps, state_.late) =
            std::move(state);
    }

  private:
    polynomial::OnlineState state_;
};

std::unique_ptr<PolynomialMachine> train(const InputArray<std::int64_t>& ends,
                                         const InputArray<std::int64_t>& columns,
                                         const std::vector<std::string>& labels,
                                         const PolynomialSettings& settings, std::size_t threads,
                                         nb::object progress) {
    const BinaryRows rows{span_of(ends), span_of(columns)};
    const polynomial::PolynomialLearnerOptions options = settings.options();
    std::unique_ptr<PolynomialMachine> machine;
    run({threads, std::move(progress)}, [&](Listener& listener) {
        polynomial::BinaryDatasetBuilder builder;
        std::vector<std::uint64_t> features;
        for (std::size_t i = 0; i < rows.size(); ++i) {
            rows.row(i, features);
            builder.add(labels[i], features);
        }
        const polynomial::BinaryDataset data = builder.finish();
        machine = std::make_unique<PolynomialMachine>(
            polynomial::train_polynomial(data, options, nullptr, listener), settings.memory);
    });
    return machine;
}

}  // namespace

void bind_polynomial(nb::module_& module) {
    using nb::arg;
    nb::class_<PolynomialSettings>(module, "PolynomialSettings")
        .def(nb::init<>())
        .def_rw("degree", &PolynomialSettings::degree)
        .def_rw("c", &PolynomialSettings::c)
        .def_rw("iterations", &PolynomialSettings::iterations)
        .def_rw("update", &PolynomialSettings::update)
        .def_rw("method", &PolynomialSettings::method)
        .def_rw("step_norm", &PolynomialSettings::step_norm)
        .def_rw("average", &PolynomialSettings::average)
        .def_rw("shuffle", &PolynomialSettings::shuffle)
        .def_rw("seed", &PolynomialSettings::seed)
        .def_rw("memory", &PolynomialSettings::memory);
    nb::class_<PolynomialMachine>(module, "PolynomialMachine")
        .def_static("train", &train, arg("ends"), arg("columns"), arg("labels"), arg("settings"),
                    arg("threads"), arg("progress").none())
        .def_static(
            "read",
            [](const std::string& path, std::uint64_t memory) {
                return std::make_unique<PolynomialMachine>(store::read_polynomial_model(path), memory);
            },
            arg("path"), arg("memory"), nb::call_guard<nb::gil_scoped_release>())
        .def(
            "write",
            [](const PolynomialMachine& machine, const std::string& path) {
                store::write_polynomial_model(path, machine.model());
            },
            arg("path"), nb::call_guard<nb::gil_scoped_release>())
        .def_prop_ro("labels", [](const PolynomialMachine& machine) { return machine.model().labels; })
        .def_prop_ro("degree", [](const PolynomialMachine& machine) { return machine.model().degree; })
        .def("__len__", [](const PolynomialMachine& machine) { return machine.model().size(); })
        .def("margins", &PolynomialMachine::margins, arg("ends"), arg("columns"), arg("threads"));
    nb::class_<OnlineMachine>(module, "OnlineMachine")
        .def(nb::init<const std::vector<std::string>&>(), arg("classes"))
        .def("learn", &OnlineMachine::learn, arg("ends"), arg("columns"), arg("labels"), arg("settings"),
             arg("progress").none())
        .def("machine", &OnlineMachine::machine, arg("settings"))
        .def("__getstate__", &OnlineMachine::state)
        .def("__setstate__", [](OnlineMachine* self, OnlineMachine::State state) {
            new (self) OnlineMachine(std::move(state));
        });
}

}  // namespace treeline::python
