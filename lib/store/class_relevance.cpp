#include "store/class_relevance.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/text.hpp"
#include "store/dictionary.hpp"

namespace treeline::store {

ClassRelevance::ClassRelevance(const std::vector<DictionaryModel>& models) {
    std::vector<std::string> labels;
    std::ranges::transform(models, std::back_inserter(labels), &DictionaryModel::label);
    classes_ = example::ClassSet(labels);
    splits_.resize(classes_.size());
    for (const std::string& label : labels) {
        class_of_.push_back(*classes_.find(label));
        ++splits_[class_of_.back()];
    }
}

std::uint32_t ClassRelevance::get_class(const std::string& label) const {
    if (const auto found = classes_.find(label)) {
        return *found;
    }
    std::string known;
    for (const std::string& name : classes_.names()) {
        known += (known.empty() ? "" : ", ") + base::quoted(name);
    }
    throw base::UsageError("no model of the dictionary is of the class " + base::quoted(label) +
                           "; there are " + known);
}

std::uint32_t ClassRelevance::class_of(const ModelRelevance& model) const {
    if (model.model >= class_of_.size()) {
        throw base::Error("a fragment has a relevance in model " + std::to_string(model.model) +
                          ", and the dictionary has " + std::to_string(class_of_.size()) +
                          " models; it is damaged");
    }
    return class_of_[model.model];
}

double ClassRelevance::relevance(std::span<const ModelRelevance> models, std::uint32_t which) const {
    double sum = 0;
    for (const ModelRelevance& model : models) {
        sum += class_of(model) == which ? model.relevance : 0;
    }
    return sum / splits_[which];
}

ClassRelevance::Strongest ClassRelevance::strongest(std::span<const ModelRelevance> models) const {
    std::vector<double> sums(classes_.size());
    for (const ModelRelevance& model : models) {
        sums[class_of(model)] += model.relevance;
    }
    Strongest best;
    for (std::uint32_t which = 0; which < sums.size(); ++which) {
        const double mean = sums[which] / splits_[which];
        if (std::abs(mean) > std::abs(best.relevance)) {
            best = {which, mean};
        }
    }
    return best;
}

std::vector<RankedFragment> rank_for_class(const Dictionary& dictionary, std::uint32_t which,
                                           std::size_t count) {
    const ClassRelevance classes(dictionary.info().models);
    std::vector<RankedFragment> ranked;
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        const double relevance = classes.relevance(entry.record.models, which);
        if (relevance != 0) {
            ranked.push_back({entry.id, relevance});
        }
        return true;
    });
    std::ranges::sort(ranked, [](const RankedFragment& a, const RankedFragment& b) {
        return std::abs(a.relevance) != std::abs(b.relevance) ? std::abs(a.relevance) > std::abs(b.relevance)
                                                              : a.id < b.id;
    });
    if (count > 0 && ranked.size() > count) {
        ranked.resize(count);
    }
    return ranked;
}

}  // namespace treeline::store
