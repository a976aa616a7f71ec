#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/bad_records.hpp"
#include "base/progress.hpp"
#include "common/options.hpp"
#include "example/example_reader.hpp"
#include "example/example_set.hpp"

/// Reading examples as the options ask for. Inline, so that only stages that read trees link their
/// library.
namespace treeline::stage {

/// Notes the records that were skipped.
inline void tell_skipped(const base::BadRecords& bad, base::ProgressObserver& progress) {
    for (const auto& message : bad.problems()) {
        progress.note("skipped " + message);
    }
}

/// Whether the examples of a stage must have labels: those to learn from must, others may.
enum class Labels { kNeeded, kOptional };

/// A reader as --from, --label-column, --tree-column, --on-error and --limit (0 = all) ask for.
[[nodiscard]] inline example::ExampleReaderOptions reader_options(const CommonOptions& common,
                                                                  std::uint64_t limit = 0,
                                                                  Labels labels = Labels::kOptional) {
    return {.format = common.reading.from,
            .records = {.on_error = common.on_error, .limit = limit},
            .needs_labels = labels == Labels::kNeeded,
            .columns = common.reading.columns};
}

/// The first `limit` records of a file (0 = all), added to `set`, those that are not wanted by their labels
/// alone (example::read_examples); what is skipped is noted.
inline example::ReadReport read_examples(const std::string& path, std::uint64_t limit, Labels labels,
                                         const CommonOptions& common, tree::Forest& forest,
                                         example::ExampleSet& set, base::ProgressObserver& progress,
                                         const std::function<bool(std::uint64_t)>& wanted = {}) {
    auto report =
        example::read_examples(path, reader_options(common, limit, labels), forest, set, progress, wanted);
    tell_skipped(report.bad, progress);
    return report;
}

}  // namespace treeline::stage
