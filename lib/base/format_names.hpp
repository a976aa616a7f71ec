#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Every name, first line and version of the files that Treeline writes: the only place that knows them. What
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

inline constexpr int kManifestVersion = 1;  ///< of `"format"` in manifests

/// A format of ours, by the words that its files start with (or have in their head) before a space and the version.
struct Format {
    std::string_view words;
    int version;
};
inline constexpr Format kDictionary{"treeline fragment dictionary", 2};
inline constexpr Format kVectors{"treeline vectors", 1};
inline constexpr Format kMined{"# treeline mined fragments", 1};
inline constexpr Format kCheckpoint{"treeline checkpoint", 1};
inline constexpr Format kPolynomialModel{"treeline-polynomial-model", 1};

// Words of formats that others read, too.
inline constexpr std::string_view kLinearModelTrailer =
    "treeline ";  ///< starts the line after LIBLINEAR's own
inline constexpr std::string_view kKernelModelLine = "SVM-light Version V5.01-TK-1.5";

}  // namespace treeline::base::formats

namespace treeline::base {

/// What a file of the format carries: `WORDS VERSION`.
[[nodiscard]] std::string mark_of(const formats::Format& format);
/// The version in a mark of the format, whichever it is; nothing where it is none.
[[nodiscard]] std::optional<int> version_of(const formats::Format& format, std::string_view mark);
/// What to say about a mark that is not mark_of(format).
[[nodiscard]] std::string describe_other(const formats::Format& format, std::string_view mark);

}  // namespace treeline::base
