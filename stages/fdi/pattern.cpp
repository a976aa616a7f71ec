#include "fdi/pattern.hpp"

#include "base/error.hpp"
#include "base/syntax_error.hpp"
#include "base/text.hpp"
#include "fragment/miner.hpp"

namespace treeline::fdi {

namespace {

std::vector<std::size_t> children_of(fragment::FragmentView fragment, std::size_t at) {
    std::vector<std::size_t> children;
    for (std::size_t child = at + 1; children.size() < child_count(fragment[at]);
         child = skip_subtree(fragment, child)) {
        children.push_back(child);
    }
    return children;
}

}  // namespace

Pattern::Pattern(std::string_view text) {
    try {
        nodes_ = fragment::parse_fragment(text, symbols_);
    } catch (const base::SyntaxError& error) {
        throw base::UsageError("the pattern " + base::quoted(text) + " is no fragment: at character " +
                               std::to_string(error.offset() + 1) + ": " + error.what());
    }
    for (std::size_t node = 0; node < nodes_.size(); ++node) {
        children_.push_back(children_of(nodes_, node));
    }
}

/// `below[p][n]`: pattern node p matches fragment node n, for all nodes p after `node`.
bool Pattern::node_matches(std::size_t node, fragment::FragmentView fragment, std::size_t at,
                           const tree::SymbolTable& symbols,
                           const std::vector<std::vector<bool>>& below) const {
    if (is_leaf(nodes_[node]) != is_leaf(fragment[at]) ||
        !fragment::label_matches(symbols_.text(nodes_[node].label), symbols.text(fragment[at].label))) {
        return false;
    }
    const auto& wanted = children_[node];
    if (wanted.empty()) {
        return true;
    }
    const auto children = children_of(fragment, at);
    // reached[i]: the first wanted children match the first i children.
    std::vector<bool> reached(children.size() + 1, false);
    reached[0] = true;
    for (const std::size_t want : wanted) {
        const bool any = is_leaf(nodes_[want]) && symbols_.text(nodes_[want].label) == "*";
        if (any) {
            for (std::size_t i = 1; i < reached.size(); ++i) {
                reached[i] = reached[i] || reached[i - 1];
            }
            continue;
        }
        for (std::size_t i = children.size(); i > 0; --i) {
            reached[i] = reached[i - 1] && below[want][children[i - 1]];
        }
        reached[0] = false;
    }
    return reached.back();
}

bool Pattern::matches(fragment::FragmentView fragment, const tree::SymbolTable& symbols) const {
    std::vector<std::vector<bool>> below(nodes_.size(), std::vector<bool>(fragment.size()));
    for (std::size_t node = nodes_.size(); node-- > 0;) {
        for (std::size_t at = 0; at < fragment.size(); ++at) {
            below[node][at] = node_matches(node, fragment, at, symbols, below);
            if (node == 0 && below[0][at]) {
                return true;
            }
        }
    }
    return false;
}

}  // namespace treeline::fdi
