#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/input.hpp"
#include "example/bad_records.hpp"
#include "example/example_reader.hpp"
#include "example/feature_names.hpp"
#include "example/kelp_parser.hpp"

namespace treeline::example {

/// Formats of example files. LIBSVM lines are SVM-light-TK lines without trees.
enum class DataFormat { kAuto, kTreebank, kTrees, kSvmLightTk, kLabelTabTree, kKelp, kLibsvm };

/// The examples of a file in any format; kAuto knows all but KeLP's. `names` numbers the features of KeLP's
/// lines.
class ExampleSource {
  public:
    ExampleSource(const std::string& path, DataFormat format, example::OnError on_error,
                  FeatureNames* names = nullptr);

    /// The next example, valid until the next call; false at the end. Throws InputError.
    bool next(example::Example& example);

    /// Where it starts.
    [[nodiscard]] base::Place place() const;
    [[nodiscard]] std::uint64_t skipped() const;
    [[nodiscard]] const std::vector<std::string>& skip_messages() const;
    [[nodiscard]] std::uint64_t strings_left_out() const { return kelp_.strings_left_out(); }

  private:
    std::optional<example::ExampleReader> reader_;
    std::optional<base::LineReader> lines_;  // of KeLP
    KelpParser kelp_;
    BadRecords bad_;
};

}  // namespace treeline::example
