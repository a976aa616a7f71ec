#pragma once

#include <string>

namespace treeline::store {

/// What a file or folder holds, as far as its first bytes or the names in it tell.
enum class FileKind {
    kUnknown,
    kExamples,
    kKernelModel,  ///< a file, or a folder of them
    kLinearModel,
    kPolynomialModel,
    kVectors,
    kLibsvmVectors,
    kDictionary,
    kSparseFolder,  ///< as fpl makes it: a dictionary and a linear model
};

/// kUnknown also for what is not there, and for streams, which can be read only once.
[[nodiscard]] FileKind kind_of(const std::string& path);

/// Throws InputError where `path` is known to hold something else: what it is, and where what is expected comes from.
void require_kind(const std::string& path, FileKind expected);

}  // namespace treeline::store
