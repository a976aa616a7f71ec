#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <unordered_set>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "fragment/combinations.hpp"
#include "fragment/growth.hpp"

namespace treeline::fragment {

namespace {

using Rank = MiningSpace::Rank;

/// The miner of Pighin & Moschitti 2010. It prunes on |w| itself, in which support vectors of both classes
/// cancel, so it can miss heavy fragments under a light parent.
class GreedyGrowth {
  public:
    GreedyGrowth(const MiningSpace& space, const MinerOptions& options, TopList& list)
        : space_(&space),
          options_(&options),
          filter_(options.containing, space.forest().symbols()),
          batch_(list),
          by_depth_(options.weight == WeightScheme::kDepth),
          decay_(space.kernel().lambda, options.weight) {}

    std::uint64_t run() {
        std::vector<Pattern> base;
        double largest = 0;
        for (const MiningSpace::Run run : space_->production_runs()) {
            base.push_back(base_pattern(run));
            largest = std::max(largest, std::abs(relevance(base.back())));
        }
        cut_off_ = std::max(options_->threshold, largest / static_cast<double>(options_->top));
        std::vector<Pattern> current;
        for (Pattern& pattern : base) {
            ++patterns_;
            keep(std::move(pattern), current);
        }
        while (!current.empty()) {
            std::vector<Pattern> next;
            for (const Pattern& pattern : current) {
                widen(pattern, next);
            }
            current = std::move(next);
        }
        batch_.flush();
        return patterns_;
    }

  private:
    static constexpr char32_t kOpen = 0xffffffffU;

    /// `events` are the inner nodes in pre-order: the production of one that is expanded, or kOpen.
    struct Pattern {
        std::u32string events;
        std::vector<std::uint32_t> levels;  // of the open nodes, in order
        std::uint32_t depth = 1;
        std::vector<Rank> roots;  // one per occurrence
        std::vector<Rank> cells;  // the open nodes of each occurrence, row by row
    };

    [[nodiscard]] Pattern base_pattern(MiningSpace::Run run) const {
        Pattern pattern;
        const std::size_t columns = space_->children(run.begin).size();
        pattern.events = static_cast<char32_t>(raw(space_->production(run.begin)));
        pattern.events.append(columns, kOpen);
        pattern.levels.assign(columns, 1);
        for (Rank rank = run.begin; rank < run.end; ++rank) {
            pattern.roots.push_back(rank);
            const auto children = space_->children(rank);
            pattern.cells.insert(pattern.cells.end(), children.begin(), children.end());
        }
        return pattern;
    }

    [[nodiscard]] static std::uint32_t size_of(const Pattern& pattern) {
        return static_cast<std::uint32_t>(pattern.events.size() - pattern.levels.size());
    }

    [[nodiscard]] double relevance(const Pattern& pattern) {
        double sum = 0;
        for (const Rank root : pattern.roots) {
            sum += space_->weight(root);
        }
        return decay_(by_depth_ ? pattern.depth : size_of(pattern)) * sum;
    }

    /// Lists the pattern and takes it up for growth if it reaches the cut-off; true if it does.
    bool keep(Pattern&& pattern, std::vector<Pattern>& survivors) {
        const double value = relevance(pattern);
        std::uint64_t count = 0;
        for (const Rank root : pattern.roots) {
            count += space_->count(root);
        }
        if (std::abs(value) < cut_off_ || count < options_->min_count ||
            (options_->max_size > 0 && size_of(pattern) > options_->max_size)) {
            return false;
        }
        if (indexed_.insert(pattern.events).second) {
            bytes_ += sizeof(Pattern) + 3 * pattern.events.size() * sizeof(char32_t) +
                      (pattern.roots.size() + pattern.cells.size()) * sizeof(Rank);
            if (bytes_ > options_->memory) {
                throw base::Error(
                    "the miner 'greedy' needs more than " + base::format_size(options_->memory) +
                    " for the fragments above its cut-off B/L; allow more memory or ask for fewer fragments");
            }
            list(pattern, value, count);
            survivors.push_back(std::move(pattern));
        }
        return true;
    }

    void list(const Pattern& pattern, double value, std::uint64_t count) {
        steps_.clear();
        std::uint32_t skipped = 0;
        bool contains = false;
        for (const char32_t event : pattern.events) {
            if (event == kOpen) {
                ++skipped;
                continue;
            }
            steps_.push_back({skipped, static_cast<std::uint32_t>(event)});
            skipped = 0;
            contains =
                contains || filter_.production(space_->forest(), tree::ProductionId{steps_.back().what});
        }
        if (contains) {
            batch_.offer(value, count, size_of(pattern), steps_);
        }
    }

    /// Expands 1, 2, ... open nodes of the pattern at once, as long as something survives.
    void widen(const Pattern& pattern, std::vector<Pattern>& survivors) {
        const std::size_t columns = pattern.levels.size();
        for (std::size_t width = 1; width <= columns; ++width) {
            bool survived = false;
            for_each_combination(columns, width, [&](std::span<const std::size_t> chosen) {
                survived |= expand(pattern, chosen, survivors);
            });
            if (!survived) {
                return;
            }
        }
    }

    bool expand(const Pattern& pattern, std::span<const std::size_t> chosen,
                std::vector<Pattern>& survivors) {
        const std::size_t columns = pattern.levels.size();
        const auto production = [&](std::size_t row, std::size_t column) {
            return raw(space_->production(pattern.cells[row * columns + column]));
        };
        std::vector<std::size_t> order(pattern.roots.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        const auto compare = [&](std::size_t a, std::size_t b) {
            for (const std::size_t column : chosen) {
                if (production(a, column) != production(b, column)) {
                    return production(a, column) < production(b, column);
                }
            }
            return false;
        };
        std::ranges::stable_sort(order, compare);
        bool survived = false;
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && !compare(order[begin], order[end])) {
                ++end;
            }
            ++patterns_;
            survived |= keep(grow(pattern, chosen, std::span(order).subspan(begin, end - begin)), survivors);
            begin = end;
        }
        return survived;
    }

    /// The pattern with the chosen open nodes expanded, for rows that agree on their productions.
    [[nodiscard]] Pattern grow(const Pattern& pattern, std::span<const std::size_t> chosen,
                               std::span<const std::size_t> rows) const {
        Pattern grown;
        grown.depth = pattern.depth;
        const std::size_t columns = pattern.levels.size();
        const Rank* first = pattern.cells.data() + rows.front() * columns;
        std::size_t column = 0;
        std::size_t next = 0;
        for (const char32_t event : pattern.events) {
            if (event != kOpen) {
                grown.events += event;
                continue;
            }
            const std::uint32_t level = pattern.levels[column];
            if (next < chosen.size() && chosen[next] == column) {
                const std::size_t children = space_->children(first[column]).size();
                grown.events += static_cast<char32_t>(raw(space_->production(first[column])));
                grown.events.append(children, kOpen);
                grown.levels.insert(grown.levels.end(), children, level + 1);
                grown.depth = std::max(grown.depth, level + 1);
                ++next;
            } else {
                grown.events += kOpen;
                grown.levels.push_back(level);
            }
            ++column;
        }
        for (const std::size_t row : rows) {
            grown.roots.push_back(pattern.roots[row]);
            next = 0;
            for (column = 0; column < columns; ++column) {
                const Rank cell = pattern.cells[row * columns + column];
                if (next < chosen.size() && chosen[next] == column) {
                    const auto children = space_->children(cell);
                    grown.cells.insert(grown.cells.end(), children.begin(), children.end());
                    ++next;
                } else {
                    grown.cells.push_back(cell);
                }
            }
        }
        return grown;
    }

    const MiningSpace* space_;
    const MinerOptions* options_;
    LabelFilter filter_;
    TopList::Batch batch_;
    bool by_depth_;
    DecayTable decay_;
    double cut_off_ = 0;
    std::unordered_set<std::u32string> indexed_;
    std::size_t bytes_ = 0;
    std::vector<Step> steps_;
    std::uint64_t patterns_ = 0;
};

}  // namespace

std::uint64_t grow_greedily(const MiningSpace& space, const MinerOptions& options, TopList& list) {
    return GreedyGrowth(space, options, list).run();
}

}  // namespace treeline::fragment
