#include <algorithm>
#include <cmath>
#include <string>
#include <unordered_map>
#include <unordered_set>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "fragment/combinations.hpp"
#include "fragment/growth.hpp"
#include "unit/fragment/paper_harvest.hpp"

namespace treeline::fragment {

namespace {

using Rank = MiningSpace::Rank;

/// Harvests every fragment within the limits of Algorithm 3.1 (Pighin & Moschitti 2009): from the base
/// fragment of each node, `max_depth` rounds that each expand any 1 to `max_expansions` open nodes at once.
/// Distinct nodes are mined once and stand for all their occurrences. Rounds go breadth first: the paper's
/// recursion with its set of indexed fragments would make the result depend on the order of visits.
class PaperHarvest {
  public:
    PaperHarvest(const MiningSpace& space, const MinerOptions& options)
        : space_(&space), options_(&options) {}

    void add(Rank root) {
        unfold(root);
        std::unordered_set<std::u32string> indexed;
        std::vector<std::u32string> current{std::u32string(1, U'\0')};
        indexed.insert(current.front());
        index(current.front());
        std::size_t held = 0;
        for (std::uint32_t round = 0; round < options_->max_depth && !current.empty(); ++round) {
            std::vector<std::u32string> next;
            for (const std::u32string& fragment : current) {
                expand(fragment, [&](std::u32string&& grown) {
                    held += kOverhead + grown.size() * sizeof(char32_t);
                    require(bytes_ + 2 * held);
                    if (indexed.insert(grown).second) {
                        index(grown);
                        next.push_back(std::move(grown));
                    } else {
                        held -= kOverhead + grown.size() * sizeof(char32_t);
                    }
                });
            }
            current = std::move(next);
        }
    }

    void offer(TopList& list) {
        const LabelFilter filter(options_->containing, space_->forest().symbols());
        const bool by_depth = options_->weight == WeightScheme::kDepth;
        DecayTable decay(space_->kernel().lambda, options_->weight);
        TopList::Batch batch(list);
        std::vector<Step> steps;
        for (const auto& [key, found] : harvest_) {
            const auto size = static_cast<std::uint32_t>(key.size() / 2);
            bool contains = false;
            steps.clear();
            for (std::size_t i = 0; i < key.size(); i += 2) {
                steps.push_back({static_cast<std::uint32_t>(key[i]), static_cast<std::uint32_t>(key[i + 1])});
                contains =
                    contains || filter.production(space_->forest(), tree::ProductionId{steps.back().what});
            }
            if (contains && found.count >= options_->min_count &&
                (options_->max_size == 0 || size <= options_->max_size)) {
                batch.offer(decay(by_depth ? found.depth : size) * found.weight, found.count, size, steps);
            }
        }
        batch.flush();
    }

    [[nodiscard]] std::uint64_t patterns() const { return patterns_; }

  private:
    struct Found {
        double weight = 0;
        std::uint64_t count = 0;
        std::uint32_t depth = 0;
    };
    struct Position {
        Rank rank;
        std::uint32_t level;
        std::uint32_t end = 0;  // position after its subtree
    };
    static constexpr std::size_t kOverhead = 80;  // of a string in a hash table

    /// The subtree of `root` in pre-order, down to the level that the last round can open.
    void unfold(Rank root) {
        positions_.clear();
        std::vector<std::size_t> open;
        std::vector<std::pair<Rank, std::uint32_t>> pending{{root, 0}};
        const auto close = [&](std::uint32_t level) {
            while (!open.empty() && positions_[open.back()].level >= level) {
                positions_[open.back()].end = static_cast<std::uint32_t>(positions_.size());
                open.pop_back();
            }
        };
        while (!pending.empty()) {
            const auto [rank, level] = pending.back();
            pending.pop_back();
            close(level);
            open.push_back(positions_.size());
            positions_.push_back({rank, level});
            if (level <= options_->max_depth) {
                const auto children = space_->children(rank);
                for (std::size_t c = children.size(); c-- > 0;) {
                    pending.emplace_back(children[c], level + 1);
                }
            }
        }
        close(0);
    }

    /// Calls visit(position) for the inner children of a position.
    template <typename Visit>
    void each_child(std::size_t position, Visit&& visit) const {
        for (std::size_t child = position + 1; child < positions_[position].end;
             child = positions_[child].end) {
            visit(child);
        }
    }

    template <typename Emit>
    void expand(const std::u32string& fragment, Emit&& emit) const {
        std::vector<char32_t> open;
        for (const char32_t position : fragment) {
            each_child(position, [&](std::size_t child) {
                if (!std::ranges::binary_search(fragment, static_cast<char32_t>(child))) {
                    open.push_back(static_cast<char32_t>(child));
                }
            });
        }
        std::ranges::sort(open);
        const std::size_t most = std::min<std::size_t>(open.size(), options_->max_expansions);
        for (std::size_t k = 1; k <= most; ++k) {
            for_each_combination(open.size(), k, [&](std::span<const std::size_t> chosen) {
                std::u32string grown = fragment;
                for (const std::size_t i : chosen) {
                    grown += open[i];
                }
                std::ranges::sort(grown);
                emit(std::move(grown));
            });
        }
    }

    /// Adds the fragment of these expanded positions, all rooted at position 0.
    void index(const std::u32string& fragment) {
        ++patterns_;
        std::u32string key;
        std::uint32_t depth = 0;
        std::vector<std::size_t> pending{0};
        std::vector<std::size_t> children;
        char32_t skipped = 0;
        while (!pending.empty()) {
            const std::size_t position = pending.back();
            pending.pop_back();
            if (!std::ranges::binary_search(fragment, static_cast<char32_t>(position))) {
                ++skipped;
                continue;
            }
            key += skipped;
            key += static_cast<char32_t>(raw(space_->production(positions_[position].rank)));
            skipped = 0;
            depth = std::max(depth, positions_[position].level + 1);
            children.clear();
            each_child(position, [&](std::size_t child) { children.push_back(child); });
            pending.insert(pending.end(), children.rbegin(), children.rend());
        }
        const Rank root = positions_.front().rank;
        const auto [at, added] = harvest_.try_emplace(std::move(key));
        if (added) {
            bytes_ += kOverhead + sizeof(Found) + at->first.size() * sizeof(char32_t);
            at->second.depth = depth;
        }
        at->second.weight += space_->weight(root);
        at->second.count += space_->count(root);
    }

    void require(std::size_t bytes) const {
        if (bytes > options_->memory) {
            throw base::Error(
                "the miner 'paper' keeps every fragment within its limits and needs more than " +
                base::format_size(options_->memory) + "; raise --memory, or lower --max-depth or --max-exp");
        }
    }

    const MiningSpace* space_;
    const MinerOptions* options_;
    std::vector<Position> positions_;
    std::unordered_map<std::u32string, Found> harvest_;  // decisions -> sums
    std::size_t bytes_ = 0;
    std::uint64_t patterns_ = 0;
};

}  // namespace

std::vector<test::Listed> harvest_as_paper(const MiningSpace& space, const MinerOptions& options) {
    PaperHarvest harvest(space, options);
    for (Rank rank = 0; rank < space.size(); ++rank) {
        harvest.add(rank);
    }
    const tree::SymbolTable& symbols = space.forest().symbols();
    TopList list(
        options.top, options.threshold, options.memory,
        [&](std::span<const Step> steps, Fragment& out) { spell_subset(space.forest(), steps, out); },
        symbols);
    harvest.offer(list);
    std::vector<test::Listed> listed;
    list.finish([&](const TopList::Entry& entry) {
        listed.push_back(
            {to_text(entry.fragment, symbols), entry.relevance, entry.count, measure(entry.fragment)});
    });
    return listed;
}

}  // namespace treeline::fragment
