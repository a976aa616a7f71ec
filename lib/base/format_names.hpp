#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Every name, first line and version of the files that Treeline writes (pages of sites aside): the only place that knows them. What
/// stands in the files is told in store/FORMATS.md. A version goes up with every change that a reader of the
/// former one would misread; readers that know several branch on it.
namespace treeline::base::formats {

// Names of files.
inline constexpr std::string_view kManifestFile = "manifest.json";     ///< in a folder
inline constexpr std::string_view kManifestEnding = ".manifest.json";  ///< after the name of a file
inline constexpr std::string_view kSuccessFile = "_SUCCESS";           ///< in a folder of parts, last
inline constexpr std::string_view kChecksumFile =
    "checksums.xxh128";  ///< in a dictionary, as `xxhsum -H2` has it
inline constexpr std::string_view kCheckpointEnding = ".checkpoint";  ///< after the name of a model
inline constexpr std::string_view kNoteEnding = ".tmp-plan";  ///< `.NAME.tmp-plan`: what is being made
inline constexpr std::string_view kTemporaryInfix = ".tmp-";  ///< `.NAME.tmp-...`: not finished
inline constexpr std::string_view kPartPrefix = "part-";      ///< in a folder of parts
inline constexpr std::string_view kArrowEnding = ".arrow";
inline constexpr std::string_view kLibsvmEnding = ".svm";
inline constexpr std::string_view kKernelModelEnding = ".svm";  ///< in a folder of models
inline constexpr std::string_view kClassPrefix = "class-";      ///< in a folder of models, one a class
inline constexpr std::string_view kSplitPrefix = "split-";      ///< in a folder of models, one a split
inline constexpr std::string_view kDictionaryFolder = "dict";   ///< beside the linear model that uses it
inline constexpr std::string_view kLinearModelFile = "model.linear";
inline constexpr std::string_view kPathFile = "path.json";  ///< models for growing C, and their page
inline constexpr std::string_view kPathPage = "path.html";
inline constexpr std::string_view kSplitsFile = "splits.tsv";  ///< which group of lines went to which part

inline constexpr int kManifestVersion = 1;  ///< of `"format"` in manifests

/// A format of ours, by the words that its files start with (or have in their head) before a space and the version.
struct Format {
    std::string_view words;
    int version;
};
inline constexpr Format kDictionary{"treeline fragment dictionary", 2};
inline constexpr Format kVectors{"treeline vectors", 1};
/// Version 1 had no seal.
inline constexpr Format kMined{"# treeline mined fragments", 2};
inline constexpr Format kCheckpoint{"treeline checkpoint", 2};
/// Version 1 had no seal.
inline constexpr Format kPolynomialModel{"treeline-polynomial-model", 2};

inline constexpr std::string_view kSeal =
    "# digest ";  ///< starts the last line of sealed text (sealed_text.hpp)

// Words of formats that others read, too.
inline constexpr std::string_view kLinearModelTrailer =
    "treeline ";  ///< starts the line after LIBLINEAR's own
inline constexpr std::string_view kKernelModelLine = "SVM-light Version V5.01-TK-1.5";
inline constexpr std::string_view kKernelPrefix =
    "treeline:";  ///< before the description of a kernel that SVM-light-TK lacks

// Keys of the metadata in Arrow files.
inline constexpr const char* kFormatKey = "treeline.format";
inline constexpr const char* kKernelKey = "treeline.kernel";
inline constexpr const char* kNormKey = "treeline.norm";
inline constexpr const char* kVectorsKey = "treeline.vectors";
inline constexpr const char* kFragmentsKey = "treeline.fragments";
inline constexpr const char* kDictionaryKey = "treeline.dictionary";
inline constexpr const char* kShardKey = "treeline.shard";
inline constexpr const char* kShardsKey = "treeline.shards";
inline constexpr const char* kDigestsKey = "treeline.digests";  ///< of the schema: there are the two below
inline constexpr const char* kDigestKey = "treeline.digest";    ///< of a batch
inline constexpr const char* kBatchesKey = "treeline.batches";  ///< of the footer

}  // namespace treeline::base::formats

namespace treeline::base {

/// What a file of the format carries: `WORDS VERSION`.
[[nodiscard]] std::string mark_of(const formats::Format& format);
/// The version in a mark of the format, whichever it is; nothing where the mark is not of the format.
[[nodiscard]] std::optional<int> version_of(const formats::Format& format, std::string_view mark);
/// The version in a mark of the format if it is one up to ours, all of which readers know; nothing otherwise.
[[nodiscard]] std::optional<int> known_version_of(const formats::Format& format, std::string_view mark);
/// What to say about a mark that is not mark_of(format).
[[nodiscard]] std::string describe_other(const formats::Format& format, std::string_view mark);

}  // namespace treeline::base
