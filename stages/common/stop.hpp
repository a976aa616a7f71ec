#pragma once

namespace treeline::stage {

/// From here on SIGINT, SIGTERM and SIGHUP, unless they are ignored, remove what the process has under temporary names before
/// they end it. Once a process.
void clean_up_on_signals();

/// From here on the first SIGINT or SIGTERM only makes stop_requested() true; the second one ends the
/// process, and so does the first where nobody asks within ten seconds. For stages that can stop early and leave
/// whole outputs.
void stop_on_signals();

/// Cheap; may be called from any thread.
[[nodiscard]] bool stop_requested();

}  // namespace treeline::stage
