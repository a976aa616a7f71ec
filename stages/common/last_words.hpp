#pragma once

namespace treeline::stage {

/// From here on a process that cannot go on, because an exception finds nobody to catch it (a thread of a library without
/// memory) or a library gives up with abort(), says so in a line led by the program's name and exits with 1. Temporary files
/// stay and are removed by the next run.
void speak_before_dying();

}  // namespace treeline::stage
