#pragma once

#include <iosfwd>
#include <string>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "example/example_format.hpp"

namespace treeline::tdp {

struct CheckOptions {
    std::string input;
    bool json = false;
};

/// Reads examples to the end and writes what they are like to `out`. Throws base::InputError, after that, if
/// some could not be read.
stage::Summary check(const CheckOptions& options, const stage::CommonOptions& common, std::ostream& out,
                     base::ProgressObserver& progress);

}  // namespace treeline::tdp
