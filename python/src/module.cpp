#include <nanobind/nanobind.h>

#include <cerrno>
#include <exception>
#include <string>

#include "base/data_error.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/manifest.hpp"
#include "base/parallel.hpp"
#include "base/syntax_error.hpp"
#include "bindings.hpp"

namespace nb = nanobind;
using namespace treeline;

namespace {

/// What the user can change about options or data is a ValueError; what the system refused, an OSError.
void translate(const std::exception_ptr& error, void*) {
    try {
        std::rethrow_exception(error);
    } catch (const base::SystemError& e) {
        const nb::object arguments = nb::make_tuple(e.error_number(), e.what());
        PyErr_SetObject(PyExc_OSError, arguments.ptr());
    } catch (const base::Error& e) {
        PyErr_SetString(e.exit_code() == base::ExitCode::kFailed ? PyExc_RuntimeError : PyExc_ValueError,
                        e.what());
    } catch (const base::SyntaxError& e) {
        PyErr_SetString(PyExc_ValueError,
                        ("column " + std::to_string(e.offset() + 1) + ": " + e.what()).c_str());
    }
}

}  // namespace

NB_MODULE(_core, module) {
    nb::register_exception_translator(translate);
    module.attr("__version__") = base::program_version();
    module.def("available_threads", &base::available_threads,
               "Threads that the machine offers this process.");
    python::bind_trees(module);
    python::bind_drawings(module);
    python::bind_kernels(module);
    python::bind_dictionary(module);
    python::bind_vectors(module);
    python::bind_learning(module);
    python::bind_classifiers(module);
    python::bind_polynomial(module);
}
