#include "kernel/example_rows.hpp"

#include <algorithm>
#include <functional>

#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/tree_rows.hpp"
#include "kernel/vector_values.hpp"

namespace treeline::kernel {

using example::ExampleSet;
using tree::Forest;
using tree::NodeId;

template <typename T>
class ExampleRows<T>::Factor {
  public:
    virtual ~Factor() = default;
    virtual void row(const ExampleSet& set, std::size_t x, std::span<T> out) const = 0;
    [[nodiscard]] virtual std::size_t bytes() const = 0;
};

namespace {

/// The distinct ones among some trees, and for each tree the number of the distinct one.
struct DistinctTrees {
    std::vector<NodeId> roots;
    std::vector<std::uint32_t> which;

    explicit DistinctTrees(std::span<const NodeId> trees) : roots(trees.begin(), trees.end()) {
        std::ranges::sort(roots);
        roots.erase(std::unique(roots.begin(), roots.end()), roots.end());
        which.reserve(trees.size());
        for (const NodeId tree : trees) {
            which.push_back(
                static_cast<std::uint32_t>(std::ranges::lower_bound(roots, tree) - roots.begin()));
        }
    }
};

/// Rows over a list of trees in which trees may repeat.
template <typename T>
class RepeatedTreeRows {
  public:
    RepeatedTreeRows(const TreeKernel& kernel, const Forest& forest, std::span<const NodeId> trees)
        : distinct_(trees),
          rows_(forest, distinct_.roots, inverse_norms(self_kernels(forest, distinct_.roots, kernel), kernel),
                kernel) {}

    /// add(t, value) for every tree t of the list.
    template <typename Add>
    void row(NodeId x, double norm, Add&& add) const {
        std::vector<T> values(distinct_.roots.size());
        rows_.row(x, norm, values);
        for (std::size_t t = 0; t < distinct_.which.size(); ++t) {
            add(t, values[distinct_.which[t]]);
        }
    }
    [[nodiscard]] std::size_t bytes() const {
        return rows_.bytes() + distinct_.roots.capacity() * sizeof(NodeId) +
               distinct_.which.capacity() * sizeof(std::uint32_t);
    }

  private:
    DistinctTrees distinct_;
    TreeRows<T> rows_;
};

template <typename T>
class TreeFactor final : public ExampleRows<T>::Factor {
  public:
    TreeFactor(const TreeKernel& kernel, const Forest& forest, const ExampleSet& set,
               std::span<const std::uint32_t> targets)
        : kernel_(kernel), forest_(&forest) {
        if (kernel.pairing == Pairing::kAll) {
            std::vector<NodeId> trees;
            for (std::size_t t = 0; t < targets.size(); ++t) {
                for (const NodeId tree : set.trees(targets[t])) {
                    trees.push_back(tree);
                    owner_.push_back(static_cast<std::uint32_t>(t));
                }
            }
            slots_.emplace_back(kernel, forest, trees);
            return;
        }
        for (std::size_t slot = 0; slot < set.most_trees(); ++slot) {
            std::vector<NodeId> trees;
            trees.reserve(targets.size());
            for (const std::uint32_t target : targets) {
                const auto all = set.trees(target);
                trees.push_back(slot < all.size() ? all[slot] : example::kEmptyTree);
            }
            slots_.emplace_back(kernel, forest, trees);
        }
    }

    void row(const ExampleSet& set, std::size_t x, std::span<T> out) const override {
        std::ranges::fill(out, T{0});
        const auto trees = set.trees(x);
        const bool all = kernel_.pairing == Pairing::kAll;
        for (std::size_t k = 0; k < trees.size() && (all || k < slots_.size()); ++k) {
            const NodeId tree = trees[k];
            const double norm = inverse_norms(self_kernels(*forest_, {&tree, 1}, kernel_), kernel_)[0];
            slots_[all ? 0 : k].row(tree, norm,
                                    [&](std::size_t t, T value) { out[all ? owner_[t] : t] += value; });
        }
    }

    [[nodiscard]] std::size_t bytes() const override {
        std::size_t sum = owner_.capacity() * sizeof(std::uint32_t);
        for (const auto& slot : slots_) {
            sum += slot.bytes();
        }
        return sum;
    }

  private:
    TreeKernel kernel_;
    const Forest* forest_;
    std::vector<RepeatedTreeRows<T>>
        slots_;                         // one per tree position; one in all where every tree meets every tree
    std::vector<std::uint32_t> owner_;  // then: the target each tree belongs to
};

template <typename T>
class VectorFactor final : public ExampleRows<T>::Factor {
  public:
    VectorFactor(const VectorKernel& kernel, const ExampleSet& set, std::span<const std::uint32_t> targets)
        : kernel_(kernel), set_(&set), targets_(targets.begin(), targets.end()) {
        for (const std::uint32_t target : targets_) {
            for (std::size_t v = 0; v < set.vector_count(target); ++v) {
                norms_.push_back(inverse_norm(set.vector(target, v), kernel));
            }
            norms_begin_.push_back(norms_.size());
        }
    }

    void row(const ExampleSet& set, std::size_t x, std::span<T> out) const override {
        std::vector<double> x_norms;
        for (std::size_t v = 0; v < set.vector_count(x); ++v) {
            x_norms.push_back(inverse_norm(set.vector(x, v), kernel_));
        }
        base::parallel_pieces(targets_.size(), 4096, [&](std::size_t begin, std::size_t end) {
            for (std::size_t t = begin; t < end; ++t) {
                out[t] = static_cast<T>(sum_over_pairs(
                    kernel_.pairing, set.vector_count(x), set_->vector_count(targets_[t]),
                    [&](std::size_t i, std::size_t j) {
                        return vector_value(dot(set.vector(x, i), set_->vector(targets_[t], j)), kernel_) *
                               x_norms[i] * norms_[norms_begin_[t] + j];
                    }));
            }
        });
    }

    [[nodiscard]] std::size_t bytes() const override {
        return targets_.capacity() * sizeof(std::uint32_t) + norms_.capacity() * sizeof(double) +
               norms_begin_.capacity() * sizeof(std::size_t);
    }

  private:
    VectorKernel kernel_;
    const ExampleSet* set_;
    std::vector<std::uint32_t> targets_;
    std::vector<double> norms_;
    std::vector<std::size_t> norms_begin_{0};
};

}  // namespace

template <typename T>
ExampleRows<T>::ExampleRows(const KernelDescription& kernel, const Forest& forest, const ExampleSet& set,
                            std::span<const std::uint32_t> targets)
    : kernel_(kernel), target_count_(targets.size()) {
    for (const auto& term : kernel.terms) {
        for (const auto& factor : term.factors) {
            if (const auto* tree_kernel = std::get_if<TreeKernel>(&factor)) {
                factors_.push_back(std::make_unique<TreeFactor<T>>(*tree_kernel, forest, set, targets));
            } else {
                factors_.push_back(
                    std::make_unique<VectorFactor<T>>(std::get<VectorKernel>(factor), set, targets));
            }
        }
    }
}

template <typename T>
ExampleRows<T>::~ExampleRows() = default;
template <typename T>
ExampleRows<T>::ExampleRows(ExampleRows&&) noexcept = default;
template <typename T>
ExampleRows<T>& ExampleRows<T>::operator=(ExampleRows&&) noexcept = default;

template <typename T>
void ExampleRows<T>::row(const ExampleSet& set, std::size_t x, std::span<T> out) const {
    if (factors_.size() == 1 && kernel_.terms[0].weight == 1) {
        factors_[0]->row(set, x, out);
        return;
    }
    std::ranges::fill(out, T{0});
    std::vector<T> product(out.size());
    std::vector<T> values(out.size());
    auto factor = factors_.begin();
    for (const auto& term : kernel_.terms) {
        std::ranges::fill(product, static_cast<T>(term.weight));
        for (std::size_t i = 0; i < term.factors.size(); ++i, ++factor) {
            (*factor)->row(set, x, values);
            std::ranges::transform(product, values, product.begin(), std::multiplies<>());
        }
        std::ranges::transform(out, product, out.begin(), std::plus<>());
    }
}

template <typename T>
std::size_t ExampleRows<T>::bytes() const {
    std::size_t sum = 0;
    for (const auto& factor : factors_) {
        sum += factor->bytes();
    }
    return sum;
}

template class ExampleRows<float>;
template class ExampleRows<double>;

}  // namespace treeline::kernel
