#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "svm/cut_bundle.hpp"
#include "svm/cutting_plane.hpp"

namespace treeline::svm {

/// Finds cuts and their products for train_cutting_plane. Examples are named by their position in the data's
/// subset; the constant feature is left to the caller, who says what it adds to every decision value.
class CutOracle {
  public:
    virtual ~CutOracle() = default;

    struct Proposal {
        Cut cut;
        double loss = 0;  ///< mean hinge loss of w as far as the oracle knows it
    };
    /// A cut at w, the weighted sum of the bundle's cuts.
    [[nodiscard]] virtual Proposal propose(const CutBundle& bundle, double constant_value) = 0;
    /// Products of a cut just proposed with the cuts of the bundle and, last, with itself.
    [[nodiscard]] virtual std::vector<double> products(const CutBundle& bundle, const Cut& cut) = 0;
    /// The bundle removed the cuts without keep[i].
    virtual void removed(const CutBundle& bundle, const std::vector<bool>& keep) = 0;
};

/// Takes in a sampled example, if it violates its margin.
inline void add_violated(CutOracle::Proposal& proposal, std::uint32_t example, double weight, double margin,
                         double label) {
    if (margin <= 1) {
        proposal.cut.terms.push_back({example, weight * label});
        proposal.cut.offset += weight;
        proposal.loss += weight * (1 - margin);
    }
}

/// The products of `cut` with each cut of `bundle` and with itself; `value(example)` is the cut's sum of
/// kernel values there.
template <typename Value>
[[nodiscard]] std::vector<double> products_of(const CutBundle& bundle, const Cut& cut, const Value& value) {
    const auto product = [&](const Cut& other) {
        double sum = 0;
        for (const auto& term : other.terms) {
            sum += term.weight * value(term.example);
        }
        return sum;
    };
    std::vector<double> products;
    std::ranges::transform(bundle.cuts(), std::back_inserter(products), product);
    products.push_back(product(cut));
    return products;
}

/// Knows w on all examples, so it can sample those that violate their margin. What `data` and `task` refer to
/// must outlive the oracles. Costs are empty where all are the same.
[[nodiscard]] std::unique_ptr<CutOracle> make_global_oracle(const TrainingData& data,
                                                            const TrainingTask& task,
                                                            const CuttingPlaneOptions& options);
/// Evaluates w on each sample, which is uniform: its work does not depend on the number of examples.
[[nodiscard]] std::unique_ptr<CutOracle> make_local_oracle(const TrainingData& data, const TrainingTask& task,
                                                           const CuttingPlaneOptions& options);

}  // namespace treeline::svm
