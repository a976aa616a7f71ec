#include "svm/cut_bundle.hpp"

#include <algorithm>
#include <utility>

namespace treeline::svm {

double Cut::total() const {
    double sum = 0;
    std::ranges::for_each(terms, [&](const kernel::WeightedExample& term) { sum += term.weight; });
    return sum;
}

void CutBundle::add(Cut cut, std::span<const double> products, double c, double gap) {
    qp_.add(cut.offset, products);
    cuts_.push_back(std::move(cut));
    report_ = qp_.solve(c, gap);
    for (std::size_t i = 0; i < cuts_.size(); ++i) {
        cuts_[i].idle = weights()[i] > 0 ? 0 : cuts_[i].idle + 1;
    }
}

std::vector<bool> CutBundle::remove_idle(std::size_t limit) {
    std::vector<bool> keep(cuts_.size());
    std::transform(cuts_.begin(), cuts_.end(), keep.begin(),
                   [&](const Cut& cut) { return cut.idle <= limit; });
    if (std::find(keep.begin(), keep.end(), false) == keep.end()) {
        return {};
    }
    qp_.retain(keep);
    std::erase_if(cuts_, [&](const Cut& cut) { return cut.idle > limit; });
    return keep;
}

void CutBundle::add_coefficients(std::span<double> by_example) const {
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
        if (weights()[c] != 0) {
            for (const auto& term : cuts_[c].terms) {
                by_example[term.example] += weights()[c] * term.weight;
            }
        }
    }
}

double CutBundle::total() const {
    double sum = 0;
    for (std::size_t c = 0; c < cuts_.size(); ++c) {
        sum += weights()[c] == 0 ? 0 : weights()[c] * cuts_[c].total();
    }
    return sum;
}

}  // namespace treeline::svm
