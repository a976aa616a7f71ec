#include "kernel/kernel_space.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/example_rows.hpp"
#include "kernel/tree_block.hpp"
#include "kernel/vector_values.hpp"

namespace treeline::kernel {

using example::ExampleSet;
using kernel::KernelDescription;
using kernel::KernelTerm;
using tree::Forest;

class KernelSpace::Term {
  public:
    virtual ~Term() = default;
    virtual void prepare(std::span<const std::uint32_t> examples) = 0;
    [[nodiscard]] virtual std::unique_ptr<KernelBlock> make_block(
        std::span<const std::uint32_t> targets) const = 0;
};

namespace {

/// Sums over examples are formed in at most this many parts, which are added in order.
constexpr std::size_t kParts = 16;

/// Calls add(i, part) for i in [0, count), in parallel, and adds the parts to `out` in order.
template <typename Add>
void add_in_parts(std::size_t count, std::span<double> out, const Add& add) {
    const std::size_t grain = std::max<std::size_t>(1, (count + kParts - 1) / kParts);
    std::vector<std::vector<double>> parts((count + grain - 1) / grain);
    base::parallel_pieces(count, grain, [&](std::size_t begin, std::size_t end) {
        auto& part = parts[begin / grain];
        part.assign(out.size(), 0);
        for (std::size_t i = begin; i < end; ++i) {
            add(i, part);
        }
    });
    for (const auto& part : parts) {
        std::ranges::transform(out, part, out.begin(), std::plus<>());
    }
}

class TreeTerm final : public KernelSpace::Term {
  public:
    explicit TreeTerm(TreeSlot slot) : slot_(std::move(slot)) {}
    void prepare(std::span<const std::uint32_t> examples) override { slot_.prepare(examples); }
    [[nodiscard]] std::unique_ptr<KernelBlock> make_block(
        std::span<const std::uint32_t> targets) const override {
        return std::make_unique<TreeBlock>(slot_, targets);
    }

  private:
    TreeSlot slot_;
};

/// The vectors at one place of each example, under the linear kernel: w is kept by its features.
class LinearBlock final : public KernelBlock {
  public:
    LinearBlock(const ExampleSet& set, const kernel::VectorKernel& kernel, std::size_t place, double weight,
                std::span<const std::uint32_t> targets)
        : set_(&set),
          kernel_(kernel),
          place_(place),
          weight_(weight),
          targets_(targets.begin(), targets.end()) {
        for (const std::uint32_t target : targets) {
            for (const auto& feature : vector(target)) {
                indices_.push_back(feature.index);
            }
        }
        std::ranges::sort(indices_);
        indices_.erase(std::unique(indices_.begin(), indices_.end()), indices_.end());
        norms_.reserve(targets.size());
        std::ranges::transform(targets, std::back_inserter(norms_), [&](std::uint32_t target) {
            return kernel::inverse_norm(vector(target), kernel_);
        });
    }

    void add_at_targets(std::span<const WeightedExample> x, std::span<double> out) const override {
        std::vector<double> weights(indices_.size());
        for (const auto& item : x) {
            const double scale = item.weight * kernel::inverse_norm(vector(item.example), kernel_);
            for_each(item.example, [&](std::size_t at, double value) { weights[at] += scale * value; });
        }
        base::parallel_pieces(targets_.size(), 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) {
                out[t] += weight_ * norms_[t] * value(targets_[t], weights);
            }
        });
    }

    void add_at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                         std::span<double> out) const override {
        std::vector<double> by_feature(indices_.size());
        for (std::size_t t = 0; t < weights.size(); ++t) {
            for_each(targets_[t],
                     [&](std::size_t at, double value) { by_feature[at] += weights[t] * norms_[t] * value; });
        }
        base::parallel_pieces(examples.size(), 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t k = begin; k < end; ++k) {
                out[k] += weight_ * kernel::inverse_norm(vector(examples[k]), kernel_) *
                          value(examples[k], by_feature);
            }
        });
    }

    [[nodiscard]] std::size_t bytes() const override {
        return (targets_.capacity() + indices_.capacity()) * sizeof(std::uint32_t) +
               norms_.capacity() * sizeof(double);
    }

  private:
    [[nodiscard]] std::span<const example::Feature> vector(std::uint32_t example) const {
        return place_ < set_->vector_count(example) ? set_->vector(example, place_)
                                                    : std::span<const example::Feature>();
    }
    template <typename Visit>
    void for_each(std::uint32_t example, const Visit& visit) const {
        for (const auto& feature : vector(example)) {
            const auto at = std::ranges::lower_bound(indices_, feature.index);
            if (at != indices_.end() && *at == feature.index) {
                visit(static_cast<std::size_t>(at - indices_.begin()), feature.value);
            }
        }
    }
    [[nodiscard]] double value(std::uint32_t example, std::span<const double> weights) const {
        double sum = 0;
        for_each(example, [&](std::size_t at, double value) { sum += weights[at] * value; });
        return sum;
    }

    const ExampleSet* set_;
    kernel::VectorKernel kernel_;
    std::size_t place_;
    double weight_;
    std::vector<std::uint32_t> targets_;
    std::vector<std::uint32_t> indices_;  // of the features the targets have, ascending
    std::vector<double> norms_;           // inverse, of the targets
};

class LinearTerm final : public KernelSpace::Term {
  public:
    LinearTerm(const ExampleSet& set, const kernel::VectorKernel& kernel, std::size_t place, double weight)
        : set_(&set), kernel_(kernel), place_(place), weight_(weight) {}
    void prepare(std::span<const std::uint32_t> /*examples*/) override {}
    [[nodiscard]] std::unique_ptr<KernelBlock> make_block(
        std::span<const std::uint32_t> targets) const override {
        return std::make_unique<LinearBlock>(*set_, kernel_, place_, weight_, targets);
    }

  private:
    const ExampleSet* set_;
    kernel::VectorKernel kernel_;
    std::size_t place_;
    double weight_;
};

/// Any kernel, by its rows: pair by pair.
class RowsBlock final : public KernelBlock {
  public:
    RowsBlock(const KernelDescription& kernel, const Forest& forest, const ExampleSet& set,
              std::span<const std::uint32_t> targets)
        : set_(&set), rows_(kernel, forest, set, targets) {}

    void add_at_targets(std::span<const WeightedExample> x, std::span<double> out) const override {
        add_in_parts(x.size(), out, [&](std::size_t i, std::span<double> part) {
            std::vector<double> row(part.size());
            rows_.row(*set_, x[i].example, row);
            std::ranges::transform(part, row, part.begin(),
                                   [&](double sum, double value) { return sum + x[i].weight * value; });
        });
    }
    void add_at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                         std::span<double> out) const override {
        base::parallel_pieces(examples.size(), 16, [&](std::size_t begin, std::size_t end) {
            std::vector<double> row(weights.size());
            for (std::size_t k = begin; k < end; ++k) {
                rows_.row(*set_, examples[k], row);
                double sum = 0;
                for (std::size_t t = 0; t < row.size(); ++t) {
                    sum += weights[t] * row[t];
                }
                out[k] += sum;
            }
        });
    }
    [[nodiscard]] std::size_t bytes() const override { return rows_.bytes(); }

  private:
    const ExampleSet* set_;
    kernel::ExampleRows<double> rows_;
};

class RowsTerm final : public KernelSpace::Term {
  public:
    RowsTerm(KernelTerm term, const Forest& forest, const ExampleSet& set)
        : kernel_{{std::move(term)}}, forest_(&forest), set_(&set) {}
    void prepare(std::span<const std::uint32_t> /*examples*/) override {}
    [[nodiscard]] std::unique_ptr<KernelBlock> make_block(
        std::span<const std::uint32_t> targets) const override {
        return std::make_unique<RowsBlock>(kernel_, *forest_, *set_, targets);
    }

  private:
    KernelDescription kernel_;
    const Forest* forest_;
    const ExampleSet* set_;
};

/// Blocks of the terms of a sum.
class SumBlock final : public KernelBlock {
  public:
    explicit SumBlock(std::vector<std::unique_ptr<KernelBlock>> blocks) : blocks_(std::move(blocks)) {}
    void add_at_targets(std::span<const WeightedExample> x, std::span<double> out) const override {
        std::ranges::for_each(blocks_, [&](const auto& block) { block->add_at_targets(x, out); });
    }
    void add_at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                         std::span<double> out) const override {
        std::ranges::for_each(blocks_,
                              [&](const auto& block) { block->add_at_examples(weights, examples, out); });
    }
    [[nodiscard]] std::size_t bytes() const override {
        std::size_t sum = 0;
        std::ranges::for_each(blocks_, [&](const auto& block) { sum += block->bytes(); });
        return sum;
    }

  private:
    std::vector<std::unique_ptr<KernelBlock>> blocks_;
};

}  // namespace

KernelSpace::KernelSpace(const KernelDescription& kernel, const Forest& forest, const ExampleSet& examples,
                         Precision precision)
    : examples_(&examples) {
    kernel::require_fitting(kernel, examples);
    for (const auto& term : kernel.terms) {
        const auto* trees =
            term.factors.size() == 1 ? std::get_if<kernel::TreeKernel>(term.factors.data()) : nullptr;
        const auto* vectors =
            term.factors.size() == 1 ? std::get_if<kernel::VectorKernel>(term.factors.data()) : nullptr;
        if (trees != nullptr && trees->pairing == kernel::Pairing::kAll) {
            terms_.push_back(std::make_unique<TreeTerm>(
                TreeSlot{&forest, &examples, *trees, TreeSlot::kAllTrees, term.weight, precision, 0, {}}));
        } else if (trees != nullptr) {
            for (std::size_t place = 0; place < examples.most_trees(); ++place) {
                terms_.push_back(std::make_unique<TreeTerm>(
                    TreeSlot{&forest, &examples, *trees, place, term.weight, precision, 0, {}}));
            }
        } else if (vectors != nullptr && vectors->kind == kernel::VectorKernelKind::kLinear &&
                   vectors->pairing == kernel::Pairing::kAligned) {
            for (std::size_t place = 0; place < examples.most_vectors(); ++place) {
                terms_.push_back(std::make_unique<LinearTerm>(examples, *vectors, place, term.weight));
            }
        } else {
            terms_.push_back(std::make_unique<RowsTerm>(term, forest, examples));
        }
    }
}

KernelSpace::~KernelSpace() = default;

void KernelSpace::prepare(std::span<const std::uint32_t> examples) {
    std::ranges::for_each(terms_, [&](const auto& term) { term->prepare(examples); });
}

std::unique_ptr<KernelBlock> KernelSpace::make_block(std::span<const std::uint32_t> targets) const {
    if (terms_.size() == 1) {
        return terms_[0]->make_block(targets);
    }
    std::vector<std::unique_ptr<KernelBlock>> blocks;
    std::ranges::transform(terms_, std::back_inserter(blocks),
                           [&](const auto& term) { return term->make_block(targets); });
    return std::make_unique<SumBlock>(std::move(blocks));
}

}  // namespace treeline::kernel
