#include "classify/pruning.hpp"

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/error.hpp"
#include "classify/tree_space.hpp"
#include "fragment/vectorizer.hpp"

namespace treeline::classify {

namespace {

using store::Dictionary;

void require_prunable(const Dictionary& dictionary, const store::LinearModelFile& file,
                      const std::string& model_path) {
    const fragment::VectorizerOptions made = vectorizer_options(model_path, file.info);
    require_same_dictionary(dictionary.path(), file.info.dictionary, dictionary.digest());
    if (made.norm == fragment::VectorNorm::kExplicit) {
        throw base::InputError(
            {model_path},
            "its vectors are divided by their own length (norm explicit), which would change without the fragments that "
            "have no weight; expected norm kernel or none");
    }
}

/// By fragment: whether some class has a weight for it.
std::vector<bool> have_weight(const linear::LinearModel& model, std::uint32_t fragments) {
    std::vector<bool> kept(fragments, false);
    const std::size_t columns = model.columns();
    for (std::size_t f = 0; f < std::min<std::uint64_t>(fragments, model.features); ++f) {
        const std::span row(model.weights.data() + f * columns, columns);
        kept[f] = std::ranges::any_of(row, [](double weight) { return weight != 0; });
    }
    return kept;
}

/// The dictionary's models as they list the fragments kept. One that keeps all it lists stays as it is, to the last bit.
std::vector<store::DictionaryModel> list_kept(const Dictionary& dictionary, const std::vector<bool>& kept) {
    std::vector<store::DictionaryModel> models = dictionary.info().models;
    struct Listed {
        std::uint64_t all = 0;
        std::uint64_t count = 0;
        double least = 0;
        double square = 0;
    };
    std::vector<Listed> listed(models.size());
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        for (const store::ModelRelevance& of : entry.record.models) {
            Listed& one = listed.at(of.model);
            ++one.all;
            if (kept[entry.id]) {
                const double relevance = std::abs(of.relevance);
                one.least = ++one.count == 1 ? relevance : std::min(one.least, relevance);
                one.square += relevance * relevance;
            }
        }
        return true;
    });
    for (std::size_t k = 0; k < models.size(); ++k) {
        if (listed[k].count < listed[k].all) {
            models[k].mined = listed[k].count;
            models[k].least = listed[k].least;
            models[k].retained = std::sqrt(listed[k].square);
        }
    }
    return models;
}

/// Takes the lines of weights of the fragments that are not kept out of the model.
void drop_weights(linear::LinearModel& model, const std::vector<bool>& kept) {
    const std::size_t columns = model.columns();
    const std::size_t lines = model.weights.size() / columns;
    std::size_t next = 0;
    for (std::size_t line = 0; line < lines; ++line) {
        if (line >= model.features || line >= kept.size() || kept[line]) {
            std::copy_n(model.weights.begin() + static_cast<std::ptrdiff_t>(line * columns), columns,
                        model.weights.begin() + static_cast<std::ptrdiff_t>(next * columns));
            ++next;
        }
    }
    model.weights.resize(next * columns);
    model.features -= lines - next;
}

}  // namespace

PrunedModel prune(const Dictionary& dictionary, store::LinearModelFile model, const std::string& model_path,
                  const std::string& dictionary_path, const base::Manifest& manifest,
                  base::ProgressObserver& progress) {
    require_prunable(dictionary, model, model_path);
    const std::vector<bool> kept = have_weight(model.model, dictionary.size());
    store::DictionaryInfo info = dictionary.info();
    info.models = list_kept(dictionary, kept);
    store::DictionaryBuilder builder(dictionary_path, info, dictionary.symbols());
    progress.start("fragments", dictionary.size());
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        if (kept[entry.id]) {
            builder.add(entry.fragment, entry.record.models);
        }
        progress.update(entry.id + 1);
        return true;
    });
    progress.finish();
    PrunedModel pruned{.model = std::move(model), .dictionary = builder.commit(manifest)};
    drop_weights(pruned.model.model, kept);
    pruned.model.info.fragments = pruned.dictionary.fragments;
    pruned.model.info.dictionary = pruned.dictionary.digest;
    return pruned;
}

}  // namespace treeline::classify
