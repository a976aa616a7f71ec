#include "polynomial/polynomial_classifier.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "base/parallel.hpp"
#include "polynomial/conjunction_numbers.hpp"
#include "polynomial/packed_rows.hpp"
#include "polynomial/support_entries.hpp"
#include "polynomial/weight_trie.hpp"

namespace treeline::polynomial {

class PolynomialClassifier::Implementation {
  public:
    virtual ~Implementation() = default;
    [[nodiscard]] virtual std::unique_ptr<Scratch> make_scratch() const = 0;
    virtual void margins(std::span<const std::uint32_t> row, std::span<double> out,
                         Scratch& scratch) const = 0;
    [[nodiscard]] virtual std::vector<Contribution> contributions(std::span<const std::uint32_t> row,
                                                                  std::size_t output) const = 0;
};

namespace {

struct RowScratch final : PolynomialClassifier::Scratch {
    RowScratch(std::size_t features, unsigned degree) : query(features), numbers(degree - 1) {}
    RowQuery query;
    ConjunctionNumbers numbers;
    std::vector<std::uint32_t> row;
};

/// Calls see(conjunction) for every choice of at most `order` of the first `count` features of `row`,
/// appended to `conjunction` in descending order.
template <typename See>
void choose(std::span<const std::uint32_t> row, unsigned order, std::vector<std::uint32_t>& conjunction,
            const See& see) {
    see(conjunction);
    if (order == 0) {
        return;
    }
    for (std::size_t i = 0; i < row.size(); ++i) {
        conjunction.push_back(row[i]);
        choose(row.first(i), order - 1, conjunction, see);
        conjunction.pop_back();
    }
}

std::vector<OutputChange> changes_of(const double* coefficients, std::size_t outputs) {
    std::vector<OutputChange> changes;
    for (std::uint32_t output = 0; output < outputs; ++output) {
        if (coefficients[output] != 0) {
            changes.push_back({output, coefficients[output]});
        }
    }
    return changes;
}

template <typename Trie>
class SplitClassifier final : public PolynomialClassifier::Implementation {
  public:
    SplitClassifier(const PolynomialModel& model, std::uint64_t memory)
        : model_(model),
          rows_(model.rows()),
          packed_(rows_),
          kernel_(model.degree, model.longest_row()),
          weights_(model.degree, model.outputs()),
          entries_(model.size(), model.outputs(), true),
          index_(model.ranking.size()) {
        for (std::uint32_t entry = 0; entry < model.size(); ++entry) {
            entries_.add(entry, changes_of(&model.coefficients[entry * model.outputs()], model.outputs()));
            packed_.append(entry);
            for (const std::uint32_t feature : rows_.row(entry)) {
                index_[feature].push_back(entry);
            }
        }
        for (std::uint32_t feature = 0; feature < index_.size() && feature < weights_.root_limit();
             ++feature) {
            if (weights_.bytes() >= memory) {
                break;
            }
            if (pays(feature)) {
                expand(feature);
                if (weights_.bytes() > memory) {
                    weights_.drop_root(feature);
                } else {
                    index_[feature] = {};
                }
            }
        }
    }

    [[nodiscard]] std::unique_ptr<PolynomialClassifier::Scratch> make_scratch() const override {
        return std::make_unique<RowScratch>(model_.ranking.size(), model_.degree);
    }

    void margins(std::span<const std::uint32_t> row, std::span<double> out,
                 PolynomialClassifier::Scratch& scratch) const override {
        auto& own = static_cast<RowScratch&>(scratch);
        // A copy: what the scratch remembers of the last row must not depend on the caller's memory.
        own.numbers.set({});
        own.row.assign(row.begin(), row.end());
        own.query.clear();
        own.numbers.set(own.row);
        std::copy(entries_.sums().begin(), entries_.sums().end(), out.begin());
        for (std::size_t position = 0; position < row.size(); ++position) {
            if (weights_.has_root(row[position])) {
                weights_.accumulate(own.numbers, position, out.data());
            } else {
                accumulate_gains(packed_, entries_, index_[row[position]], own.query, row[position], kernel_,
                                 out.data());
            }
            own.query.add(row[position]);
        }
    }

    [[nodiscard]] std::vector<Contribution> contributions(std::span<const std::uint32_t> row,
                                                          std::size_t output) const override {
        const auto coefficients = conjunction_coefficients(model_.degree);
        std::vector<double> out(model_.outputs());
        std::vector<Contribution> result{{{}, entries_.sums()[output]}};
        std::vector<std::uint32_t> others;
        for (std::size_t position = 0; position < row.size(); ++position) {
            const std::uint32_t root = row[position];
            const auto before = row.first(position);
            std::map<std::vector<std::uint32_t>, double> found;
            if (weights_.has_root(root)) {
                choose(before, model_.degree - 1, others, [&](const std::vector<std::uint32_t>& chosen) {
                    std::fill(out.begin(), out.end(), 0.0);
                    weights_.accumulate_one(chosen, root, out.data());
                    found[chosen] = out[output];
                });
            }
            for (const std::uint32_t entry : index_[root]) {
                std::vector<std::uint32_t> shared;
                const auto support = rows_.row(entry);
                std::set_intersection(before.begin(), before.end(), support.begin(), support.end(),
                                      std::back_inserter(shared));
                choose(shared, model_.degree - 1, others, [&](const std::vector<std::uint32_t>& chosen) {
                    found[chosen] += coefficients[chosen.size() + 1] *
                                     model_.coefficients[entry * model_.outputs() + output];
                });
            }
            for (const auto& [chosen, weight] : found) {
                Contribution contribution{chosen, weight};
                contribution.features.push_back(root);
                std::sort(contribution.features.begin(), contribution.features.end());
                result.push_back(std::move(contribution));
            }
        }
        return result;
    }

  private:
    /// More support vectors than look-ups, at the mean place that the feature has in them.
    [[nodiscard]] bool pays(std::uint32_t feature) const {
        if (index_[feature].empty()) {
            return false;
        }
        std::size_t positions = 0;
        for (const std::uint32_t entry : index_[feature]) {
            positions += position_of(feature, rows_.row(entry));
        }
        const std::size_t mean = positions / index_[feature].size();
        return static_cast<double>(index_[feature].size()) * Trie::kLookupsPerEntry >
               static_cast<double>(conjunction_count(model_.degree - 1, mean));
    }

    void expand(std::uint32_t feature) {
        ConjunctionNumbers numbers(model_.degree - 1);
        for (const std::uint32_t entry : index_[feature]) {
            const auto row = rows_.row(entry);
            numbers.set(row);
            weights_.add(numbers, position_of(feature, row), entries_.changes(entry));
        }
    }

    static std::size_t position_of(std::uint32_t feature, std::span<const std::uint32_t> row) {
        return static_cast<std::size_t>(std::lower_bound(row.begin(), row.end(), feature) - row.begin());
    }

    const PolynomialModel& model_;
    RowView rows_;
    PackedRows packed_;
    PolynomialKernel kernel_;
    Trie weights_;
    SupportEntries entries_;
    std::vector<std::vector<std::uint32_t>> index_;  ///< of the features without explicit weights
};

}  // namespace

PolynomialClassifier::PolynomialClassifier(const PolynomialModel& model, std::uint64_t memory)
    : outputs_(model.outputs()) {
    if (outputs_ == 1) {
        implementation_ = std::make_unique<SplitClassifier<ScalarWeightTrie>>(model, memory);
    } else {
        implementation_ = std::make_unique<SplitClassifier<VectorWeightTrie>>(model, memory);
    }
}

PolynomialClassifier::~PolynomialClassifier() = default;

std::unique_ptr<PolynomialClassifier::Scratch> PolynomialClassifier::make_scratch() const {
    return implementation_->make_scratch();
}

void PolynomialClassifier::margins(std::span<const std::uint32_t> row, std::span<double> out,
                                   Scratch& scratch) const {
    implementation_->margins(row, out, scratch);
}

std::vector<double> PolynomialClassifier::margins(std::span<const std::vector<std::uint32_t>> rows) const {
    constexpr std::size_t kPiece = 512;  // rows that one thread takes at a time
    std::vector<double> all(rows.size() * outputs_);
    base::parallel_pieces(rows.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        const auto scratch = make_scratch();
        for (std::size_t i = begin; i < end; ++i) {
            margins(rows[i], std::span(all).subspan(i * outputs_, outputs_), *scratch);
        }
    });
    return all;
}

std::vector<Contribution> PolynomialClassifier::explain(std::span<const std::uint32_t> row,
                                                        std::size_t output, std::size_t count) const {
    std::vector<Contribution> all = implementation_->contributions(row, output);
    std::erase_if(all, [](const Contribution& c) { return c.weight == 0; });
    std::sort(all.begin(), all.end(), [](const Contribution& a, const Contribution& b) {
        const double x = std::abs(a.weight);
        const double y = std::abs(b.weight);
        return x != y ? x > y : a.features < b.features;
    });
    all.resize(std::min(all.size(), count));
    return all;
}

}  // namespace treeline::polynomial
