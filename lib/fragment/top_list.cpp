#include "fragment/top_list.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "base/memory.hpp"

namespace treeline::fragment {

namespace {

constexpr std::size_t kBatch = 512;
constexpr std::size_t kTypicalSteps = 8;

/// Ranks by |relevance| and size; texts decide the rest.
bool precedes(const TopList::Candidate& a, const TopList::Candidate& b) {
    const double x = std::abs(a.relevance);
    const double y = std::abs(b.relevance);
    return x != y ? x > y : a.size < b.size;
}

bool ties(const TopList::Candidate& a, const TopList::Candidate& b) {
    return std::abs(a.relevance) == std::abs(b.relevance) && a.size == b.size;
}

}  // namespace

TopList::TopList(std::size_t top, double threshold, std::size_t memory, Speller speller,
                 const tree::SymbolTable& symbols)
    : top_(top), memory_(memory), speller_(std::move(speller)), symbols_(&symbols) {
    limit_.relevance = threshold;
}

std::size_t TopList::bytes_needed(std::size_t top) {
    return (2 * top + kBatch) * (sizeof(Candidate) + kTypicalSteps * sizeof(Step));
}

void TopList::Batch::offer(double relevance, std::uint64_t count, std::uint32_t size,
                           std::span<const Step> steps) {
    if (excludes(std::abs(relevance), size)) {
        return;
    }
    candidates_.push_back({relevance, count, size, static_cast<std::uint32_t>(steps.size()), steps_.size()});
    steps_.insert(steps_.end(), steps.begin(), steps.end());
    if (candidates_.size() >= kBatch) {
        flush();
    }
}

void TopList::Batch::flush() {
    const std::scoped_lock lock(list_->mutex_);
    list_->take(candidates_, steps_);
    candidates_.clear();
    steps_.clear();
    limit_ = list_->limit_;
    list_->pruned_ = list_->pruned_ || pruned_;
}

Limit TopList::limit() const {
    const std::scoped_lock lock(mutex_);
    return limit_;
}

std::optional<double> TopList::last_relevance() {
    if (top_ == 0 || candidates_.size() < top_) {
        return std::nullopt;
    }
    cut();
    return limit_.relevance;
}

void TopList::take(std::span<const Candidate> candidates, std::span<const Step> steps) {
    for (const Candidate& candidate : candidates) {
        if (limit_.excludes(std::abs(candidate.relevance), candidate.size)) {
            continue;
        }
        Candidate kept = candidate;
        kept.first_step = steps_.size();
        const auto begin = steps.begin() + static_cast<std::ptrdiff_t>(candidate.first_step);
        steps_.insert(steps_.end(), begin, begin + candidate.step_count);
        candidates_.push_back(kept);
    }
    if (top_ > 0 && candidates_.size() >= 2 * top_ + kBatch) {
        cut();
    }
    const std::size_t bytes = candidates_.size() * sizeof(Candidate) + steps_.size() * sizeof(Step);
    if (bytes > memory_) {
        throw base::Error("the " + std::to_string(candidates_.size()) + " fragments found so far take " +
                          base::format_size(bytes) + ", more than the memory allowed (" +
                          base::format_size(memory_) +
                          "); allow more memory, raise the threshold, or ask for fewer fragments");
    }
}

/// Keeps the best `top_`. Only candidates that tie with the last one need their texts.
void TopList::cut() {
    if (top_ == 0 || candidates_.size() < top_) {
        return;
    }
    const auto last = candidates_.begin() + static_cast<std::ptrdiff_t>(top_ - 1);
    std::nth_element(candidates_.begin(), last, candidates_.end(), precedes);
    const Candidate edge = *last;
    const auto ties_begin =
        std::partition(candidates_.begin(), last + 1, [&](const Candidate& c) { return !ties(c, edge); });
    const auto ties_end =
        std::partition(last + 1, candidates_.end(), [&](const Candidate& c) { return ties(c, edge); });
    if (ties_end != last + 1 && speller_) {
        order_ties(ties_begin, ties_end, static_cast<std::size_t>(last + 1 - ties_begin));
    }
    candidates_.resize(top_);
    limit_ = {std::abs(edge.relevance), edge.size};

    std::ranges::sort(candidates_, {}, &Candidate::first_step);
    std::size_t end = 0;
    for (Candidate& candidate : candidates_) {
        const auto begin = steps_.begin() + static_cast<std::ptrdiff_t>(candidate.first_step);
        std::copy(begin, begin + candidate.step_count, steps_.begin() + static_cast<std::ptrdiff_t>(end));
        candidate.first_step = end;
        end += candidate.step_count;
    }
    steps_.resize(end);
}

/// Sorts candidates of one rank by text, so far that the first `keep` are the right ones and in order.
void TopList::order_ties(std::vector<Candidate>::iterator begin, std::vector<Candidate>::iterator end,
                         std::size_t keep) const {
    struct Spelled {
        std::string text;
        Candidate candidate;
    };
    std::vector<Spelled> spelled;
    spelled.reserve(static_cast<std::size_t>(end - begin));
    Fragment fragment;
    for (auto at = begin; at != end; ++at) {
        spell(*at, fragment);
        spelled.push_back({to_text(fragment, *symbols_), *at});
    }
    std::ranges::partial_sort(spelled, spelled.begin() + static_cast<std::ptrdiff_t>(keep), {},
                              &Spelled::text);
    std::ranges::transform(spelled, begin, &Spelled::candidate);
}

void TopList::spell(const Candidate& candidate, Fragment& out) const {
    speller_(std::span(steps_).subspan(candidate.first_step, candidate.step_count), out);
}

void TopList::finish(const std::function<void(const Entry&)>& visit) {
    cut();
    std::ranges::sort(candidates_, precedes);
    for (auto begin = candidates_.begin(); begin != candidates_.end();) {
        const auto end =
            std::find_if(begin + 1, candidates_.end(), [&](const Candidate& c) { return !ties(*begin, c); });
        if (end - begin > 1) {
            order_ties(begin, end, static_cast<std::size_t>(end - begin));
        }
        begin = end;
    }
    Fragment fragment;
    for (const Candidate& candidate : candidates_) {
        spell(candidate, fragment);
        visit({fragment, candidate.relevance, candidate.count});
    }
}

}  // namespace treeline::fragment
