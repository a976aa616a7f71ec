#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "example/class_set.hpp"
#include "store/dictionary_format.hpp"

namespace treeline::store {

class Dictionary;

/// What the models of a dictionary say about a fragment, class by class.
///
/// Every model is of a class (against the rest, or of the positive one of two) and of a split of the data. The relevance
/// of a fragment for a class is the mean over the class's models, where one that does not list the fragment counts as
/// 0. Relevances for several classes are never added up: one against the rest, they cancel. The relevance of a fragment
/// is that of the class for which it is largest by amount; of classes that tie, the first.
class ClassRelevance {
  public:
    explicit ClassRelevance(const std::vector<DictionaryModel>& models);

    [[nodiscard]] const example::ClassSet& classes() const { return classes_; }
    /// The number of a class; throws base::UsageError that lists the classes where no model is of it.
    [[nodiscard]] std::uint32_t get_class(const std::string& label) const;
    [[nodiscard]] const std::string& name(std::uint32_t which) const { return classes_.names()[which]; }

    [[nodiscard]] double relevance(std::span<const ModelRelevance> models, std::uint32_t which) const;
    struct Strongest {
        std::uint32_t which = 0;
        double relevance = 0;
    };
    [[nodiscard]] Strongest strongest(std::span<const ModelRelevance> models) const;

  private:
    [[nodiscard]] std::uint32_t class_of(const ModelRelevance& model) const;

    example::ClassSet classes_;
    std::vector<std::uint32_t> class_of_;  // by model
    std::vector<std::uint32_t> splits_;    // by class: models of it
};

/// A fragment and its relevance for a class.
struct RankedFragment {
    std::uint32_t id = 0;
    double relevance = 0;
};

/// The fragments that models of a class list, by |relevance for the class| descending, then by number; the first
/// `count`, 0 = all. Reads the whole dictionary.
[[nodiscard]] std::vector<RankedFragment> rank_for_class(const Dictionary& dictionary, std::uint32_t which,
                                                         std::size_t count = 0);

}  // namespace treeline::store
