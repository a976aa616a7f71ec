#include "fdi/site.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "store/linear_model.hpp"

namespace treeline::fdi {

Site::Site(const std::string& dictionary_path, base::ProgressObserver& progress)
    : dictionary(dictionary_path), relevance(dictionary.info().models), classes(relevance.classes().names()) {
    for (const store::DictionaryModel& model : dictionary.info().models) {
        class_of_model.push_back(relevance.get_class(model.label));
    }
    records.reserve(dictionary.size());
    strongest.reserve(dictionary.size());
    progress.start("dictionary", dictionary.size());
    dictionary.for_each([&](const store::Dictionary::Entry& entry) {
        fragments.add(entry.fragment);
        records.push_back(entry.record);
        const auto best = relevance.strongest(entry.record.models);
        strongest.push_back({best.which, best.relevance});
        progress.update(entry.id + 1);
        return true;
    });
    progress.finish();
}

std::vector<ClassWeight> Site::class_weights(std::uint32_t id) const {
    std::vector<ClassWeight> weights;
    for (const store::ModelRelevance& model : records[id].models) {
        const std::uint32_t which = class_of_model[model.model];
        if (std::ranges::find(weights, which, &ClassWeight::which) == weights.end()) {
            weights.push_back({which, relevance.relevance(records[id].models, which)});
        }
    }
    std::ranges::sort(weights, {}, &ClassWeight::which);
    return weights;
}

void Site::read_trained(const std::string& path) {
    const store::LinearModelFile file = store::read_linear_model(path);
    if (!file.info.dictionary.empty() && file.info.dictionary != dictionary.digest()) {
        throw base::InputError({path}, "the model is over another dictionary than this one");
    }
    trained.resize(size());
    const std::size_t columns = file.model.columns();
    for (std::size_t column = 0; column < columns; ++column) {
        const std::string& label = file.model.labels[column];
        const auto found =
            std::ranges::find_if(classes, [&](const auto& one) { return example::same_class(one, label); });
        const auto which = static_cast<std::uint32_t>(found - classes.begin());
        if (found == classes.end()) {
            classes.push_back(label);
        }
        for (std::uint32_t id = 0; id < std::min<std::uint64_t>(size(), file.model.features); ++id) {
            if (const double weight = file.model.weights[id * columns + column]; weight != 0) {
                trained[id].push_back({which, weight});
            }
        }
    }
}

}  // namespace treeline::fdi
