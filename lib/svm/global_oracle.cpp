#include <algorithm>
#include <numeric>

#include "svm/cost_sampling.hpp"
#include "svm/cut_oracle.hpp"
#include "svm/kernel_columns.hpp"

namespace treeline::svm {

namespace {

/// Knows w on all training examples: each cut is evaluated on all of them once, and remembered as long as
/// memory allows.
class GlobalOracle final : public CutOracle {
  public:
    GlobalOracle(const TrainingData& data, const TrainingTask& task, const CuttingPlaneOptions& options)
        : task_(task),
          sampling_(options.sampling),
          sample_(options.sample),
          memory_(options.memory / 2),
          kernel_(data, data.subset.size() <= options.small ? options.memory / 2 : 0),
          values_(data.subset.size()),
          pool_(data.subset.size()),
          total_cost_(task.costs.empty() ? static_cast<double>(data.subset.size())
                                         : std::accumulate(task.costs.begin(), task.costs.end(), 0.0)),
          random_(options.seed) {
        std::iota(pool_.begin(), pool_.end(), 0U);
    }

    Proposal propose(const CutBundle& bundle, double constant_value) override {
        evaluate(bundle);
        const auto margin = [&](std::uint32_t example) {
            return task_.labels[example] * (values_[example] + constant_value);
        };
        return sampling_ == CutSampling::kUniform ? propose_uniform(margin) : propose_important(margin);
    }

    std::vector<double> products(const CutBundle& bundle, const Cut& cut) override {
        std::vector<double> column(values_.size());
        kernel_.sum(cut.terms, column);
        remember(column);
        return products_of(bundle, cut, [&](std::uint32_t example) { return column[example]; });
    }

    void removed(const CutBundle& /*bundle*/, const std::vector<bool>& keep) override {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < columns_.size(); ++i) {
            if (keep[i]) {
                std::swap(columns_[kept++], columns_[i]);
            }
        }
        columns_.resize(kept);
    }

  private:
    template <typename Margin>
    [[nodiscard]] Proposal propose_uniform(const Margin& margin) {
        Proposal proposal;
        for (const auto& [example, weight] : draw_sample(pool_, task_.costs, sample_, random_)) {
            add_violated(proposal, example, weight, margin(example), task_.labels[example]);
        }
        return proposal;
    }

    template <typename Margin>
    [[nodiscard]] Proposal propose_important(const Margin& margin) {
        std::vector<std::uint32_t> violated;
        Proposal proposal;
        for (std::uint32_t i = 0; i < values_.size(); ++i) {
            if (margin(i) <= 1) {
                const double share = (task_.costs.empty() ? 1 : task_.costs[i]) / total_cost_;
                violated.push_back(i);
                proposal.cut.offset += share;
                proposal.loss += share * (1 - margin(i));
            }
        }
        if (!violated.empty()) {
            proposal.cut.terms = draw_sample(violated, task_.costs, sample_, random_);
        }
        for (auto& term : proposal.cut.terms) {
            term.weight *= proposal.cut.offset * task_.labels[term.example];
        }
        return proposal;
    }

    void remember(const std::vector<double>& column) {
        if (remembers_ && (columns_.size() + 1) * column.size() * sizeof(float) > memory_) {
            remembers_ = false;
            columns_.clear();
        }
        if (remembers_) {
            columns_.emplace_back(column.begin(), column.end());
        }
    }

    /// values_[i] = w.phi(x_i).
    void evaluate(const CutBundle& bundle) {
        if (remembers_) {
            std::vector<const float*> columns;
            std::ranges::transform(columns_, std::back_inserter(columns),
                                   [](const auto& column) { return column.data(); });
            sum_columns(bundle.weights().first(columns.size()), columns, values_);
            return;
        }
        std::vector<double> coefficients(values_.size());
        bundle.add_coefficients(coefficients);
        std::vector<kernel::WeightedExample> terms;
        for (std::uint32_t i = 0; i < coefficients.size(); ++i) {
            if (coefficients[i] != 0) {
                terms.push_back({i, coefficients[i]});
            }
        }
        kernel_.sum(terms, values_);
    }

    TrainingTask task_;
    CutSampling sampling_;
    std::size_t sample_;
    std::uint64_t memory_;  // for columns_
    KernelColumns kernel_;
    std::vector<double> values_;
    std::vector<std::uint32_t> pool_;  // all examples, in any order
    double total_cost_;
    bool remembers_ = true;
    std::vector<std::vector<float>> columns_;  // g_c.phi(x_i), one per cut
    base::Random random_;
};

}  // namespace

std::unique_ptr<CutOracle> make_global_oracle(const TrainingData& data, const TrainingTask& task,
                                              const CuttingPlaneOptions& options) {
    return std::make_unique<GlobalOracle>(data, task, options);
}

}  // namespace treeline::svm
