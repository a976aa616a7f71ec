#include "svm/point_stages.hpp"

#include <algorithm>
#include <numeric>

#include "base/parallel.hpp"
#include "base/random.hpp"

namespace treeline::svm {

namespace {

/// Examples evaluated together in a pass.
constexpr std::size_t kBlock = 8192;
/// Each sample is that many times the one before.
constexpr std::size_t kGrowth = 4;

}  // namespace

PointStages::PointStages(std::size_t points, std::size_t first_sample, std::size_t small,
                         std::uint64_t seed) {
    std::vector<std::uint32_t> order(points);
    std::iota(order.begin(), order.end(), 0U);
    const bool at_once = points <= std::max(small, 2 * first_sample);
    if (!at_once) {
        base::Random(seed).shuffle(std::span(order));
    }
    std::size_t begin = 0;
    for (std::size_t next = first_sample; begin < points; next *= kGrowth) {
        const std::size_t end = at_once || next > points / 2 ? points : next;
        Stage& stage = stages_.emplace_back();
        stage.points.assign(order.begin() + static_cast<std::ptrdiff_t>(begin),
                            order.begin() + static_cast<std::ptrdiff_t>(end));
        std::ranges::sort(stage.points);
        begin = end;
    }
}

void PointStages::make_blocks(Stage& stage, kernel::KernelSpace& space,
                              std::span<const std::uint32_t> examples) {
    if (!stage.blocks.empty()) {
        return;
    }
    stage.blocks.resize((stage.points.size() + kBlock - 1) / kBlock);
    base::parallel_pieces(stage.points.size(), kBlock, [&](std::size_t begin, std::size_t end) {
        std::vector<std::uint32_t> of_block;
        for (std::size_t k = begin; k < end; ++k) {
            of_block.push_back(examples[stage.points[k]]);
        }
        stage.blocks[begin / kBlock] = space.make_block(of_block);
    });
}

std::vector<double> PointStages::sums(std::size_t number, std::span<const kernel::WeightedExample> support,
                                      kernel::KernelSpace& space, std::span<const std::uint32_t> examples,
                                      const std::function<bool()>& stop) {
    Stage& stage = stages_[number];
    make_blocks(stage, space, examples);
    std::vector<double> sums(stage.points.size());
    base::parallel_pieces(stage.blocks.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t b = begin; b < end && !stop(); ++b) {
            const std::size_t size = std::min(kBlock, sums.size() - b * kBlock);
            stage.blocks[b]->add_at_targets(support, std::span(sums).subspan(b * kBlock, size));
        }
    });
    return sums;
}

std::size_t PointStages::bytes() const {
    std::size_t sum = 0;
    for (const Stage& stage : stages_) {
        for (const auto& block : stage.blocks) {
            sum += block->bytes();
        }
    }
    return sum;
}

}  // namespace treeline::svm
