#include "polynomial/expanded_weights.hpp"

#include <algorithm>
#include <array>
#include <vector>

#include "polynomial/polynomial_kernel.hpp"

namespace treeline::polynomial {

namespace {

/// The features of a conjunction beside its root, descending and filled up with 0, each plus 1.
using Key = std::array<std::uint32_t, kMaxDegree - 1>;

struct Term {
    Key key{};
    std::uint32_t size = 1;  ///< features of the conjunction
    std::uint32_t row = 0;   ///< the support vector it stems from
};

void collect(std::span<const std::uint32_t> before, unsigned order, Term term, std::vector<Term>& terms) {
    terms.push_back(term);
    for (std::size_t i = 0; order > 0 && i < before.size(); ++i) {
        Term longer = term;
        longer.key[term.size - 1] = before[i] + 1;
        ++longer.size;
        collect(before.first(i), order - 1, longer, terms);
    }
}

}  // namespace

void expand_weights(const PolynomialModel& model,
                    const std::function<void(std::span<const std::uint32_t>, std::span<const double>)>& see) {
    const std::size_t outputs = model.outputs();
    const RowView rows = model.rows();
    const auto coefficients = conjunction_coefficients(model.degree);
    std::vector<double> weights(outputs, 0.0);
    const auto add = [&](std::uint32_t row, double factor) {
        for (std::size_t output = 0; output < outputs; ++output) {
            weights[output] += factor * model.coefficients[row * outputs + output];
        }
    };
    const auto report = [&](std::span<const std::uint32_t> features) {
        if (std::any_of(weights.begin(), weights.end(), [](double w) { return w != 0; })) {
            see(features, weights);
        }
        std::fill(weights.begin(), weights.end(), 0.0);
    };

    std::vector<std::vector<std::uint32_t>> index(model.ranking.size());
    for (std::uint32_t row = 0; row < model.size(); ++row) {
        add(row, coefficients[0]);
        for (const std::uint32_t feature : rows.row(row)) {
            index[feature].push_back(row);
        }
    }
    report({});
    std::vector<Term> terms;
    std::vector<std::uint32_t> features;
    for (std::uint32_t root = 0; root < index.size(); ++root) {
        terms.clear();
        for (const std::uint32_t row : index[root]) {
            const auto all = rows.row(row);
            const auto before = all.first(
                static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), root) - all.begin()));
            collect(before, model.degree - 1, Term{{}, 1, row}, terms);
        }
        std::stable_sort(terms.begin(), terms.end(),
                         [](const Term& a, const Term& b) { return a.key < b.key; });
        for (std::size_t i = 0; i < terms.size(); ++i) {
            add(terms[i].row, coefficients[terms[i].size]);
            if (i + 1 == terms.size() || terms[i + 1].key != terms[i].key) {
                features.assign(1, root);
                for (std::size_t k = 0; k + 1 < terms[i].size; ++k) {
                    features.push_back(terms[i].key[k] - 1);
                }
                report(features);
            }
        }
    }
}

}  // namespace treeline::polynomial
