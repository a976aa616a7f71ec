#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "fragment/score.hpp"
#include "store/class_relevance.hpp"
#include "store/dictionary.hpp"

namespace treeline::fdi {

/// A fragment's weight for a class.
struct ClassWeight {
    std::uint32_t which = 0;  ///< number in Site::classes
    double weight = 0;
};

/// Examples that have a fragment, those of its class and the others; numbers in the list of kept examples.
struct Occurring {
    std::vector<std::uint32_t> pro;
    std::vector<std::uint32_t> contra;
};

/// Everything about a dictionary that its pages show, in memory.
struct Site {
    Site(const std::string& dictionary_path, base::ProgressObserver& progress);

    store::Dictionary dictionary;
    store::ClassRelevance relevance;
    std::vector<std::string>
        classes;  ///< those of the models in order, then those that only the linear model knows
    std::vector<std::uint32_t> class_of_model;
    fragment::FragmentList fragments;
    std::vector<store::FragmentRecord> records;
    std::vector<ClassWeight> strongest;             ///< by fragment: the class for which it is most relevant
    std::vector<std::vector<ClassWeight>> trained;  ///< by fragment; empty without a linear model
    std::vector<Occurring> occurring;               ///< by fragment; empty without examples

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(records.size()); }
    /// The relevances of a fragment for each class whose models list it.
    [[nodiscard]] std::vector<ClassWeight> class_weights(std::uint32_t id) const;
    /// Fills `trained`. Throws InputError where the model is over another dictionary.
    void read_trained(const std::string& path);
};

}  // namespace treeline::fdi
