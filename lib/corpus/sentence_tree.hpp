#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tree/tree_text.hpp"

namespace treeline::corpus {

/// A constituency tree with what annotations refer to: words (the leaves) numbered from 0, and the nodes
/// above them in pre-order, each with its parent, the words it covers and its own text. Reuses its memory
/// from one tree to the next.
class SentenceTree {
  public:
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Node {
        std::uint32_t parent = kNone;
        std::uint32_t end = 0;  ///< the subtree is [this node, end) in pre-order
        std::uint32_t first_word = 0;
        std::uint32_t last_word = 0;  ///< exclusive
        bool is_pos = false;          ///< all its children are words
        std::size_t text_begin = 0;   ///< of the subtree in text()
        std::size_t label_end = 0;
        std::size_t text_end = 0;
    };

    void assign(const tree::TreeText& tree);

    [[nodiscard]] const std::vector<Node>& nodes() const { return nodes_; }
    [[nodiscard]] const Node& node(std::uint32_t id) const { return nodes_[id]; }
    [[nodiscard]] std::uint32_t words() const { return static_cast<std::uint32_t>(word_parents_.size()); }
    /// The lowest node above a word; kNone for a tree of one word and nothing else.
    [[nodiscard]] std::uint32_t node_over(std::uint32_t word) const { return word_parents_[word]; }

    /// The tree in brackets, leaves bare.
    [[nodiscard]] const std::string& text() const { return text_; }
    /// The label as it stands in the text, with escapes.
    [[nodiscard]] std::string_view label(const Node& node) const {
        return std::string_view(text_).substr(node.text_begin + 1, node.label_end - node.text_begin - 1);
    }
    /// What follows the label, up to and with the closing bracket.
    [[nodiscard]] std::string_view rest(const Node& node) const {
        return std::string_view(text_).substr(node.label_end, node.text_end - node.label_end);
    }

  private:
    std::vector<Node> nodes_;
    std::vector<std::uint32_t> word_parents_;
    std::string text_;
    std::vector<std::size_t> start_;
    std::vector<std::size_t> outermost_;
    std::vector<std::size_t> next_inner_;
    std::vector<std::uint32_t> open_;
};

}  // namespace treeline::corpus
