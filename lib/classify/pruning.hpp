#pragma once

#include <cstdint>
#include <string>

#include "base/manifest.hpp"
#include "base/progress.hpp"
#include "store/dictionary.hpp"
#include "store/dictionary_builder.hpp"
#include "store/linear_model.hpp"

namespace treeline::classify {

/// A linear model over the fragments of a dictionary that have a weight for some class, and the dictionary of these alone.
///
/// The fragments keep their order, their relevances and the models that list them, and flat features stay after the fragments
/// with all their weights, so every decision value is a sum of the same numbers in the same order without the zeros: it is the
/// same to the last bit.
struct PrunedModel {
    store::LinearModelFile model;
    store::DictionarySummary dictionary;
};

/// Writes the dictionary to `dictionary_path`, a folder to be made, with the manifest, and returns the model over it. `model_path`
/// is named in messages. Throws base::InputError where the model is over another dictionary, does not say over which, or is over
/// vectors divided by their own length (norm `explicit`), which would have another length without the other fragments.
[[nodiscard]] PrunedModel prune(const store::Dictionary& dictionary, store::LinearModelFile model,
                                const std::string& model_path, const std::string& dictionary_path,
                                const base::Manifest& manifest,
                                base::ProgressObserver& progress = base::silent_observer());

}  // namespace treeline::classify
