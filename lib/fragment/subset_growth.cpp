#include <algorithm>
#include <atomic>
#include <cmath>

#include "base/parallel.hpp"
#include "fragment/growth.hpp"
#include "fragment/rounds.hpp"

namespace treeline::fragment {

namespace {

using Rank = MiningSpace::Rank;

/// Sums over the occurrences of a fragment.
struct Sums {
    double positive = 0;
    double negative = 0;
    double square = 0;  // of MinerOptions::squares
    std::uint64_t count = 0;
};

/// Grows the fragments of one root production, depth first.
///
/// A fragment g grown from f occurs at some of the roots of f, once at each, so w_g = v(g) (P' + M') with P'
/// <= P and M' >= M the sums of positive and negative W over them, and |w_g| <= v(g) max(P, -M). v(g) <= v(f)
/// since lambda <= 1; with exact weights v(g) <= lambda^((s(f)+1)/2). Sums are made in the order of ranks,
/// addition of numbers of one sign is monotone under rounding, so the inequality holds for the computed
/// numbers, too. The same holds with a radius: sqrt(sum of squares) over some of the roots of f is at most that over all.
class SubsetGrowth {
  public:
    SubsetGrowth(const MiningSpace& space, const MinerOptions& options, const LabelFilter& filter,
                 TopList& list)
        : space_(&space),
          options_(&options),
          filter_(&filter),
          batch_(list),
          by_depth_(options.weight == WeightScheme::kDepth),
          decay_(space.kernel().lambda, options.weight) {}

    /// Largest value that a fragment of this root production can have.
    [[nodiscard]] double reach(MiningSpace::Run run) { return decay_(1) * reach(sums_of_run(run)); }

    void grow(MiningSpace::Run run) {
        const tree::ProductionId production = space_->production(run.begin);
        const Sums sums = sums_of_run(run);
        ++patterns_;
        steps_.assign(1, {0, raw(production)});
        contains_.assign(1, filter_->production(space_->forest(), production));
        if (!offer(sums, 1, 1) || !fits(sums, 1, 1, space_->children(run.begin).size())) {
            return;
        }
        Frame& root = push();
        for (Rank rank = run.begin; rank < run.end; ++rank) {
            if (!options_->weighted_only || space_->weight(rank) != 0) {
                root.roots.push_back(rank);
            }
        }
        root.rows = root.roots.size();
        const std::size_t columns = space_->children(run.begin).size();
        for (std::size_t c = 0; c < columns; ++c) {
            for (const Rank rank : root.roots) {
                root.cells.push_back(space_->children(rank)[c]);
            }
        }
        root.levels.assign(columns, 1);
        root.depth = 1;
        sort_column(root);
        while (frames_ > 0) {
            advance();
        }
    }

    /// Hands over what was found last.
    void finish() { batch_.flush(); }

    [[nodiscard]] std::uint64_t patterns() const { return patterns_; }

  private:
    /// A fragment with its occurrences, one a row, and the open nodes that may still be expanded, one a
    /// column.
    struct Frame {
        std::size_t rows = 0;
        std::vector<Rank> roots;
        std::vector<Rank> cells;            // by column, then by row
        std::vector<std::uint32_t> levels;  // of the columns' nodes: edges from the root
        std::uint32_t depth = 0;
        std::size_t column = 0;            // being expanded
        std::vector<std::uint64_t> order;  // (production, row) of its cells, sorted
        std::size_t at = 0;                // next of them
    };

    [[nodiscard]] Sums sums_of_run(MiningSpace::Run run) const {
        Sums sums;
        for (Rank rank = run.begin; rank < run.end; ++rank) {
            add(sums, rank);
        }
        return sums;
    }

    void add(Sums& sums, Rank root) const {
        const double weight = space_->weight(root);
        (weight > 0 ? sums.positive : sums.negative) += weight;
        if (options_->radius > 0) {
            sums.square += options_->squares[root];
        }
        sums.count += space_->count(root);
    }

    [[nodiscard]] double margin(const Sums& sums) const {
        return options_->radius > 0 ? options_->radius * std::sqrt(sums.square) : 0;
    }

    [[nodiscard]] double reach(const Sums& sums) const {
        return std::max(sums.positive, -sums.negative) + margin(sums);
    }

    [[nodiscard]] double relevance(const Sums& sums) const {
        const double total = sums.positive + sums.negative;
        return options_->radius > 0 ? std::abs(total) + margin(sums) : total;
    }

    /// Whether Algorithm 3.1 makes the fragment of steps_ within its limits, for the miner of the paper.
    bool within_limits(std::uint32_t size) {
        if (options_->kind != MinerKind::kPaper) {
            return true;
        }
        if (size <= options_->max_depth + 1) {
            return true;  // one node a round
        }
        spell_subset(space_->forest(), steps_, spelled_);
        return expansion_rounds(spelled_, options_->max_expansions) <= options_->max_depth;
    }

    /// False where neither this fragment nor one grown from it can be listed.
    bool offer(const Sums& sums, std::uint32_t size, std::uint32_t depth, bool listed = true) {
        const double value = decay_(by_depth_ ? depth : size);
        if (sums.count < options_->min_count || batch_.excludes(value * reach(sums), size)) {
            return false;
        }
        if (listed && contains_.back()) {
            batch_.offer(value * relevance(sums), sums.count, size, steps_);
        }
        return true;
    }

    /// True if something grown from a fragment with these sums can be listed.
    bool fits(const Sums& sums, std::uint32_t size, std::uint32_t depth, std::size_t columns) {
        return columns > 0 && (options_->max_size == 0 || size < options_->max_size) &&
               !batch_.excludes(decay_(by_depth_ ? depth : size + 1) * reach(sums), size + 1);
    }

    Frame& push() {
        if (frames_ == stack_.size()) {
            stack_.emplace_back();
        }
        Frame& frame = stack_[frames_++];
        frame.roots.clear();
        frame.cells.clear();
        frame.levels.clear();
        frame.column = 0;
        return frame;
    }

    void sort_column(Frame& frame) {
        frame.order.clear();
        frame.at = 0;
        const Rank* cells = frame.cells.data() + frame.column * frame.rows;
        for (std::size_t row = 0; row < frame.rows; ++row) {
            frame.order.push_back(std::uint64_t{raw(space_->production(cells[row]))} << 32 | row);
        }
        std::ranges::sort(frame.order);
    }

    /// The next fragment grown from the one on top of the stack, or back.
    void advance() {
        Frame& frame = stack_[frames_ - 1];
        if (frame.at == frame.order.size()) {
            if (++frame.column == frame.levels.size()) {
                --frames_;
                steps_.pop_back();
                contains_.pop_back();
            } else {
                sort_column(frame);
            }
            return;
        }
        const std::size_t begin = frame.at;
        const auto production = static_cast<std::uint32_t>(frame.order[begin] >> 32);
        Sums sums;
        for (; frame.at < frame.order.size() && frame.order[frame.at] >> 32 == production; ++frame.at) {
            add(sums, frame.roots[frame.order[frame.at] & 0xffffffffU]);
        }
        ++patterns_;
        if (patterns_ % kRefresh == 0) {
            batch_.flush();
        }
        const auto size = static_cast<std::uint32_t>(steps_.size() + 1);
        const std::uint32_t level = frame.levels[frame.column];
        const std::uint32_t depth = std::max(frame.depth, level + 1);
        steps_.push_back({static_cast<std::uint32_t>(frame.column), production});
        contains_.push_back(contains_.back() ||
                            filter_->production(space_->forest(), tree::ProductionId{production}));
        const Rank* cells = frame.cells.data() + frame.column * frame.rows;
        const std::size_t children = space_->children(cells[frame.order[begin] & 0xffffffffU]).size();
        const std::size_t left = frame.levels.size() - frame.column - 1;
        const bool listed = !options_->skip_repeats || frame.at - begin < frame.rows;
        if (!within_limits(size) || !offer(sums, size, depth, listed) ||
            !fits(sums, size, depth, children + left)) {
            steps_.pop_back();
            contains_.pop_back();
            return;
        }
        descend(begin, children, level, depth);
    }

    /// Pushes the fragment that expands the current column of the top frame for the rows order[begin, at).
    void descend(std::size_t begin, std::size_t children, std::uint32_t level, std::uint32_t depth) {
        Frame& next = push();
        const Frame& frame = stack_[frames_ - 2];
        next.rows = frame.at - begin;
        next.depth = depth;
        const auto each_row = [&](auto visit) {
            for (std::size_t i = begin; i < frame.at; ++i) {
                visit(static_cast<std::size_t>(frame.order[i] & 0xffffffffU));
            }
        };
        const Rank* cells = frame.cells.data() + frame.column * frame.rows;
        each_row([&](std::size_t row) { next.roots.push_back(frame.roots[row]); });
        for (std::size_t c = 0; c < children; ++c) {
            each_row([&](std::size_t row) { next.cells.push_back(space_->children(cells[row])[c]); });
            next.levels.push_back(level + 1);
        }
        for (std::size_t c = frame.column + 1; c < frame.levels.size(); ++c) {
            each_row([&](std::size_t row) { next.cells.push_back(frame.cells[c * frame.rows + row]); });
            next.levels.push_back(frame.levels[c]);
        }
        sort_column(next);
    }

    static constexpr std::uint64_t kRefresh = 4096;  // patterns between two looks at the common limit

    const MiningSpace* space_;
    const MinerOptions* options_;
    const LabelFilter* filter_;
    TopList::Batch batch_;
    bool by_depth_;
    DecayTable decay_;
    std::vector<Step> steps_;
    std::vector<bool> contains_;
    Fragment spelled_;
    std::vector<Frame> stack_;  // memory of frames is reused; the first frames_ are in use
    std::size_t frames_ = 0;
    std::uint64_t patterns_ = 0;
};

}  // namespace

std::uint64_t grow_subsets(const MiningSpace& space, const MinerOptions& options, TopList& list) {
    const LabelFilter filter(options.containing, space.forest().symbols());
    // The most promising roots first: they raise the limit for the others.
    struct Root {
        double reach;
        MiningSpace::Run run;
    };
    std::vector<Root> roots;
    SubsetGrowth measure(space, options, filter, list);
    for (const MiningSpace::Run run : space.production_runs()) {
        roots.push_back({measure.reach(run), run});
    }
    std::ranges::stable_sort(roots, std::ranges::greater{}, &Root::reach);

    const auto grow = [&](TopList& into) {
        std::atomic<std::uint64_t> patterns = 0;
        constexpr std::size_t kGrain = 16;
        base::parallel_pieces(roots.size(), kGrain, [&](std::size_t begin, std::size_t end) {
            SubsetGrowth growth(space, options, filter, into);
            for (std::size_t i = begin; i < end; ++i) {
                growth.grow(roots[i].run);
            }
            growth.finish();
            patterns += growth.patterns();
        });
        return patterns.load();
    };
    return grow_from_above(roots.empty() ? 0 : roots.front().reach, options, space.forest().symbols(), list,
                           grow);
}

std::uint64_t grow_subtrees(const MiningSpace& space, const MinerOptions& options, TopList& list) {
    const tree::Forest& forest = space.forest();
    const LabelFilter filter(options.containing, forest.symbols());
    const bool by_depth = options.weight == WeightScheme::kDepth;
    DecayTable decay(space.kernel().lambda, options.weight);

    // Sizes, depths and matches of whole subtrees, children first.
    struct Below {
        std::uint64_t size = 0;
        std::uint64_t depth = 0;
        bool contains = false;
    };
    std::vector<Rank> by_node(space.size());
    for (Rank rank = 0; rank < space.size(); ++rank) {
        by_node[rank] = rank;
    }
    std::ranges::sort(by_node, {}, [&](Rank rank) { return space.node(rank); });
    std::vector<Below> below(space.size());
    TopList::Batch batch(list);
    for (const Rank rank : by_node) {
        Below& own = below[rank];
        own = {1, 1, filter.production(forest, space.production(rank))};
        for (const Rank child : space.children(rank)) {
            own.size += below[child].size;
            own.depth = std::max(own.depth, below[child].depth + 1);
            own.contains = own.contains || below[child].contains;
        }
        const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(own.size, 0xffffffffU));
        const auto exponent = by_depth ? static_cast<std::uint32_t>(own.depth) : size;
        const bool fits = options.max_size == 0 || size <= options.max_size;
        if (own.contains && fits && space.count(rank) >= options.min_count) {
            const Step step{0, raw(space.node(rank))};
            const double weight = space.weight(rank);
            const double value = options.radius > 0
                                     ? std::abs(weight) + options.radius * std::sqrt(options.squares[rank])
                                     : weight;
            batch.offer(decay(exponent) * value, space.count(rank), size, {&step, 1});
        }
    }
    batch.flush();
    return space.size();
}

}  // namespace treeline::fragment
