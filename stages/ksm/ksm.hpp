#pragma once

#include <cstdint>
#include <string>

#include "base/names.hpp"
#include "base/progress.hpp"
#include "common/options.hpp"
#include "store/npy.hpp"

namespace treeline::ksm {

enum class Pairs { kNone, kAligned, kConsecutive };
inline constexpr base::NameTable<Pairs, 3> kPairsNames{
    {{Pairs::kNone, "none"}, {Pairs::kAligned, "aligned"}, {Pairs::kConsecutive, "consecutive"}}};
enum class Format { kAuto, kText, kNpy, kArrow, kLibsvm };
inline constexpr base::NameTable<Format, 5> kFormatNames{{
    {Format::kAuto, "auto"},
    {Format::kText, "text"},
    {Format::kNpy, "npy"},
    {Format::kArrow, "arrow"},
    {Format::kLibsvm, "libsvm"},
}};

/// How the values of a matrix are computed: whole rows over shared nodes; pair by pair as in Moschitti 2006; from
/// the definition.
enum class Evaluator { kRows, kFast, kQuadratic };
inline constexpr base::NameTable<Evaluator, 3> kEvaluatorNames{
    {{Evaluator::kRows, "rows"}, {Evaluator::kFast, "fast"}, {Evaluator::kQuadratic, "quadratic"}}};

struct Options {
    std::string input;
    std::string other;  ///< empty = the input itself
    std::string output;
    std::string kernel = "sst(lambda=0.4)";
    Pairs pairs = Pairs::kNone;
    bool matrix = false;
    Evaluator evaluator = Evaluator::kRows;
    Format format = Format::kAuto;
    store::NpyType type = store::NpyType::kFloat64;
    std::uint64_t limit = 0;
    stage::CommonOptions common;
};

/// Throws UsageError.
void validate(const Options& options);

/// The format that `options` mean, by the name of the output where it is not said.
[[nodiscard]] Format format_of(const Options& options);

stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::ksm
