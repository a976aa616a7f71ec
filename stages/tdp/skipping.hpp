#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "common/options.hpp"
#include "tree/example_reader.hpp"

namespace treeline::tdp {

/// What --on-error means for the readers of the library.
[[nodiscard]] inline tree::OnError on_error(const stage::CommonOptions& common) {
    return common.on_error == stage::OnError::kSkip ? tree::OnError::kSkip : tree::OnError::kFail;
}

/// Notes the records that were skipped.
inline void tell_skipped(const std::vector<std::string>& messages, base::ProgressObserver& progress) {
    for (const auto& message : messages) {
        progress.note("skipped " + message);
    }
}

}  // namespace treeline::tdp
