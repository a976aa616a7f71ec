#include "fragment/vectorizer.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"

namespace treeline::fragment {

Vectorizer::Vectorizer(const MatcherIndex& index, std::size_t fragments, const VectorizerOptions& options,
                       std::size_t cache_bytes)
    : index_(&index), fragments_(fragments), options_(options), matcher_(index, cache_bytes) {}

void Vectorizer::vectorize(const example::Example& example, std::vector<std::uint32_t>& indices,
                           std::vector<float>& values) {
    entries_.clear();
    if (example.trees().empty()) {
        throw base::Error("an example without a tree; expected one, or |BT| |ET| for an empty one");
    }
    if (example.trees().size() > 1 && index_->kernel().pairing == kernel::Pairing::kAligned) {
        throw base::Error(
            "several trees, and a dictionary whose kernel compares the first with the first, the "
            "second with the second, in spaces of their own; expected one tree, or a dictionary of "
            "models with pairs=all");
    }
    for (const tree::TreeText& tree : example.trees()) {
        add_tree(tree);
    }
    if (options_.vectors != FlatFeatures::kNone) {
        for (const example::SparseVector& vector : example.vectors()) {
            add_vector(vector);
        }
    }
    if (example.trees().size() > 1 || example.vectors().size() > 1) {
        merge();
    }
    // Nothing is appended of an example that is refused.
    if (std::ranges::any_of(
            entries_, [](const Match& entry) { return !std::isfinite(static_cast<float>(entry.value)); })) {
        throw base::Error("a value too large for a 32-bit number; use a norm");
    }
    for (const Match& entry : entries_) {
        const auto value = static_cast<float>(entry.value);
        if (value != 0) {
            indices.push_back(entry.fragment);
            values.push_back(value);
        }
    }
}

void Vectorizer::add_tree(const tree::TreeText& tree) {
    matcher_.match(tree, matches_);
    if (matches_.empty()) {
        return;
    }
    double square = 1;
    if (options_.norm == VectorNorm::kExplicit) {
        square = 0;
        for (const Match& match : matches_) {
            square += match.value * match.value;
        }
    } else if (options_.norm == VectorNorm::kKernel && index_->kernel().normalize) {
        square = matcher_.self_kernel();
    }
    const double factor = square > 0 ? 1 / std::sqrt(square) : 0;
    for (const Match& match : matches_) {
        entries_.push_back({match.fragment, match.value * factor});
    }
}

void Vectorizer::add_vector(const example::SparseVector& vector) {
    double square = 0;
    for (const example::Feature& feature : vector) {
        square += feature.value * feature.value;
    }
    const bool unit = options_.vectors == FlatFeatures::kUnit && square > 0;
    const double factor = unit ? 1 / std::sqrt(square) : 1;
    for (const example::Feature& feature : vector) {
        const std::uint64_t index = fragments_ + feature.index - 1;
        if (index >= std::numeric_limits<std::uint32_t>::max()) {
            throw base::Error("feature " + std::to_string(feature.index) + " after " +
                              std::to_string(fragments_) + " fragments; the highest index is 4294967294");
        }
        entries_.push_back({static_cast<std::uint32_t>(index), feature.value * factor});
    }
}

void Vectorizer::merge() {
    std::ranges::stable_sort(entries_, {}, &Match::fragment);
    std::size_t kept = 0;
    for (std::size_t i = 0; i < entries_.size(); ++i) {
        if (kept > 0 && entries_[kept - 1].fragment == entries_[i].fragment) {
            entries_[kept - 1].value += entries_[i].value;
        } else {
            entries_[kept++] = entries_[i];
        }
    }
    entries_.resize(kept);
}

}  // namespace treeline::fragment
