#include "corpus/sentence_tree.hpp"

#include "tree/bracket_writer.hpp"

namespace treeline::corpus {

void SentenceTree::assign(const tree::TreeText& tree) {
    constexpr std::size_t kNoNode = static_cast<std::size_t>(-1);
    const auto& nodes = tree.nodes;
    nodes_.clear();
    word_parents_.clear();
    text_.clear();
    open_.clear();
    // In post-order a subtree is a run that ends with its root. Nodes whose run starts at the same leaf open
    // there, outermost first: a chain per leaf.
    start_.assign(nodes.size(), 0);
    outermost_.assign(nodes.size(), kNoNode);
    next_inner_.assign(nodes.size(), kNoNode);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        std::size_t first = i;
        for (std::uint32_t c = 0; c < nodes[i].children; ++c) {
            first = start_[first - 1];
        }
        start_[i] = first;
        next_inner_[i] = outermost_[first];
        outermost_[first] = i;
    }
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        if (nodes[i].children > 0) {
            text_ += ')';
            Node& closed = nodes_[open_.back()];
            closed.end = static_cast<std::uint32_t>(nodes_.size());
            closed.last_word = words();
            closed.text_end = text_.size();
            open_.pop_back();
            continue;
        }
        for (std::size_t at = outermost_[i]; at != kNoNode; at = next_inner_[at]) {
            if (!text_.empty()) {
                text_ += ' ';
            }
            if (at == i) {
                word_parents_.push_back(open_.empty() ? kNone : open_.back());
                tree::append_label(text_, nodes[at].label);
                break;
            }
            Node node;
            node.parent = open_.empty() ? kNone : open_.back();
            node.first_word = words();
            node.is_pos = true;
            node.text_begin = text_.size();
            text_ += '(';
            tree::append_label(text_, nodes[at].label);
            node.label_end = text_.size();
            if (node.parent != kNone) {
                nodes_[node.parent].is_pos = false;
            }
            open_.push_back(static_cast<std::uint32_t>(nodes_.size()));
            nodes_.push_back(node);
        }
    }
}

}  // namespace treeline::corpus
