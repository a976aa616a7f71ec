#pragma once

#include "base/error.hpp"

namespace treeline::base {

/// Input that can be read but not learnt from, as a whole: no examples, one class only. Exit code 3.
///
/// Which exit code a refusal has is decided by what the user would change:
/// - 2 (UsageError): the command. Options out of range or against each other, a file that is not to be overwritten,
///   and `--memory` too small for the work, with the number that is needed.
/// - 3 (InputError, DataError): the data. Records, models, dictionaries and vectors that cannot be read or do not fit
///   each other, no examples to learn from, examples of one class only.
/// - 1 (Error, SystemError): neither. The system refused (no such file, no space), or the run was interrupted.
class DataError : public Error {
  public:
    using Error::Error;
    [[nodiscard]] ExitCode exit_code() const override { return ExitCode::kBadInput; }
};

}  // namespace treeline::base
