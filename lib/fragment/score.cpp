#include "fragment/score.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "base/parallel.hpp"
#include "fragment/fragment_family.hpp"
#include "fragment/growth.hpp"

namespace treeline::fragment {

namespace {

using Rank = MiningSpace::Rank;
using tree::Forest;
using tree::SymbolId;

/// The space's name of each label of another symbol table, where it has one.
std::vector<std::optional<SymbolId>> translate(const tree::SymbolTable& from, const tree::SymbolTable& to) {
    std::vector<std::optional<SymbolId>> names;
    for (std::uint32_t id = 0; id < from.size(); ++id) {
        names.push_back(to.find(from.text(SymbolId{id})));
    }
    return names;
}

/// The growth decisions of a fragment of whole productions (see spell_subset); nothing if the forest lacks
/// one of them.
class Decisions {
  public:
    Decisions(const Forest& forest, const std::vector<std::optional<SymbolId>>& names)
        : forest_(&forest), names_(&names) {}

    bool spell(FragmentView fragment, std::vector<Step>& out) {
        std::uint32_t skipped = 0;
        for (std::size_t at = 0; at < fragment.size(); ++at) {
            const FragmentNode& node = fragment[at];
            if (child_count(node) == 0 && fragment.size() > 1) {
                skipped += !is_leaf(node);
                continue;
            }
            const auto label = (*names_)[raw(node.label)];
            children_.clear();
            for (std::size_t child = at + 1; children_.size() < child_count(node);
                 child = skip_subtree(fragment, child)) {
                const auto name = (*names_)[raw(fragment[child].label)];
                if (!name) {
                    return false;
                }
                children_.push_back({*name, is_leaf(fragment[child])});
            }
            const auto production = label ? forest_->find_production(*label, children_) : std::nullopt;
            if (!production) {
                return false;
            }
            out.push_back({skipped, raw(*production)});
            skipped = 0;
        }
        return true;
    }

  private:
    const Forest* forest_;
    const std::vector<std::optional<SymbolId>>* names_;
    std::vector<Forest::ProductionChild> children_;
};

/// Occurrences of a fragment under construction: as in subset_growth.cpp, but for given decisions.
struct Occurrences {
    std::vector<Rank> roots;
    std::vector<std::vector<Rank>> columns;  // open nodes that may still be expanded, by column
};

Occurrences at_root(const MiningSpace& space, std::uint32_t production) {
    Occurrences found;
    const auto key = [&](Rank rank) {
        return std::pair(raw(space.label(rank)), raw(space.production(rank)));
    };
    const tree::ProductionId id{production};
    const std::pair wanted(raw(space.forest().production_label(id)), production);
    const auto run = std::ranges::lower_bound(space.production_runs(), wanted, {},
                                              [&](const MiningSpace::Run& r) { return key(r.begin); });
    if (run == space.production_runs().end() || key(run->begin) != wanted) {
        return found;
    }
    found.columns.resize(space.children(run->begin).size());
    for (Rank rank = run->begin; rank < run->end; ++rank) {
        found.roots.push_back(rank);
        for (std::size_t c = 0; c < found.columns.size(); ++c) {
            found.columns[c].push_back(space.children(rank)[c]);
        }
    }
    return found;
}

Occurrences expanded(const MiningSpace& space, const Occurrences& from, const Step& step) {
    Occurrences found;
    if (from.roots.empty()) {
        return found;
    }
    const std::vector<Rank>& cells = from.columns[step.where];
    std::vector<std::size_t> rows;
    for (std::size_t row = 0; row < cells.size(); ++row) {
        if (raw(space.production(cells[row])) == step.what) {
            rows.push_back(row);
        }
    }
    if (rows.empty()) {
        return found;
    }
    for (const std::size_t row : rows) {
        found.roots.push_back(from.roots[row]);
    }
    const std::size_t children = space.children(cells[rows.front()]).size();
    for (std::size_t c = 0; c < children; ++c) {
        auto& column = found.columns.emplace_back();
        for (const std::size_t row : rows) {
            column.push_back(space.children(cells[row])[c]);
        }
    }
    for (std::size_t c = step.where + 1; c < from.columns.size(); ++c) {
        auto& column = found.columns.emplace_back();
        for (const std::size_t row : rows) {
            column.push_back(from.columns[c][row]);
        }
    }
    return found;
}

}  // namespace

void visit_subsets(const MiningSpace& space, WeightScheme scheme, const FragmentList& fragments,
                   const tree::SymbolTable& symbols, const OccurrenceVisitor& visit) {
    const auto names = translate(symbols, space.forest().symbols());
    std::vector<Step> steps;
    std::vector<std::size_t> begin{0};
    std::vector<std::size_t> order;
    Decisions decisions(space.forest(), names);
    for (std::size_t i = 0; i < fragments.size(); ++i) {
        if (decisions.spell(fragments[i], steps)) {
            order.push_back(i);
        } else {
            steps.resize(begin.back());
        }
        begin.push_back(steps.size());
    }
    const auto steps_of = [&](std::size_t i) {
        return std::span<const Step>(steps.data() + begin[i], begin[i + 1] - begin[i]);
    };
    const auto key = [](const Step& step) { return std::pair(step.where, step.what); };
    std::ranges::sort(order, [&](std::size_t a, std::size_t b) {
        return std::ranges::lexicographical_compare(steps_of(a), steps_of(b), {}, key, key);
    });
    const std::size_t grain = std::clamp<std::size_t>(order.size() / 64, 16, 4096);
    base::parallel_pieces(order.size(), grain, [&](std::size_t first, std::size_t last) {
        std::vector<Step> path;
        std::vector<Occurrences> stack;
        for (std::size_t at = first; at < last; ++at) {
            const auto own = steps_of(order[at]);
            const auto differ = std::ranges::mismatch(path, own, {}, key, key);
            const auto shared = static_cast<std::size_t>(differ.in1 - path.begin());
            path.assign(own.begin(), own.end());
            stack.resize(shared);
            for (std::size_t i = shared; i < own.size(); ++i) {
                stack.push_back(i == 0 ? at_root(space, own[0].what) : expanded(space, stack.back(), own[i]));
            }
            visit(order[at],
                  {stack.back().roots, {}, occurrence_value(fragments[order[at]], space.kernel(), scheme)});
        }
    });
}

namespace {

/// phi_f(b) for all nodes b labelled as the root of f: for each node of the fragment, children first, the
/// values at all nodes of its label; child subsequences as in kernel/subsequences.hpp.
class PartialScorer {
  public:
    explicit PartialScorer(const MiningSpace& space)
        : space_(&space),
          lambda_(space.kernel().lambda),
          child_factor_(space.kernel().child_factor()),
          root_(std::sqrt(space.kernel().mu)) {}

    /// The nodes at which the fragment occurs, and its values there.
    void find(FragmentView fragment, const std::vector<std::optional<SymbolId>>& names,
              std::vector<Rank>& found, std::vector<double>& values) {
        found.clear();
        values.clear();
        values_.assign(fragment.size(), {});
        runs_.resize(fragment.size());
        std::vector<std::size_t> children;
        for (std::size_t at = fragment.size(); at-- > 0;) {
            const auto name = names[raw(fragment[at].label)];
            if (!name || !find_run(*name, runs_[at])) {
                return;
            }
            children.clear();
            for (std::size_t child = at + 1; children.size() < child_count(fragment[at]);
                 child = skip_subtree(fragment, child)) {
                children.push_back(child);
            }
            for (Rank rank = runs_[at].begin; rank < runs_[at].end; ++rank) {
                values_[at].push_back(children.empty()
                                          ? space_->kernel().childless_value(space_->children(rank).empty())
                                          : root_ * subsequences(rank, children));
            }
        }
        for (Rank rank = runs_[0].begin; rank < runs_[0].end; ++rank) {
            if (const double value = values_[0][rank - runs_[0].begin]; value > 0) {
                found.push_back(rank);
                values.push_back(value);
            }
        }
    }

  private:
    bool find_run(SymbolId label, MiningSpace::Run& out) const {
        const auto run =
            std::ranges::lower_bound(space_->label_runs(), raw(label), {},
                                     [&](const MiningSpace::Run& r) { return raw(space_->label(r.begin)); });
        if (run == space_->label_runs().end() || space_->label(run->begin) != label) {
            return false;
        }
        out = *run;
        return true;
    }

    /// Sum over positions i_1 < ... < i_p of the node's children of k^p lambda^(children skipped) times the values
    /// there, k = kernel.child_factor().
    double subsequences(Rank rank, std::span<const std::size_t> wanted) {
        const auto children = space_->children(rank);
        // reached[k]: embeddings of the first k wanted children, decayed up to the position before the one at
        // hand.
        reached_.assign(wanted.size() + 1, 0);
        double sum = 0;
        for (const Rank child : children) {
            for (std::size_t k = wanted.size(); k-- > 0;) {
                const MiningSpace::Run& run = runs_[wanted[k]];
                const bool matches = child >= run.begin && child < run.end;
                const double ways = child_factor_ * (k == 0 ? 1 : reached_[k]);
                const double ended = matches ? values_[wanted[k]][child - run.begin] * ways : 0;
                if (k + 1 == wanted.size()) {
                    sum += ended;
                } else {
                    reached_[k + 1] = reached_[k + 1] * lambda_ + ended;
                }
            }
        }
        return sum;
    }

    const MiningSpace* space_;
    double lambda_;
    double child_factor_;
    double root_;
    std::vector<std::vector<double>> values_;  // by node of the fragment, then by rank within its run
    std::vector<MiningSpace::Run> runs_;
    std::vector<double> reached_;
};

}  // namespace

void visit_partials(const MiningSpace& space, const FragmentList& fragments, const tree::SymbolTable& symbols,
                    const OccurrenceVisitor& visit) {
    const auto names = translate(symbols, space.forest().symbols());
    const std::size_t grain = std::clamp<std::size_t>(fragments.size() / 64, 4, 256);
    base::parallel_pieces(fragments.size(), grain, [&](std::size_t begin, std::size_t end) {
        PartialScorer scorer(space);
        std::vector<Rank> nodes;
        std::vector<double> values;
        for (std::size_t i = begin; i < end; ++i) {
            scorer.find(fragments[i], names, nodes, values);
            visit(i, {nodes, values, 1});
        }
    });
}

void visit_occurrences(const MiningSpace& space, WeightScheme scheme, const FragmentList& fragments,
                       const tree::SymbolTable& symbols, const OccurrenceVisitor& visit) {
    fragments_of(space.kernel()).visit_occurrences(space, scheme, fragments, symbols, visit);
}

std::vector<Score> score_fragments(const MiningSpace& space, WeightScheme scheme,
                                   const FragmentList& fragments, const tree::SymbolTable& symbols) {
    std::vector<Score> scores(fragments.size());
    visit_occurrences(space, scheme, fragments, symbols, [&](std::size_t fragment, const Occurrence& found) {
        double positive = 0;
        double negative = 0;
        Score& score = scores[fragment];
        for (std::size_t i = 0; i < found.nodes.size(); ++i) {
            const double weight = space.weight(found.nodes[i]);
            (weight > 0 ? positive : negative) += found.values.empty() ? weight : found.values[i] * weight;
            score.count += space.count(found.nodes[i]);
        }
        score.relevance = found.factor * (positive + negative);
    });
    return scores;
}

}  // namespace treeline::fragment
