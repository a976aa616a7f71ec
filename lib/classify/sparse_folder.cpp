#include "classify/sparse_folder.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/format_names.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "kernel/description.hpp"
#include "store/dictionary_builder.hpp"
#include "store/linear_model.hpp"

namespace treeline::classify {

namespace fs = std::filesystem;

namespace {

store::DictionaryInfo describe(const SparseModelParts& learned, const base::Manifest& manifest) {
    store::DictionaryInfo info;
    info.kernel = learned.rows->trees().kernel();
    for (std::size_t k = 0; k < learned.fits.size(); ++k) {
        store::DictionaryModel model;
        model.name = "fpl";
        model.digest = manifest.inputs.empty() ? "" : manifest.inputs.front().digest;
        model.label = learned.positives[k];
        model.support_vectors = learned.fits[k].support;
        double square = 0;
        for (std::size_t f = 0; f < learned.model->fragments.size(); ++f) {
            if (const double weight = std::abs(learned.model->weight(f, k)); weight > 0) {
                ++model.mined;
                model.least = model.mined == 1 ? weight : std::min(model.least, weight);
                square += weight * weight;
            }
        }
        model.norm = model.retained = std::sqrt(square);
        info.models.push_back(model);
    }
    return info;
}

store::DictionarySummary write_dictionary(const std::string& path, const SparseModelParts& learned,
                                          const base::Manifest& manifest) {
    store::DictionaryBuilder builder(path, describe(learned, manifest),
                                     learned.rows->trees().forest().symbols());
    const auto& fragments = learned.model->fragments;
    const std::vector<std::uint64_t> counts = learned.rows->trees().counts(fragments);
    std::vector<store::ModelRelevance> relevances;
    for (std::size_t f = 0; f < fragments.size(); ++f) {
        relevances.clear();
        for (std::size_t k = 0; k < learned.fits.size(); ++k) {
            if (const double weight = learned.model->weight(f, k); weight != 0) {
                relevances.push_back({static_cast<std::uint32_t>(k), weight, counts[f]});
            }
        }
        builder.add(fragments[f], relevances);
    }
    return builder.commit(manifest);
}

}  // namespace

void write_sparse_folder(const base::AtomicFolder& folder, const SparseModelParts& learned,
                         const base::Manifest& manifest) {
    const fs::path inside = folder.temporary_path();
    const store::DictionarySummary dictionary =
        write_dictionary((inside / base::formats::kDictionaryFolder).string(), learned, manifest);
    store::LinearModelFile file;
    file.model = learned.model->model;
    file.info.kernel = kernel::to_string(kernel::BasicKernel(learned.rows->trees().kernel()));
    file.info.norm = base::name_of(fragment::kVectorNormNames, fragment::VectorNorm::kKernel);
    file.info.vectors = base::name_of(fragment::kFlatFeaturesNames, learned.vectors);
    file.info.fragments = dictionary.fragments;
    file.info.dictionary = dictionary.digest;
    const std::string model_path = (inside / base::formats::kLinearModelFile).string();
    store::write_linear_model(model_path, file);
    for (const auto& [name, text] : learned.files) {
        base::write_whole_file((inside / name).string(), text);
    }
}

}  // namespace treeline::classify
