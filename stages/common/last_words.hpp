#pragma once

namespace treeline::stage {

/// From here on a process that cannot go on says so in a line led by the program's name and exits with 1: nothing catches an
/// exception (a thread of a library without memory), a library gives up with abort(), or it uses memory that it did not get
/// (base::UncheckedMemory). Temporary files stay and are removed by the next run. A bad access anywhere else is a defect, and
/// ends the process by its signal.
void speak_before_dying();

/// Writes a line led by the program's name to stderr. Neither allocates nor takes locks.
void write_last_words(const char* text);

}  // namespace treeline::stage
