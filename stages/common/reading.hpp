#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "example/example_reader.hpp"
#include "example/example_set.hpp"

/// Reading examples as --on-error and --limit ask for. Inline, so that only stages that read trees link their
/// library.
namespace treeline::stage {

/// What --on-error means for the readers of the library.
[[nodiscard]] inline example::OnError on_error(const CommonOptions& common) {
    return common.on_error == OnError::kSkip ? example::OnError::kSkip : example::OnError::kFail;
}

/// Notes the records that were skipped.
inline void tell_skipped(const std::vector<std::string>& messages, base::ProgressObserver& progress) {
    for (const auto& message : messages) {
        progress.note("skipped " + message);
    }
}

/// The first `limit` examples of a file (0 = all), added to `set`, those that are not wanted by their labels
/// alone (example::read_examples); what is skipped is noted.
inline example::ReadReport read_examples(const std::string& path, std::uint64_t limit,
                                         const CommonOptions& common, tree::Forest& forest,
                                         example::ExampleSet& set, base::ProgressObserver& progress,
                                         const std::function<bool(std::uint64_t)>& wanted = {}) {
    auto report = example::read_examples(path, {.on_error = on_error(common), .limit = limit}, forest, set,
                                         progress, wanted);
    tell_skipped(report.skip_messages, progress);
    return report;
}

}  // namespace treeline::stage
