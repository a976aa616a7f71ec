#pragma once

#include <concepts>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "base/planned_output.hpp"
#include "base/progress.hpp"
#include "common/options.hpp"

namespace treeline::stage {

using Values = base::Manifest::Values;

/// Any number as a manifest keeps it.
template <typename T>
requires std::integral<T> || std::floating_point<T>
[[nodiscard]] base::Manifest::Value value_of(T number) {
    if constexpr (std::same_as<T, bool>) {
        return number;
    } else if constexpr (std::integral<T>) {
        return static_cast<std::int64_t>(number);
    } else {
        return static_cast<double>(number);
    }
}

/// A value of an enumeration likewise: its word in `table`.
template <typename T, std::size_t N>
[[nodiscard]] base::Manifest::Value value_of(const base::NameTable<T, N>& table, T value) {
    return std::string(base::name_of(table, value));
}

/// The plan of a stage: its own options in effect, and those common ones that change what it writes.
[[nodiscard]] base::Plan plan_work(std::string stage, Values options, const CommonOptions& common,
                                   const std::vector<std::string>& inputs);

/// Whether an output has to be made, by what --force and --refresh say. Throws UsageError, with the remedy, where
/// it must not be: over an input, over what is not ours, over other work without either option.
[[nodiscard]] bool has_to_be_made(const base::PlannedOutput& output, const CommonOptions& common);

/// The outputs of a run, files or one folder, that are made together.
class Outputs {
  public:
    struct Target {
        std::string path;  ///< nothing is written where it is empty
        std::string role;  ///< empty for the main one
    };

    Outputs(const base::Plan& plan, const std::vector<Target>& targets, const CommonOptions& common,
            base::ProgressObserver& progress);

    /// Before the work; false, with a note, if all is up to date. Outputs that are streams are never. Throws as
    /// has_to_be_made() does, and where a folder for an output is missing or two outputs are one file.
    [[nodiscard]] bool begin();
    /// After the files have appeared.
    void record(const Values& counts);
    /// Lets the folder appear that is the only output.
    void commit(base::AtomicFolder& folder, Values counts);

  private:
    void require_distinct() const;

    std::vector<base::PlannedOutput> outputs_;
    CommonOptions common_;
    base::ProgressObserver& progress_;
};

}  // namespace treeline::stage
