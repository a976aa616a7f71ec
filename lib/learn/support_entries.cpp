#include "learn/support_entries.hpp"

#include <algorithm>

// The popcount instruction is not part of the x86-64 baseline: the counting loop is compiled twice and the
// better one is chosen at start-up. Sanitizers do not bear that.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TREELINE_COUNTING_CLONES __attribute__((target_clones("popcnt", "default")))
#else
#define TREELINE_COUNTING_CLONES
#endif

namespace treeline::learn {

SupportEntries::SupportEntries(std::size_t rows, std::size_t outputs, bool folded)
    : outputs_(outputs), entry_of_row_(folded ? rows : 0, kNone), sums_(outputs, 0.0) {}

namespace {

void add_to(std::vector<OutputChange>& coefficients, const OutputChange& change) {
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
    const bool folded = !entry_of_row_.empty();
    std::uint32_t entry = folded ? entry_of_row_[row] : kNone;
    const bool made = entry == kNone;
    if (made) {
        entry = static_cast<std::uint32_t>(rows_.size());
        rows_.push_back(row);
        if (outputs_ == 1) {
            single_.push_back(0.0);
        } else {
            several_.emplace_back();
        }
        if (folded) {
            entry_of_row_[row] = entry;
        }
    }
    for (const OutputChange& change : changes) {
        if (outputs_ == 1) {
            single_[entry] += change.amount;
        } else {
            add_to(several_[entry], change);
        }
        sums_[change.output] += change.amount;
    }
    return made;
}

std::vector<OutputChange> SupportEntries::changes(std::size_t entry) const {
    return outputs_ == 1 ? std::vector<OutputChange>{{0, single_[entry]}} : several_[entry];
}

namespace {

/// Number of features of rank below `rank` that the row shares with the query; `bits` are the query's below
/// `rank`.
inline std::size_t shared_below(const PackedRows& rows, std::uint32_t row, const RowBits& bits,
                                const std::uint8_t* marks, std::uint32_t rank) {
    const PackedRows::Head& head = rows.heads[row];
    int shared = 0;
    for (std::size_t word = 0; word < bits.size(); ++word) {
        shared += std::popcount(head.bits[word] & bits[word]);
    }
    for (const std::uint32_t feature : head.tail) {
        if (feature >= rank) {
            return static_cast<std::size_t>(shared);
        }
        shared += marks[feature];
    }
    if (head.rest != 0) {
        const std::uint32_t* features = rows.rows.features.data();
        for (std::uint64_t i = head.rest; i < rows.rows.offsets[row + 1] && features[i] < rank; ++i) {
            shared += marks[features[i]];
        }
    }
    return static_cast<std::size_t>(shared);
}

}  // namespace

TREELINE_COUNTING_CLONES
void accumulate_gains(const PackedRows& rows, const SupportEntries& entries,
                      std::span<const std::uint32_t> postings, const RowQuery& query, std::uint32_t rank,
                      const PolynomialKernel& kernel, double* out) {
    const RowBits bits = bits_below(query.bits(), rank);
    const std::uint32_t* entry_rows = entries.rows();
    const double* gains = kernel.gains();
    if (entries.outputs() == 1) {
        double total = 0;
        for (const std::uint32_t entry : postings) {
            total += entries.coefficient(entry) *
                     gains[shared_below(rows, entry_rows[entry], bits, query.marks(), rank)];
        }
        out[0] += total;
        return;
    }
    for (const std::uint32_t entry : postings) {
        const double gain = gains[shared_below(rows, entry_rows[entry], bits, query.marks(), rank)];
        for (const OutputChange& coefficient : entries.coefficients(entry)) {
            out[coefficient.output] += gain * coefficient.amount;
        }
    }
}

}  // namespace treeline::learn
