#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <numeric>
#include <vector>

#include "arrays.hpp"
#include "base/parallel.hpp"
#include "bindings.hpp"
#include "example/example_set.hpp"
#include "kernel/description.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/example_rows.hpp"
#include "tree/forest.hpp"
#include "tree_texts.hpp"
#include "work.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

/// K(x, y) for all x of `rows` and y of `columns` (none: those of `rows`), as `ksm --matrix --input ROWS --other COLUMNS` has them.
Array<double> kernel_matrix(const std::string& description, nb::handle rows, nb::handle columns,
                            std::size_t threads, nb::object progress) {
    const kernel::KernelDescription kernel = kernel::parse_kernel(description);
    const TreeTexts row_texts(rows);
    const bool square = columns.is_none();
    const TreeTexts column_texts(square ? nb::list() : columns);
    std::vector<double> values(row_texts.size() * (square ? row_texts : column_texts).size());
    run({threads, std::move(progress)}, [&](Listener& listener) {
        tree::Forest forest;
        example::ExampleSet input;
        example::ExampleSet other;
        add_examples(row_texts, {}, forest, input, listener);
        add_examples(column_texts, {}, forest, other, listener);
        const example::ExampleSet& targets = square ? input : other;
        kernel::require_fitting(kernel, input);
        kernel::require_fitting(kernel, targets);
        std::vector<std::uint32_t> all(targets.size());
        std::iota(all.begin(), all.end(), 0U);
        const kernel::ExampleRows<double> evaluator(kernel, forest, targets, all);
        std::atomic<std::uint64_t> done = 0;
        listener.start("kernel values", input.size());
        base::parallel_pieces(input.size(), 1, [&](std::size_t row, std::size_t) {
            evaluator.row(input, row, std::span(values).subspan(row * targets.size(), targets.size()));
            listener.update(++done);
        });
        listener.finish();
    });
    return to_array<double>(std::move(values),
                            {row_texts.size(), (square ? row_texts : column_texts).size()});
}

}  // namespace

void bind_kernels(nb::module_& module) {
    module.def("kernel_matrix", &kernel_matrix, nb::arg("kernel"), nb::arg("rows"), nb::arg("columns").none(),
               nb::arg("threads"), nb::arg("progress").none());
    module.def(
        "canonical_kernel", [](const std::string& text) { return to_string(kernel::parse_kernel(text)); },
        nb::arg("kernel"));
}

}  // namespace treeline::python
