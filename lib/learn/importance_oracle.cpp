#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "learn/cost_sampling.hpp"
#include "learn/cut_oracle.hpp"
#include "learn/kernel_sums.hpp"

namespace treeline::learn {

namespace {

/// Knows w on all training examples: each cut is evaluated on all of them once, and remembered as long as memory allows.
class ImportanceOracle final : public CutOracle {
  public:
    ImportanceOracle(const TrainingData& data, const TrainingTask& task,
                                               const CuttingPlaneOptions& options)
        : data_(data),
          task_(task),
          sample_(options.sample),
          memory_(options.memory),
          space_(data.kernel, data.forest, data.examples, Precision::kSingle),
          all_(space_),
          values_(data.subset.size()),
          total_cost_(task.costs.empty() ? static_cast<double>(data.subset.size())
                                            : std::accumulate(task.costs.begin(), task.costs.end(), 0.0)),
          random_(options.seed) {
        space_.prepare(data.subset);
        all_.append(data.subset);
    }

    Proposal propose(const CutBundle& bundle, double constant_value) override {
        evaluate(bundle);
        std::vector<std::uint32_t> violated;
        double mass = 0;
        Proposal proposal;
        for (std::uint32_t i = 0; i < values_.size(); ++i) {
            const double margin = task_.labels[i] * (values_[i] + constant_value);
            if (margin <= 1) {
                const double share = (task_.costs.empty() ? 1 : task_.costs[i]) / total_cost_;
                violated.push_back(i);
                mass += share;
                proposal.loss += share * (1 - margin);
            }
        }
        proposal.cut.offset = mass;
        if (!violated.empty()) {
            proposal.cut.terms = draw_sample(violated, task_.costs, sample_, random_);
        }
        for (auto& term : proposal.cut.terms) {
            term.weight *= mass * task_.labels[term.example];
        }
        return proposal;
    }

    std::vector<double> products(const CutBundle& bundle, const Cut& cut) override {
        std::vector<double> column(values_.size());
        all_.at_targets(in_set(cut.terms), column);
        const auto product = [&](const Cut& other) {
            double sum = 0;
            for (const auto& term : other.terms) {
                sum += term.weight * column[term.example];
            }
            return sum;
        };
        std::vector<double> products;
        std::ranges::transform(bundle.cuts(), std::back_inserter(products), product);
        products.push_back(product(cut));
        remember(column);
        return products;
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
    static constexpr std::size_t kGrain = 4096;

    [[nodiscard]] std::vector<WeightedExample> in_set(std::vector<WeightedExample> terms) const {
        std::ranges::for_each(terms, [&](WeightedExample& term) { term.example = data_.subset[term.example]; });
        return terms;
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
            base::parallel_pieces(values_.size(), kGrain, [&](std::size_t begin, std::size_t end) {
                std::fill(values_.begin() + static_cast<std::ptrdiff_t>(begin),
                          values_.begin() + static_cast<std::ptrdiff_t>(end), 0.0);
                for (std::size_t c = 0; c < columns_.size(); ++c) {
                    const double weight = bundle.weights()[c];
                    for (std::size_t i = begin; weight != 0 && i < end; ++i) {
                        values_[i] += weight * static_cast<double>(columns_[c][i]);
                    }
                }
            });
            return;
        }
        std::vector<double> coefficients(values_.size());
        bundle.add_coefficients(coefficients);
        std::vector<WeightedExample> terms;
        for (std::uint32_t i = 0; i < coefficients.size(); ++i) {
            if (coefficients[i] != 0) {
                terms.push_back({data_.subset[i], coefficients[i]});
            }
        }
        all_.at_targets(terms, values_);
    }

    TrainingData data_;
    TrainingTask task_;
    std::size_t sample_;
    std::uint64_t memory_;
    KernelSpace space_;
    KernelSums all_;
    std::vector<double> values_;
    double total_cost_;
    bool remembers_ = true;
    std::vector<std::vector<float>> columns_;  // g_c.phi(x_i), one per cut
    base::Random random_;
};

}  // namespace

std::unique_ptr<CutOracle> make_importance_oracle(const TrainingData& data, const TrainingTask& task,
                                               const CuttingPlaneOptions& options) {
    return std::make_unique<ImportanceOracle>(data, task, options);
}

}  // namespace treeline::learn
