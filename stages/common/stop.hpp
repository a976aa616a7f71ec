#pragma once

namespace treeline::stage {

/// From here on the first SIGINT or SIGTERM only makes stop_requested() true; the second one ends the
/// process. For stages that can stop early and leave whole outputs.
void stop_on_signals();

/// Cheap; may be called from any thread.
[[nodiscard]] bool stop_requested();

}  // namespace treeline::stage
