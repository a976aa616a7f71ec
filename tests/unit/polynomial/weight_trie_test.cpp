#include "polynomial/weight_trie.hpp"

#include <map>
#include <set>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace treeline;
using Row = std::vector<std::uint32_t>;

namespace {

/// Weights of conjunctions in a map, by the set of their features.
struct PlainTrie {
    unsigned degree;
    std::size_t outputs;
    std::map<Row, std::vector<double>> weights;

    template <typename See>
    void subsets(std::span<const std::uint32_t> before, Row chosen, const See& see) const {
        see(chosen);
        for (std::size_t i = 0; chosen.size() < degree && i < before.size(); ++i) {
            Row more = chosen;
            more.push_back(before[i]);
            subsets(before.first(i), more, see);
        }
    }
    void add(std::span<const std::uint32_t> row, std::size_t position,
             std::span<const polynomial::OutputChange> changes) {
        const auto coefficients = polynomial::conjunction_coefficients(degree);
        subsets(row.first(position), {row[position]}, [&](const Row& conjunction) {
            auto& weight = weights.try_emplace(conjunction, outputs, 0.0).first->second;
            for (const auto& change : changes) {
                weight[change.output] += coefficients[conjunction.size()] * change.amount;
            }
        });
    }
    [[nodiscard]] std::vector<double> sum(std::span<const std::uint32_t> row, std::size_t position) const {
        std::vector<double> total(outputs, 0.0);
        subsets(row.first(position), {row[position]}, [&](const Row& conjunction) {
            if (const auto found = weights.find(conjunction); found != weights.end()) {
                for (std::size_t o = 0; o < outputs; ++o) {
                    total[o] += found->second[o];
                }
            }
        });
        return total;
    }
};

Row random_row(base::Random& random, std::uint32_t features) {
    std::set<std::uint32_t> row;
    for (std::uint64_t i = random.below(9) + 1; i > 0; --i) {
        // Half of them among few, so that both arrays and hash tables come to be.
        row.insert(static_cast<std::uint32_t>(random.below(random.below(2) == 0 ? 20 : features)));
    }
    return {row.begin(), row.end()};
}

template <typename Trie>
void check_against_plain(unsigned degree, std::size_t outputs, std::uint32_t features) {
    base::Random random(degree * 100 + outputs);
    Trie trie(degree, outputs);
    PlainTrie plain{degree, outputs, {}};
    polynomial::ConjunctionNumbers numbers(degree - 1);
    for (int step = 0; step < 300; ++step) {
        const Row row = random_row(random, features);
        numbers.set({});
        numbers.set(row);
        const std::vector<polynomial::OutputChange> changes{
            {static_cast<std::uint32_t>(random.below(outputs)), random.normal()}};
        for (std::size_t position = 0; position < row.size(); ++position) {
            trie.add(numbers, position, changes);
            plain.add(row, position, changes);
        }
        const Row other = random_row(random, features);
        numbers.set({});
        numbers.set(other);
        for (std::size_t position = 0; position < other.size(); ++position) {
            std::vector<double> out(outputs, 0.0);
            trie.accumulate(numbers, position, out.data());
            const auto expected = plain.sum(other, position);
            for (std::size_t o = 0; o < outputs; ++o) {
                REQUIRE(out[o] == Approx(expected[o]).margin(1e-9));
            }
        }
    }
    for (const auto& [conjunction, weight] : plain.weights) {
        std::vector<double> out(outputs, 0.0);
        trie.accumulate_one(std::span(conjunction).subspan(1), conjunction[0], out.data());
        for (std::size_t o = 0; o < outputs; ++o) {
            REQUIRE(out[o] == Approx(weight[o]).margin(1e-9));
        }
    }
    CHECK(trie.bytes() > 0);
    for (std::uint32_t root = 0; root < features; ++root) {
        trie.drop_root(root);
    }
    CHECK(trie.bytes() == 0);
}

}  // namespace

TEST_CASE("weights of one output agree with a map of conjunctions") {
    const unsigned degree = GENERATE(1U, 2U, 3U, 4U);
    check_against_plain<polynomial::ScalarWeightTrie>(degree, 1, 150000);
}

TEST_CASE("weights of several outputs agree with a map of conjunctions") {
    const unsigned degree = GENERATE(1U, 2U, 3U, 4U);
    check_against_plain<polynomial::VectorWeightTrie>(degree, 5, 150000);
}
