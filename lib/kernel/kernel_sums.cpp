#include "kernel/kernel_sums.hpp"

#include <algorithm>

namespace treeline::kernel {

namespace {

/// Larger blocks are not made: their node sums would leave the processor's cache.
constexpr std::size_t kLargestBlock = 16384;
/// A block at most this many times as large as what follows it is made anew together with it.
constexpr std::size_t kMergeRatio = 4;

}  // namespace

void KernelSums::append(std::span<const std::uint32_t> targets) {
    targets_.insert(targets_.end(), targets.begin(), targets.end());
    std::size_t begin = targets_.size() - targets.size();
    while (!pieces_.empty() && pieces_.back().size() <= kMergeRatio * (targets_.size() - begin) &&
           targets_.size() - pieces_.back().begin <= kLargestBlock) {
        begin = pieces_.back().begin;
        pieces_.pop_back();
    }
    while (begin < targets_.size()) {
        const std::size_t end = std::min(targets_.size(), begin + kLargestBlock);
        pieces_.push_back({begin, end, space_->make_block(std::span(targets_).subspan(begin, end - begin))});
        begin = end;
    }
}

void KernelSums::clear() {
    targets_.clear();
    pieces_.clear();
}

void KernelSums::at_targets(std::span<const WeightedExample> x, std::span<double> out) const {
    std::ranges::fill(out, 0);
    for (const Piece& piece : pieces_) {
        piece.block->add_at_targets(x, out.subspan(piece.begin, piece.size()));
    }
}

void KernelSums::at_examples(std::span<const double> weights, std::span<const std::uint32_t> examples,
                             std::span<double> out) const {
    std::ranges::fill(out, 0);
    for (const Piece& piece : pieces_) {
        piece.block->add_at_examples(weights.subspan(piece.begin, piece.size()), examples, out);
    }
}

std::size_t KernelSums::bytes() const {
    std::size_t sum = targets_.capacity() * sizeof(std::uint32_t);
    std::ranges::for_each(pieces_, [&](const Piece& piece) { sum += piece.block->bytes(); });
    return sum;
}

}  // namespace treeline::kernel
