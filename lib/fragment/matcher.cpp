#include "fragment/matcher.hpp"

#include <algorithm>
#include <cmath>

namespace treeline::fragment {

using tree::Forest;
using tree::NodeId;
using tree::ProductionId;
using tree::SymbolId;

namespace {

constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

}  // namespace

Matcher::Matcher(const MatcherIndex& index, std::size_t cache_bytes)
    : index_(&index), cache_bytes_(cache_bytes), norm_(forest_, index.kernel()) {
    if (index.form() == TrieForm::kParts) {
        row_of_state_.assign(index.state_count(), kNoRow);
    }
}

std::size_t Matcher::bytes() const {
    return forest_.bytes() + norm_.bytes() + found_.capacity() * sizeof(std::uint32_t) +
           (part_values_.capacity() + row_values_.capacity()) * sizeof(double) +
           begin_.capacity() * sizeof(std::size_t);
}

void Matcher::empty() {
    forest_ = Forest();
    norm_.clear();
    symbols_.clear();
    productions_.clear();
    begin_.assign(1, 0);
    found_.clear();
    part_values_.clear();
}

void Matcher::match(const tree::TreeText& tree, std::vector<Match>& out) {
    out.clear();
    add(tree);
    if (index_->form() == TrieForm::kParts) {
        collect_sums(out);
    } else {
        collect_counts(out);
    }
}

void Matcher::add(const tree::TreeText& tree) {
    if (bytes() > cache_bytes_) {
        empty();
    }
    nodes_.clear();
    open_.clear();
    for (const auto& node : tree.nodes) {
        const auto children = std::span(open_).last(node.children);
        const NodeId id = forest_.add_node(forest_.symbols().intern(node.label), children);
        if (raw(id) + 1 == begin_.size()) {
            if (index_->form() == TrieForm::kParts) {
                find_parts(id);
            } else {
                find_rooted(id);
            }
            begin_.push_back(found_.size());
        }
        open_.resize(open_.size() - node.children);
        open_.push_back(id);
        nodes_.push_back(id);
    }
}

std::uint32_t Matcher::index_symbol(SymbolId symbol) {
    while (symbols_.size() <= raw(symbol)) {
        const SymbolId next{static_cast<std::uint32_t>(symbols_.size())};
        const auto found = index_->forest().symbols().find(forest_.symbols().text(next));
        symbols_.push_back(found ? raw(*found) : kNone);
    }
    return symbols_[raw(symbol)];
}

void Matcher::learn_production(ProductionId production) {
    std::uint32_t label = index_symbol(forest_.production_label(production));
    std::vector<Forest::ProductionChild> children;
    for (const auto& child : forest_.production_children(production)) {
        const std::uint32_t symbol = index_symbol(child.label);
        label = symbol == kNone ? kNone : label;
        children.push_back({SymbolId{symbol}, child.leaf});
    }
    const auto found =
        label == kNone ? std::nullopt : index_->forest().find_production(SymbolId{label}, children);
    productions_.push_back(found ? raw(*found) : kNone);
}

std::uint32_t Matcher::open_children(NodeId node, std::uint32_t rest) {
    const auto children = forest_.children(node);
    for (std::size_t i = children.size(); i-- > 0;) {
        if (!forest_.is_leaf(children[i])) {
            frontier_.push_back({children[i], rest});
            rest = static_cast<std::uint32_t>(frontier_.size() - 1);
        }
    }
    return rest;
}

void Matcher::find_rooted(NodeId root) {
    const ProductionId production = forest_.production(root);
    if (raw(production) == productions_.size()) {
        learn_production(production);
    }
    const std::uint32_t first = index_production(root);
    const std::uint32_t start = first == kNone ? kNone : index_->root(first);
    if (start == kNone) {
        return;
    }
    frontier_.clear();
    walks_.clear();
    const auto enter = [&](std::uint32_t state, NodeId expanded, std::uint32_t rest) {
        const MatcherIndex::State& entered = index_->state(state);
        if (entered.fragment != kNone) {
            found_.push_back(entered.fragment);
        }
        if (entered.branch != kNone) {
            walks_.push_back({state, open_children(expanded, rest)});
        }
    };
    enter(start, root, kNone);
    while (!walks_.empty()) {
        const Walk walk = walks_.back();
        walks_.pop_back();
        std::uint32_t at = walk.frontier;
        std::uint32_t passed = 0;
        for (std::uint32_t branch = index_->state(walk.state).branch; branch != kNone;) {
            const MatcherIndex::Branch& choice = index_->branch(branch);
            for (; at != kNone && passed < choice.skip; ++passed) {
                at = frontier_[at].next;
            }
            if (at == kNone) {
                break;
            }
            const OpenNode open = frontier_[at];
            const std::uint32_t what = index_production(open.node);
            const std::uint32_t next = what == kNone ? kNone : index_->follow(branch, what);
            if (next != kNone) {
                enter(next, open.node, open.next);
            }
            branch = choice.next;
        }
    }
}

void Matcher::find_parts(NodeId node) {
    const std::uint32_t label = index_symbol(forest_.label(node));
    const std::uint32_t start = label == kNone ? kNone : index_->root(label);
    if (start == kNone) {
        return;
    }
    const kernel::TreeKernel& kernel = index_->kernel();
    const double root = std::sqrt(kernel.mu);
    if (index_->state(start).fragment != kNone) {
        found_.push_back(index_->state(start).fragment);
        part_values_.push_back(kernel.childless_value(forest_.is_leaf(node)));
    }
    const auto children = forest_.children(node);
    rows_.clear();
    row_values_.clear();
    extend_parts(start, kNoRow, children);
    for (std::size_t next = 0; next < rows_.size(); ++next) {
        const Row row = rows_[next];
        row_of_state_[row.state] = kNoRow;
        if (index_->state(row.state).fragment != kNone) {
            double sum = 0;
            for (std::size_t i = 0; i < children.size(); ++i) {
                sum += row_values_[row.begin + i];
            }
            found_.push_back(index_->state(row.state).fragment);
            part_values_.push_back(root * sum);
        }
        extend_parts(row.state, row.begin, children);
    }
}

void Matcher::extend_parts(std::uint32_t state, std::size_t row, std::span<const NodeId> children) {
    const double lambda = index_->kernel().lambda;
    const double factor = index_->kernel().child_factor();
    double carried = 0;  // embeddings that end before child i, decayed by the children in between
    for (std::size_t i = 0; i < children.size(); ++i) {
        const double before = factor * (row == kNoRow ? 1 : carried);
        const std::size_t end = before == 0 ? 0 : begin_[raw(children[i]) + 1];
        for (std::size_t part = begin_[raw(children[i])]; part < end; ++part) {
            const std::uint32_t next = index_->follow(state, found_[part]);
            if (next == kNone) {
                continue;
            }
            if (row_of_state_[next] == kNoRow) {
                row_of_state_[next] = row_values_.size();
                rows_.push_back({next, row_values_.size()});
                row_values_.resize(row_values_.size() + children.size(), 0.0);
            }
            row_values_[row_of_state_[next] + i] += before * part_values_[part];
        }
        carried = row == kNoRow ? 0 : lambda * carried + row_values_[row + i];
    }
}

void Matcher::collect_counts(std::vector<Match>& out) {
    all_.clear();
    for (const NodeId node : nodes_) {
        all_.insert(all_.end(), found_.begin() + static_cast<std::ptrdiff_t>(begin_[raw(node)]),
                    found_.begin() + static_cast<std::ptrdiff_t>(begin_[raw(node) + 1]));
    }
    std::ranges::sort(all_);
    for (std::size_t i = 0; i < all_.size();) {
        const std::size_t first = i;
        while (i < all_.size() && all_[i] == all_[first]) {
            ++i;
        }
        out.push_back({all_[first], static_cast<double>(i - first) * index_->value(all_[first])});
    }
}

void Matcher::collect_sums(std::vector<Match>& out) {
    sums_.clear();
    for (const NodeId node : nodes_) {
        for (std::size_t part = begin_[raw(node)]; part < begin_[raw(node) + 1]; ++part) {
            const std::uint32_t fragment = index_->part_fragment(found_[part]);
            if (fragment != kNone) {
                sums_.push_back({fragment, part_values_[part]});
            }
        }
    }
    std::ranges::stable_sort(sums_, {}, &Match::fragment);
    for (const Match& match : sums_) {
        if (!out.empty() && out.back().fragment == match.fragment) {
            out.back().value += match.value;
        } else {
            out.push_back(match);
        }
    }
}

}  // namespace treeline::fragment
