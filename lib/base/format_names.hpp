#pragma once

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

// Versions of formats.
inline constexpr int kManifestVersion = 1;
inline constexpr int kDictionaryVersion = 1;
inline constexpr int kVectorsVersion = 1;
inline constexpr int kMinedVersion = 1;
inline constexpr int kCheckpointVersion = 1;
inline constexpr int kPolynomialModelVersion = 1;

// First lines and magic words; a version follows after a space.
inline constexpr std::string_view kDictionaryMagic = "treeline fragment dictionary";
inline constexpr std::string_view kVectorsMagic = "treeline vectors";
inline constexpr std::string_view kMinedMagic = "# treeline mined fragments";
inline constexpr std::string_view kCheckpointMagic = "treeline checkpoint";
inline constexpr std::string_view kPolynomialModelMagic = "treeline-polynomial-model";
inline constexpr std::string_view kLinearModelTrailer =
    "treeline ";  ///< starts the line that LIBLINEAR does not read
inline constexpr std::string_view kKernelModelMagic = "SVM-light Version V5.01-TK-1.5";

}  // namespace treeline::base::formats
