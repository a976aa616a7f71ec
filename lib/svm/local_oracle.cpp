#include <algorithm>
#include <numeric>

#include "kernel/kernel_sums.hpp"
#include "svm/cost_sampling.hpp"
#include "svm/cut_oracle.hpp"

namespace treeline::svm {

namespace {

/// Knows w through the examples of the cuts, the support, and evaluates it on each sample: no work depends on
/// the number of training examples.
class LocalOracle final : public CutOracle {
  public:
    LocalOracle(const TrainingData& data, const TrainingTask& task, const CuttingPlaneOptions& options)
        : data_(data),
          task_(task),
          sample_(options.sample),
          space_(data.kernel, data.forest, data.examples, kernel::Precision::kSingle),
          support_(space_),
          target_of_(data.subset.size(), kNone),
          pool_(data.subset.size()),
          random_(options.seed) {
        std::iota(pool_.begin(), pool_.end(), 0U);
    }

    Proposal propose(const CutBundle& bundle, double constant_value) override {
        const auto sample = draw_sample(pool_, task_.costs, sample_, random_);
        const auto examples = in_set(sample, &kernel::WeightedExample::example);
        space_.prepare(examples);

        std::vector<double> by_target(members_.size());
        for (std::size_t c = 0; c < bundle.cuts().size(); ++c) {
            for (const auto& term : bundle.cuts()[c].terms) {
                by_target[target_of_[term.example]] += bundle.weights()[c] * term.weight;
            }
        }
        std::vector<double> values(sample.size());
        support_.at_examples(by_target, examples, values);

        Proposal proposal;
        for (std::size_t i = 0; i < sample.size(); ++i) {
            const double label = task_.labels[sample[i].example];
            add_violated(proposal, sample[i].example, sample[i].weight, label * (values[i] + constant_value),
                         label);
        }
        return proposal;
    }

    std::vector<double> products(const CutBundle& bundle, const Cut& cut) override {
        std::vector<std::uint32_t> fresh;
        for (const auto& term : cut.terms) {
            if (target_of_[term.example] == kNone) {
                fresh.push_back(term.example);
            }
        }
        add_targets(fresh);
        std::vector<kernel::WeightedExample> x;
        for (const auto& term : cut.terms) {
            x.push_back({data_.subset[term.example], term.weight});
        }
        std::vector<double> values(members_.size());
        support_.at_targets(x, values);
        return products_of(bundle, cut, [&](std::uint32_t example) { return values[target_of_[example]]; });
    }

    void removed(const CutBundle& bundle, const std::vector<bool>& /*keep*/) override {
        std::vector<std::uint32_t> live;
        for (const Cut& cut : bundle.cuts()) {
            std::ranges::transform(cut.terms, std::back_inserter(live), &kernel::WeightedExample::example);
        }
        std::ranges::sort(live);
        live.erase(std::unique(live.begin(), live.end()), live.end());
        if (live.size() * 2 < members_.size()) {
            std::ranges::for_each(members_, [&](std::uint32_t member) { target_of_[member] = kNone; });
            members_.clear();
            support_.clear();
            add_targets(live);
        }
    }

  private:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    template <typename Items, typename Position>
    [[nodiscard]] std::vector<std::uint32_t> in_set(const Items& items, Position position) const {
        std::vector<std::uint32_t> examples;
        examples.reserve(items.size());
        for (const auto& item : items) {
            examples.push_back(data_.subset[std::invoke(position, item)]);
        }
        return examples;
    }

    void add_targets(const std::vector<std::uint32_t>& members) {
        for (const std::uint32_t member : members) {
            target_of_[member] = static_cast<std::uint32_t>(members_.size());
            members_.push_back(member);
        }
        support_.append(in_set(members, std::identity()));
    }

    TrainingData data_;
    TrainingTask task_;
    std::size_t sample_;
    kernel::KernelSpace space_;
    kernel::KernelSums support_;
    std::vector<std::uint32_t> members_;    // training examples that are targets of support_, in order
    std::vector<std::uint32_t> target_of_;  // the other way round
    std::vector<std::uint32_t> pool_;
    base::Random random_;
};

}  // namespace

std::unique_ptr<CutOracle> make_local_oracle(const TrainingData& data, const TrainingTask& task,
                                             const CuttingPlaneOptions& options) {
    return std::make_unique<LocalOracle>(data, task, options);
}

}  // namespace treeline::svm
