#pragma once

#include <iosfwd>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "fdi/options.hpp"

namespace treeline::fdi {

/// One function a command: reads the dictionary, writes to `out` (export and draw: to options.output). In:
/// fragments looked at, out: fragments written.
stage::Summary top(const Options& options, std::ostream& out);
stage::Summary show(const Options& options, std::ostream& out);
stage::Summary find(const Options& options, std::ostream& out);
stage::Summary stats(const Options& options, std::ostream& out);
stage::Summary diff(const Options& options, std::ostream& out);
/// Throws base::InputError if something is wrong, after writing what.
stage::Summary verify(const Options& options, std::ostream& out);
stage::Summary export_fragments(const Options& options, base::ProgressObserver& progress);
stage::Summary draw(const Options& options, base::ProgressObserver& progress);
/// A site of pages in the folder options.output, whole or not at all.
stage::Summary browse(const Options& options, base::ProgressObserver& progress);
/// Dictionary and linear model of the fragments that have a weight (classify::prune) in the folder options.output, whole or not
/// at all: `dict`, `model.linear`.
stage::Summary prune(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::fdi
