#include "polynomial/sliced_margins.hpp"

#include <algorithm>
#include <string>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "polynomial/inverted_margins.hpp"

namespace treeline::polynomial {

namespace {

/// Features that more than one in kTrackedShare rows have get no partial margins: their postings grow faster
/// than beginnings of rows recur.
constexpr std::size_t kTrackedShare = 64;

/// A feature becomes explicit when the look-ups lost so far exceed this many times those that building its
/// weights takes (measured). Rare features with partial margins lose little by waiting, while their tables,
/// sparse where so many conjunctions are possible, are slow and large.
double building_price(bool tracked, std::uint64_t conjunctions) {
    constexpr std::uint64_t kSparse = 1 << 14;
    return tracked && conjunctions > kSparse ? 1000 : 0.3;
}

std::uint32_t first_rank_below(const BinaryDataset& data, std::size_t frequency) {
    const auto counts = data.frequencies();
    return static_cast<std::uint32_t>(
        std::partition_point(counts.begin(), counts.end(),
                             [&](std::uint32_t count) { return count > frequency; }) -
        counts.begin());
}

}  // namespace

template <typename Trie>
SlicedMargins<Trie>::SlicedMargins(const BinaryDataset& data, std::size_t outputs,
                                   const MarginOptions& options)
    : rows_{data.offsets, data.features},
      packed_(rows_),
      options_(options),
      kernel_(options.degree, data.longest_row()),
      weights_(options.degree, outputs),
      sliced_(options.kind == MarginKind::kSliced),
      reuse_(sliced_ && outputs == 1 && options.degree >= 2),
      limit_(static_cast<std::uint32_t>(std::min<std::uint64_t>(data.ranking.size(), weights_.root_limit()))),
      first_tracked_(static_cast<std::uint32_t>(data.ranking.size())),
      entries_(data.size(), outputs, !reuse_),
      state_of_(data.ranking.size(), 0),
      states_(1),
      query_(data.ranking.size()),
      numbers_(options.degree - 1) {
    if (options.explicit_features > 0 && options.kind != MarginKind::kExpanded) {
        limit_ = static_cast<std::uint32_t>(std::min<std::uint64_t>(limit_, options.explicit_features));
    }
    if (reuse_) {
        first_tracked_ = first_rank_below(data, std::max<std::size_t>(data.size() / kTrackedShare, 1));
        partial_ = PartialMarginTrie(rows_, first_tracked_);
    }
}

/// Look-ups that explicit weights need for the feature at `position` of a row.
template <typename Trie>
double SlicedMargins<Trie>::lookups(std::size_t position) const {
    return static_cast<double>(conjunction_count(options_.degree - 1, position));
}

template <typename Trie>
auto SlicedMargins<Trie>::make_state(std::uint32_t feature) -> FeatureState& {
    if (state_of_[feature] == 0) {
        state_of_[feature] = static_cast<std::uint32_t>(states_.size());
        states_.emplace_back();
    }
    return state(feature);
}

/// Books what a look at `entries` support vectors takes more than explicit weights would.
template <typename Trie>
void SlicedMargins<Trie>::add_debt(std::uint32_t feature, std::size_t position, std::size_t entries) {
    if (sliced_ && feature < limit_ && state_of_[feature] != 0) {
        state(feature).debt +=
            static_cast<float>(static_cast<double>(entries) * Trie::kLookupsPerEntry - lookups(position));
    }
}

template <typename Trie>
void SlicedMargins<Trie>::margins(std::uint32_t row, std::span<double> out, const EnoughMargin* enough) {
    const auto features = rows_.row(row);
    std::copy(entries_.sums().begin(), entries_.sums().end(), out.begin());
    query_.clear();
    numbers_.set(features);
    const bool may_stop = reuse_ && enough != nullptr;
    bool bounded = false;
    for (std::size_t position = 0; position < features.size(); ++position) {
        const std::uint32_t feature = features[position];
        if (may_stop && tracked(feature) && enough->sign * out[0] > enough->threshold) {
            if (!bounded) {
                bound_remainders(features, enough->sign);
                bounded = true;
            }
            if (enough->sign * out[0] + remainders_[position] > enough->threshold) {
                ++statistics_.terminated;
                return;
            }
        }
        if (tracked(feature)) {
            add_partial_margin(row, position, out.data());
        } else if (weights_.has_root(feature)) {
            weights_.accumulate(numbers_, position, out.data());
        } else {
            const auto& postings = state(feature).postings;
            add_debt(feature, position, postings.size());
            accumulate_gains(packed_, entries_, postings, query_, feature, kernel_, out.data());
        }
        query_.add(feature);
    }
}

/// Eq. 6 where the entries since the last visit are fewer than the look-ups of Eq. 5, or Eq. 5 is not to be
/// had.
template <typename Trie>
void SlicedMargins<Trie>::add_partial_margin(std::uint32_t row, std::size_t position, double* out) {
    const auto features = rows_.row(row);
    const std::uint32_t feature = features[position];
    PartialMarginTrie::Node& node = partial_.node(rows_, row, position);
    const auto& postings = state(feature).postings;
    const auto fresh = std::span(postings).subspan(node.seen);
    const double entry_cost = static_cast<double>(fresh.size()) * Trie::kLookupsPerEntry;
    double margin = node.margin;
    if (weights_.has_root(feature) && entry_cost > lookups(position)) {
        margin = 0;
        weights_.accumulate(numbers_, position, &margin);
    } else {
        statistics_.reused += node.seen > 0 ? 1 : 0;
        add_debt(feature, position, fresh.size());
        accumulate_gains(packed_, entries_, fresh, query_, feature, kernel_, &margin);
    }
    node.seen = static_cast<std::uint32_t>(postings.size());
    node.margin = margin;
    out[0] += margin;
}

/// Accumulates Eq. 9 (Eq. 8 for sign -1) from rare to frequent features.
template <typename Trie>
void SlicedMargins<Trie>::bound_remainders(std::span<const std::uint32_t> features, double sign) {
    remainders_.assign(features.size() + 1, 0.0);
    const double least = kernel_.gain(0);
    for (std::size_t position = features.size(); position > 0 && tracked(features[position - 1]);
         --position) {
        const FeatureState& sums = state(features[position - 1]);
        const double most = kernel_.gain(position - 1);
        const double bound = sign > 0 ? least * sums.positive + most * sums.negative
                                      : -(most * sums.positive + least * sums.negative);
        remainders_[position - 1] = remainders_[position] + bound;
    }
}

template <typename Trie>
std::uint32_t SlicedMargins<Trie>::update(std::uint32_t row, std::span<const OutputChange> changes) {
    const bool made = entries_.add(row, changes);
    if (entries_.vectors() > packed_.heads.size()) {
        packed_.append(row);
    }
    const auto entry = static_cast<std::uint32_t>(entries_.size() - 1);
    const auto features = rows_.row(row);
    numbers_.set(features);
    for (std::size_t position = 0; position < features.size(); ++position) {
        const std::uint32_t feature = features[position];
        const bool weighted = sliced_ ? weights_.has_root(feature) : feature < limit_;
        if (weighted) {
            weights_.add(numbers_, position, changes);
        }
        if (weighted && !reuse_) {
            continue;
        }
        FeatureState& state = make_state(feature);
        if (made && (!weighted || tracked(feature))) {
            state.postings.push_back(entry);
        }
        for (const OutputChange& change : changes) {
            (change.amount > 0 ? state.positive : state.negative) += change.amount;
        }
        if (sliced_ && !weighted && feature < limit_) {
            state.debt = std::max(0.0F, state.debt - static_cast<float>(lookups(position)));
            if (state.debt >
                building_price(tracked(feature), conjunction_count(options_.degree - 1, feature)) *
                    static_cast<double>(state.postings.size()) * lookups(position)) {
                make_explicit(feature);
            }
        }
    }
    keep_to_memory();
    return entries_.vector_of_row(row);
}

template <typename Trie>
void SlicedMargins<Trie>::make_explicit(std::uint32_t feature) {
    ConjunctionNumbers numbers(options_.degree - 1);
    for (const std::uint32_t entry : state(feature).postings) {
        const auto features = rows_.row(entries_.row(entry));
        const auto position = static_cast<std::size_t>(
            std::lower_bound(features.begin(), features.end(), feature) - features.begin());
        numbers.set(features);
        weights_.add(numbers, position, entries_.changes(entry));
    }
    if (!tracked(feature)) {
        state(feature).postings = {};
    }
}

/// Halves the number of features that may be explicit until the weights fit into `memory`.
template <typename Trie>
void SlicedMargins<Trie>::keep_to_memory() {
    if (weights_.bytes() <= options_.memory || options_.kind == MarginKind::kExpanded) {
        if (weights_.bytes() > options_.memory) {
            throw base::Error("the weights of all conjunctions exceed the " +
                              base::format_size(options_.memory) +
                              " of memory; allow more, or use slicing (sl)");
        }
        return;
    }
    const std::uint32_t end = limit_;
    while (weights_.bytes() > options_.memory && limit_ > 0) {
        const std::uint32_t half = limit_ / 2;
        for (std::uint32_t feature = half; feature < limit_; ++feature) {
            weights_.drop_root(feature);
        }
        limit_ = half;
    }
    collect_postings(limit_, end);
}

/// Brings back the postings of the features [begin, end) that had none because they were explicit.
template <typename Trie>
void SlicedMargins<Trie>::collect_postings(std::uint32_t begin, std::uint32_t end) {
    end = std::min(end, first_tracked_);
    for (std::uint32_t feature = begin; feature < end; ++feature) {
        state(feature).postings.clear();
    }
    for (std::uint32_t entry = 0; entry < entries_.size(); ++entry) {
        const auto features = rows_.row(entries_.row(entry));
        for (auto place = std::lower_bound(features.begin(), features.end(), begin);
             place != features.end() && *place < end; ++place) {
            make_state(*place).postings.push_back(entry);
        }
    }
}

template <typename Trie>
MarginStatistics SlicedMargins<Trie>::statistics() const {
    MarginStatistics result = statistics_;
    result.explicit_features = limit_;
    result.explicit_bytes = weights_.bytes();
    result.partial_margins = partial_.size();
    return result;
}

template class SlicedMargins<ScalarWeightTrie>;
template class SlicedMargins<VectorWeightTrie>;

std::unique_ptr<MarginMethod> make_margin_method(const BinaryDataset& data, std::size_t outputs,
                                                 const MarginOptions& options) {
    if (options.kind == MarginKind::kInverted) {
        return std::make_unique<InvertedMargins>(data, outputs, options.degree);
    }
    if (outputs == 1) {
        return std::make_unique<SlicedMargins<ScalarWeightTrie>>(data, outputs, options);
    }
    return std::make_unique<SlicedMargins<VectorWeightTrie>>(data, outputs, options);
}

}  // namespace treeline::polynomial
