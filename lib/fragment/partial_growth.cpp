#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"
#include "fragment/growth.hpp"
#include "fragment/partial_gains.hpp"

namespace treeline::fragment {

namespace {

using Rank = MiningSpace::Rank;

/// Grows the fragments whose root has one label, depth first. Embeddings that agree on the rightmost path are
/// one row: what lies left of it has no influence on growth, and so the number of rows stays below that of
/// the embeddings.
class PartialGrowth {
  public:
    PartialGrowth(const MiningSpace& space, const MinerOptions& options, const LabelFilter& filter,
                  const PartialGains& gains, TopList& list)
        : space_(&space),
          options_(&options),
          filter_(&filter),
          gains_(&gains),
          batch_(list),
          lambda_(space.kernel().lambda),
          child_factor_(space.kernel().child_factor()),
          most_children_(space.kernel().longest),
          roots_listed_(space.kernel().family().has_lone_node(false)) {}

    void grow(MiningSpace::Run run) {
        Frame& root = push(1);
        Sums sums;
        for (Rank rank = run.begin; rank < run.end; ++rank) {
            if (options_->weighted_only && space_->weight(rank) == 0) {
                continue;
            }
            root.roots.push_back(rank);
            root.nodes.push_back(rank);
            root.values.push_back(gains_->childless(rank) * space_->weight(rank));
        }
        root.used.assign(1, 0);
        root.rows = root.roots.size();
        for (std::size_t row = 0; row < root.rows; ++row) {
            sum_row(sums, root, row);
        }
        const tree::SymbolId label = space_->label(run.begin);
        steps_.assign(1, {0, raw(label)});
        contains_.assign(1, filter_->label(label));
        settle(root, sums);
        while (frames_ > 0) {
            advance();
        }
    }

    /// Hands over what was found last.
    void finish() { batch_.flush(); }

    [[nodiscard]] std::uint64_t patterns() const { return patterns_; }

  private:
    struct Entry {
        std::uint32_t label;
        std::uint32_t row;    // that the embedding shares the path with, down to the level it grows at
        std::uint32_t child;  // position
        double value;
    };
    struct Frame {
        std::size_t rows = 0;
        std::size_t levels = 0;           // of the rightmost path
        std::vector<std::uint32_t> used;  // by level: children that the fragment has there
        std::vector<Rank> roots;          // by row
        std::vector<Rank> nodes;          // by level, then by row
        std::vector<std::uint32_t> last;  // by level but the deepest: position of the last child used
        std::vector<double> values;       // W times the decay of the embeddings, by row
        std::size_t level = 0;            // growing at; counts down
        std::vector<Entry> entries;       // by label; within, rows in lexicographic order of their paths
        std::size_t at = 0;
    };
    struct Sums {
        double positive = 0;
        double negative = 0;
        double positive_reach = 0;
        double negative_reach = 0;
        std::uint64_t count = 0;
    };

    Frame& push(std::size_t levels) {
        if (frames_ == stack_.size()) {
            stack_.emplace_back();
        }
        Frame& frame = stack_[frames_++];
        frame.rows = 0;
        frame.levels = levels;
        frame.roots.clear();
        frame.nodes.clear();
        frame.used.clear();
        frame.last.clear();
        frame.values.clear();
        return frame;
    }

    /// The node of that level can take no further child: the kernel cuts there.
    [[nodiscard]] bool is_full(const Frame& frame, std::size_t level) const {
        return most_children_ > 0 && frame.used[level] >= most_children_;
    }

    void sum_row(Sums& sums, const Frame& frame, std::size_t row) const {
        const Rank tip = frame.nodes[(frame.levels - 1) * frame.rows + row];
        double gain = std::max(1.0, gains_->below(tip));
        double strict = gains_->below(tip) / gain;
        for (std::size_t level = 0; level + 1 < frame.levels; ++level) {
            if (is_full(frame, level)) {
                continue;
            }
            const std::size_t cell = level * frame.rows + row;
            const double after = gains_->after(frame.nodes[cell], frame.last[cell]);
            gain *= std::max(1.0, after);
            strict = std::max(strict, after / std::max(1.0, after));
        }
        const double value = frame.values[row];
        const double reach = value * gain * strict;
        (value > 0 ? sums.positive : sums.negative) += value;
        (value > 0 ? sums.positive_reach : sums.negative_reach) += reach;
        if (row == 0 || frame.roots[row] != frame.roots[row - 1]) {
            sums.count += space_->count(frame.roots[row]);
        }
    }

    /// Offers the fragment on top of the stack; leaves it there if it can grow.
    void settle(Frame& frame, const Sums& sums) {
        ++patterns_;
        if (patterns_ % kRefresh == 0) {
            batch_.flush();
        }
        const auto size = static_cast<std::uint32_t>(steps_.size());
        const bool counted = sums.count >= options_->min_count;
        if (counted && contains_.back() && (size > 1 || roots_listed_)) {
            batch_.offer(sums.positive + sums.negative, sums.count, size, steps_);
        }
        const double reach = std::max(sums.positive_reach, -sums.negative_reach) * kSlack;
        const bool fits = counted && reach != 0 && (options_->max_size == 0 || size < options_->max_size) &&
                          !batch_.excludes(reach, size + 1);
        if (!fits) {
            pop();
            return;
        }
        frame.level = frame.levels - 1;
        gather(frame);
    }

    void pop() {
        --frames_;
        steps_.pop_back();
        contains_.pop_back();
    }

    /// All embeddings that grow at frame.level.
    void gather(Frame& frame) {
        frame.entries.clear();
        frame.at = 0;
        const std::size_t level = frame.level;
        if (is_full(frame, level)) {
            return;
        }
        const Rank* nodes = frame.nodes.data() + level * frame.rows;
        const auto enter = [&](std::size_t row, std::size_t child, double value) {
            const Rank added = space_->children(nodes[row])[child];
            frame.entries.push_back({raw(space_->label(added)), static_cast<std::uint32_t>(row),
                                     static_cast<std::uint32_t>(child), value * gains_->childless(added)});
        };
        if (level + 1 == frame.levels) {
            for (std::size_t row = 0; row < frame.rows; ++row) {
                for (std::size_t child = 0; child < space_->children(nodes[row]).size(); ++child) {
                    enter(row, child, frame.values[row] * (child_factor_ / lambda_));
                }
            }
        } else {
            const std::uint32_t* last = frame.last.data() + level * frame.rows;
            for (std::size_t begin = 0; begin < frame.rows;) {
                std::size_t end = begin + 1;
                while (end < frame.rows && same_path(frame, begin, end, level)) {
                    ++end;
                }
                const std::size_t children = space_->children(nodes[begin]).size();
                double reaching = 0;  // sum over the rows passed of value * lambda^(children skipped)
                std::size_t row = begin;
                for (std::size_t child = last[begin]; child < children; ++child) {
                    if (row > begin) {
                        enter(begin, child, reaching * child_factor_);
                    }
                    reaching *= lambda_;
                    for (; row < end && last[row] == child; ++row) {
                        reaching += frame.values[row];
                    }
                }
                begin = end;
            }
        }
        std::ranges::stable_sort(frame.entries, {}, &Entry::label);
    }

    /// Rows that share root and path down to `level`.
    [[nodiscard]] static bool same_path(const Frame& frame, std::size_t a, std::size_t b, std::size_t level) {
        if (frame.roots[a] != frame.roots[b]) {
            return false;
        }
        for (std::size_t l = 0; l < level; ++l) {
            if (frame.last[l * frame.rows + a] != frame.last[l * frame.rows + b]) {
                return false;
            }
        }
        return true;
    }

    void advance() {
        Frame& frame = stack_[frames_ - 1];
        if (frame.at == frame.entries.size()) {
            if (frame.level == 0) {
                pop();
            } else {
                --frame.level;
                gather(frame);
            }
            return;
        }
        const std::size_t begin = frame.at;
        const std::uint32_t label = frame.entries[begin].label;
        while (frame.at < frame.entries.size() && frame.entries[frame.at].label == label) {
            ++frame.at;
        }
        descend(begin, label);
    }

    /// Pushes the fragment that the entries [begin, at) of the top frame make.
    void descend(std::size_t begin, std::uint32_t label) {
        const std::size_t level = stack_[frames_ - 1].level;
        Frame& next = push(level + 2);
        const Frame& frame = stack_[frames_ - 2];
        const std::span<const Entry> entries(frame.entries.data() + begin, frame.at - begin);
        next.rows = entries.size();
        for (const Entry& entry : entries) {
            next.roots.push_back(frame.roots[entry.row]);
            next.values.push_back(entry.value);
        }
        for (std::size_t l = 0; l <= level; ++l) {
            for (const Entry& entry : entries) {
                next.nodes.push_back(frame.nodes[l * frame.rows + entry.row]);
                next.last.push_back(l < level ? frame.last[l * frame.rows + entry.row] : entry.child);
            }
        }
        for (const Entry& entry : entries) {
            next.nodes.push_back(space_->children(frame.nodes[level * frame.rows + entry.row])[entry.child]);
        }
        next.used.assign(frame.used.begin(), frame.used.begin() + static_cast<std::ptrdiff_t>(level) + 1);
        ++next.used.back();
        next.used.push_back(0);
        Sums sums;
        for (std::size_t row = 0; row < next.rows; ++row) {
            sum_row(sums, next, row);
        }
        steps_.push_back({static_cast<std::uint32_t>(level), label});
        contains_.push_back(contains_.back() || filter_->label(tree::SymbolId{label}));
        settle(next, sums);
    }

    static constexpr std::uint64_t kRefresh = 4096;
    static constexpr double kSlack = 1 + 1e-9;  // bounds are products and sums of rounded numbers

    const MiningSpace* space_;
    const MinerOptions* options_;
    const LabelFilter* filter_;
    const PartialGains* gains_;
    TopList::Batch batch_;
    double lambda_;
    double child_factor_;
    std::uint32_t most_children_;
    bool roots_listed_;
    std::vector<Step> steps_;
    std::vector<bool> contains_;
    std::vector<Frame> stack_;
    std::size_t frames_ = 0;
    std::uint64_t patterns_ = 0;
};

}  // namespace

std::uint64_t grow_partials(const MiningSpace& space, const MinerOptions& options, TopList& list) {
    const LabelFilter filter(options.containing, space.forest().symbols());
    const PartialGains gains(space);
    struct Root {
        double weight;
        MiningSpace::Run run;
    };
    std::vector<Root> roots;
    for (const MiningSpace::Run run : space.label_runs()) {
        double weight = 0;
        for (Rank rank = run.begin; rank < run.end; ++rank) {
            weight += std::abs(space.weight(rank));
        }
        roots.push_back({weight, run});
    }
    std::ranges::stable_sort(roots, std::ranges::greater{}, &Root::weight);

    double reach = 0;
    for (const MiningSpace::Run run : space.label_runs()) {
        double sum = 0;
        for (Rank rank = run.begin; rank < run.end; ++rank) {
            sum += std::abs(space.weight(rank)) * gains.childless(rank) * std::max(1.0, gains.below(rank));
        }
        reach = std::max(reach, sum);
    }
    const auto grow = [&](TopList& into) {
        std::atomic<std::uint64_t> patterns = 0;
        constexpr std::size_t kGrain = 4;
        base::parallel_pieces(roots.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            PartialGrowth growth(space, options, filter, gains, into);
            for (std::size_t i = begin; i < end; ++i) {
                growth.grow(roots[i].run);
            }
            growth.finish();
            patterns += growth.patterns();
        });
        return patterns.load();
    };
    return grow_from_above(std::isfinite(reach) ? reach : 0, options, space.forest().symbols(), list, grow);
}

}  // namespace treeline::fragment
