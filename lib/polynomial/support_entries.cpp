#include "polynomial/support_entries.hpp"

#include <algorithm>
#include <bit>

// The popcount instruction is not part of the x86-64 baseline: the counting loop is compiled twice and the
// better one is chosen at start-up. Sanitizers do not bear that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TREELINE_COUNTING_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define TREELINE_COUNTING_CLONES
#endif

namespace treeline::polynomial {

SupportEntries::SupportEntries(std::size_t rows, std::size_t outputs, bool folded)
    : outputs_(outputs), folded_(folded), vector_of_row_(rows, kNone), sums_(outputs, 0.0) {}

namespace {

void add_change(std::vector<OutputChange>& coefficients, const OutputChange& change) {
    const auto found = std::find_if(coefficients.begin(), coefficients.end(),
                                    [&](const OutputChange& own) { return own.output == change.output; });
    if (found == coefficients.end()) {
        coefficients.push_back(change);
    } else {
        found->amount += change.amount;
    }
}

}  // namespace

bool SupportEntries::add(std::uint32_t row, std::span<const OutputChange> changes) {
    std::uint32_t& vector = vector_of_row_[row];
    if (vector == kNone) {
        vector = static_cast<std::uint32_t>(rows_.size());
    }
    return add_to(vector, row, changes);
}

bool SupportEntries::add_to(std::uint32_t vector, std::uint32_t row, std::span<const OutputChange> changes) {
    const bool unseen = vector == rows_.size();
    const bool made = unseen || !folded_;
    if (unseen) {
        rows_.push_back(row);
    }
    if (made) {
        vector_of_.push_back(vector);
        if (outputs_ == 1) {
            single_.push_back(0.0);
        } else {
            several_.emplace_back();
        }
    }
    const std::size_t entry = folded_ ? vector : vector_of_.size() - 1;
    for (const OutputChange& change : changes) {
        if (outputs_ == 1) {
            single_[entry] += change.amount;
        } else {
            add_change(several_[entry], change);
        }
        sums_[change.output] += change.amount;
    }
    return made;
}

std::vector<OutputChange> SupportEntries::changes(std::size_t entry) const {
    return outputs_ == 1 ? std::vector<OutputChange>{{0, single_[entry]}} : several_[entry];
}

namespace {

/// Vectors lie scattered in memory: so many are fetched before they are needed.
constexpr std::size_t kAhead = 8;

/// Number of features that the vector shares with the query, all of whose features are below `rank`.
inline std::size_t shared_features(const PackedRows& rows, std::uint32_t vector, const RowQuery& query,
                                   std::uint32_t rank) {
    const PackedRows::Head& head = rows.heads[vector];
    int shared = 0;
    for (std::size_t word = 0; word < head.bits.size(); ++word) {
        shared += std::popcount(head.bits[word] & query.bits()[word]);
    }
    for (const std::uint32_t feature : head.tail) {
        if (feature >= rank) {
            return static_cast<std::size_t>(shared);
        }
        shared += query.marks()[feature];
    }
    if (head.rest_row != PackedRows::kNone) {
        for (const std::uint32_t feature : rows.rows.row(head.rest_row).subspan(head.rest_position)) {
            if (feature >= rank) {
                break;
            }
            shared += query.marks()[feature];
        }
    }
    return static_cast<std::size_t>(shared);
}

}  // namespace

TREELINE_COUNTING_CLONES
void accumulate_gains(const PackedRows& rows, const SupportEntries& entries,
                      std::span<const std::uint32_t> postings, const RowQuery& query, std::uint32_t rank,
                      const PolynomialKernel& kernel, double* out) {
    const double* gains = kernel.gains();
    const bool single = entries.outputs() == 1;
    double total = 0;
    for (std::size_t i = 0; i < postings.size(); ++i) {
        if (i + kAhead < postings.size()) {
            __builtin_prefetch(&rows.heads[entries.vector_of(postings[i + kAhead])]);
        }
        const std::uint32_t entry = postings[i];
        const double gain = gains[shared_features(rows, entries.vector_of(entry), query, rank)];
        if (single) {
            total += entries.coefficient(entry) * gain;
            continue;
        }
        for (const OutputChange& coefficient : entries.coefficients(entry)) {
            out[coefficient.output] += gain * coefficient.amount;
        }
    }
    out[0] += total;
}

}  // namespace treeline::polynomial
