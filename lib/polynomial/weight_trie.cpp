#include "polynomial/weight_trie.hpp"

#include <limits>

namespace treeline::polynomial {

namespace {

/// Calls body<Order>() for the number of features that may join the root of a conjunction.
template <typename Body>
auto with_order(unsigned degree, Body&& body) {
    switch (degree) {
        case 1: return body.template operator()<0>();
        case 2: return body.template operator()<1>();
        case 3: return body.template operator()<2>();
        default: return body.template operator()<3>();
    }
}

std::uint32_t largest_root(unsigned degree) {
    return degree < 4 ? std::numeric_limits<std::uint32_t>::max() : std::uint32_t{1} << 21;
}

/// Four sums at once, so that additions need not wait for each other.
double sum_at(const double* weights, std::span<const std::uint32_t> places) {
    std::array<double, 4> sums{};
    const std::size_t whole = places.size() / 4 * 4;
    for (std::size_t i = 0; i < whole; i += 4) {
        sums[0] += weights[places[i]];
        sums[1] += weights[places[i + 1]];
        sums[2] += weights[places[i + 2]];
        sums[3] += weights[places[i + 3]];
    }
    for (std::size_t i = whole; i < places.size(); ++i) {
        sums[0] += weights[places[i]];
    }
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace

ScalarWeightTrie::ScalarWeightTrie(unsigned degree, std::size_t /*outputs*/)
    : degree_(degree), coefficients_(conjunction_coefficients(degree)) {}

std::uint32_t ScalarWeightTrie::root_limit() const { return largest_root(degree_); }

void ScalarWeightTrie::accumulate(ConjunctionNumbers& numbers, std::size_t position, double* out) const {
    const auto* table = roots_.find(numbers.row()[position]);
    if (table == nullptr) {
        return;
    }
    if (const double* weights = table->dense()) {
        out[0] += sum_at(weights, numbers.among_first(position));
        return;
    }
    double total = 0;
    with_order(degree_, [&]<unsigned Order>() {
        table->template visit<Order>(numbers.row().first(position), [&](double weight) { total += weight; });
    });
    out[0] += total;
}

void ScalarWeightTrie::add(ConjunctionNumbers& numbers, std::size_t position,
                           std::span<const OutputChange> changes) {
    const std::uint32_t root = numbers.row()[position];
    auto& table = roots_[root];
    if (!table) {
        table = std::make_unique<ConjunctionTable<double>>(degree_ - 1, root);
        bytes_ += table->bytes();
    }
    std::array<double, kMaxDegree> amounts{};
    for (unsigned k = 0; k < degree_; ++k) {
        for (const OutputChange& change : changes) {
            amounts[k] += coefficients_[k + 1] * change.amount;
        }
    }
    const std::size_t before = table->bytes();
    table->prepare(conjunction_count(degree_ - 1, position));
    bytes_ += table->bytes() - before;
    if (double* weights = table->dense()) {
        const auto places = numbers.among_first(position);
        const auto sizes = numbers.sizes_among_first(position);
        for (std::size_t i = 0; i < places.size(); ++i) {
            weights[places[i]] += amounts[sizes[i]];
        }
        return;
    }
    with_order(degree_, [&]<unsigned Order>() {
        table->template update<Order>(numbers.row().first(position),
                                      [&](double& weight, unsigned k) { weight += amounts[k]; });
    });
}

void ScalarWeightTrie::accumulate_one(std::span<const std::uint32_t> features, std::uint32_t root,
                                      double* out) const {
    if (const auto* table = roots_.find(root)) {
        out[0] += table->find(degree_ - 1, features);
    }
}

void ScalarWeightTrie::drop_root(std::uint32_t root) {
    if (has_root(root)) {
        bytes_ -= roots_[root]->bytes();
        roots_[root].reset();
    }
}

VectorWeightTrie::VectorWeightTrie(unsigned degree, std::size_t outputs)
    : degree_(degree), outputs_(outputs), coefficients_(conjunction_coefficients(degree)) {}

std::uint32_t VectorWeightTrie::root_limit() const { return largest_root(degree_); }

void VectorWeightTrie::accumulate(ConjunctionNumbers& numbers, std::size_t position, double* out) const {
    const Root* entry = roots_.find(numbers.row()[position]);
    if (entry == nullptr) {
        return;
    }
    const double* rows = entry->rows.data();
    const auto add_row = [&](std::uint32_t number) {
        const double* weights = rows + (number - 1) * outputs_;
        for (std::size_t output = 0; output < outputs_; ++output) {
            out[output] += weights[output];
        }
    };
    if (const std::uint32_t* row_numbers = entry->table.dense()) {
        for (const std::uint32_t place : numbers.among_first(position)) {
            if (const std::uint32_t number = row_numbers[place]; number != 0) {
                add_row(number);
            }
        }
        return;
    }
    with_order(degree_,
               [&]<unsigned Order>() { entry->table.visit<Order>(numbers.row().first(position), add_row); });
}

void VectorWeightTrie::add(ConjunctionNumbers& numbers, std::size_t position,
                           std::span<const OutputChange> changes) {
    const std::uint32_t root = numbers.row()[position];
    auto& entry = roots_[root];
    if (!entry) {
        entry = std::make_unique<Root>(degree_ - 1, root);
        bytes_ += entry->bytes();
    }
    const std::size_t before = entry->bytes();
    const auto change_row = [&](std::uint32_t& number, unsigned k) {
        if (number == 0) {
            entry->rows.resize(entry->rows.size() + outputs_, 0.0);
            number = static_cast<std::uint32_t>(entry->rows.size() / outputs_);
        }
        double* weights = entry->rows.data() + (number - 1) * outputs_;
        for (const OutputChange& change : changes) {
            weights[change.output] += coefficients_[k + 1] * change.amount;
        }
    };
    entry->table.prepare(conjunction_count(degree_ - 1, position));
    if (std::uint32_t* row_numbers = entry->table.dense()) {
        const auto places = numbers.among_first(position);
        const auto sizes = numbers.sizes_among_first(position);
        for (std::size_t i = 0; i < places.size(); ++i) {
            change_row(row_numbers[places[i]], sizes[i]);
        }
    } else {
        with_order(degree_, [&]<unsigned Order>() {
            entry->table.update<Order>(numbers.row().first(position), change_row);
        });
    }
    bytes_ += entry->bytes() - before;
}

void VectorWeightTrie::accumulate_one(std::span<const std::uint32_t> features, std::uint32_t root,
                                      double* out) const {
    if (const Root* entry = roots_.find(root)) {
        if (const std::uint32_t number = entry->table.find(degree_ - 1, features); number != 0) {
            const double* weights = entry->rows.data() + (number - 1) * outputs_;
            for (std::size_t output = 0; output < outputs_; ++output) {
                out[output] += weights[output];
            }
        }
    }
}

void VectorWeightTrie::drop_root(std::uint32_t root) {
    if (has_root(root)) {
        bytes_ -= roots_[root]->bytes();
        roots_[root].reset();
    }
}

}  // namespace treeline::polynomial
