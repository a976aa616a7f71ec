#pragma once

#include <cstdint>
#include <string>

#include "base/names.hpp"
#include "base/progress.hpp"
#include "common/options.hpp"
#include "fragment/vectorizer.hpp"
#include "store/vectors.hpp"

namespace treeline::tfx {

enum class Format { kArrow, kLibsvm };

inline constexpr base::NameTable<Format, 2> kFormatNames{{
    {Format::kArrow, "arrow"},
    {Format::kLibsvm, "libsvm"},
}};

/// Tree fragment extraction.
struct Options {
    stage::CommonOptions common;
    std::string dictionary;
    std::string input;
    std::string output;        ///< folder
    std::uint32_t shards = 1;  ///< parts to write, all of them here,
    std::string shard;         ///< or just one, `i/N`, i counted from 1
    Format format = Format::kArrow;
    fragment::VectorizerOptions vectorizer;
    store::VectorsWriterOptions writer;
    std::string label_numbers;  ///< kLibsvm: file of lines NUMBER<TAB>LABEL, made where it is not there;
                                ///< empty = the labels are numbers themselves
    std::string label_until;    ///< labels end before this text; empty = whole labels
    std::uint64_t limit = 0;    ///< examples to read; 0 = all
};

/// The parts that a run makes: shards `first` to `last` - 1 of `count`.
struct ShardRange {
    std::uint32_t first = 0;
    std::uint32_t last = 1;
    std::uint32_t count = 1;
    bool operator==(const ShardRange&) const = default;
};
/// Throws UsageError.
[[nodiscard]] ShardRange shard_range(const Options& options);

/// Throws UsageError.
void validate(const Options& options);

[[nodiscard]] stage::Summary run(const Options& options, base::ProgressObserver& progress);

}  // namespace treeline::tfx
