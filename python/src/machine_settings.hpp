#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "svm/class_machines.hpp"

namespace treeline::python {

/// How kernel machines are trained, with the words of the package.
struct MachineSettings {
    std::string kernel;
    double c = 1;
    double cost_factor = 1;
    std::string solver;
    double epsilon = 1e-3;
    std::size_t sample = 1000;
    double constant = 0;
    bool bias = true;
    std::uint64_t seed = 1;
    std::uint64_t memory = 0;

    /// Throws base::UsageError for words and numbers that are none.
    [[nodiscard]] svm::MachineOptions options() const;
};

}  // namespace treeline::python
