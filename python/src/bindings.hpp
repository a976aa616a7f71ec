#pragma once

#include <nanobind/nanobind.h>

/// What the module consists of, a function a file.
namespace treeline::python {

void bind_classifiers(nanobind::module_& module);
void bind_dictionary(nanobind::module_& module);
void bind_drawings(nanobind::module_& module);
void bind_kernels(nanobind::module_& module);
void bind_learning(nanobind::module_& module);
void bind_polynomial(nanobind::module_& module);
void bind_trees(nanobind::module_& module);
void bind_vectors(nanobind::module_& module);

}  // namespace treeline::python
