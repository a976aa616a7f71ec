#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "fragment/fragment.hpp"
#include "tree/tree_text.hpp"

namespace treeline::classify {

/// A node of a drawing. An open node is one that a fragment names without saying what is below it.
struct DrawnNode {
    enum class Kind { kInner, kOpen, kLeaf };
    std::string label;
    std::uint32_t children = 0;
    Kind kind = Kind::kInner;
};

/// Nodes in post-order, appended to `nodes`.
void append_drawn(std::vector<DrawnNode>& nodes, const tree::TreeText& tree);
void append_drawn(std::vector<DrawnNode>& nodes, fragment::FragmentView fragment,
                  const tree::SymbolTable& symbols);

/// Trees or fragments side by side as SVG: childless nodes from left to right, every other one over the middle
/// of its children. Text is `text`, class `leaf` or `open` where it is one of these; a node with an id also has a
/// `rect` with that id, class `for` or `against` where it is coloured. The page gives the styles.
class TreeDrawing {
  public:
    /// `nodes` are in post-order; a node's position in them is what colour() and id() take. Ids start with
    /// `prefix`; without one there are none, nor rectangles.
    explicit TreeDrawing(std::vector<DrawnNode> nodes, std::string prefix = {});

    /// Colours those of the nodes that have no colour yet.
    void colour(std::span<const std::uint32_t> nodes, bool positive);
    [[nodiscard]] std::string id(std::uint32_t node) const { return prefix_ + std::to_string(node); }

    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double height() const;
    /// Lines and nodes, to stand inside an `svg` or `g` element.
    [[nodiscard]] std::string body() const;
    /// An `svg` element.
    [[nodiscard]] std::string svg() const;

  private:
    struct Place {
        double x = 0;
        std::size_t depth = 0;
        char colour = 0;  ///< '+', '-', or none
    };
    [[nodiscard]] double y(std::size_t node) const;

    std::vector<DrawnNode> nodes_;
    std::string prefix_;
    std::vector<std::size_t> parents_;  ///< of each node; a root is its own
    std::vector<Place> places_;
    double width_ = 0;
    std::size_t depth_ = 0;
};

/// The width of a text in a drawing.
[[nodiscard]] double drawn_width(std::string_view text);

/// Text as it may stand in HTML and XML; control characters, which may not, as spaces.
[[nodiscard]] std::string escape_markup(std::string_view text);

}  // namespace treeline::classify
