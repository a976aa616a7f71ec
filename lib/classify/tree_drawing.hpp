#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "classify/tree_layout.hpp"

namespace treeline::classify {

/// Trees or fragments side by side as SVG. Text has the class `leaf`, `open` or `roof` where it is one of these; a node
/// with an id also has a `rect` with that id, of class `for` or `against` where it is tinted. Styles: pages/drawing.css.
class TreeDrawing {
  public:
    /// `nodes` are in post-order; a node's position in them is what tint() and id() take. Ids start with
    /// `prefix`; without one there are none, nor rectangles.
    explicit TreeDrawing(std::vector<DrawnNode> nodes, std::string prefix = {});

    /// Adds `amount` to what each of the nodes is tinted by: for above 0, against below, the darker the larger it is by
    /// amount beside the largest of the drawing.
    void tint(std::span<const std::uint32_t> nodes, double amount);
    /// The same drawing with subtrees of several words none of whose nodes is tinted as roofs over their words. Ids are
    /// those of the same nodes, with `prefix`.
    [[nodiscard]] TreeDrawing roofed(std::string prefix) const;
    [[nodiscard]] std::string id(std::uint32_t node) const {
        return prefix_ + std::to_string(numbers_[node]);
    }
    /// By node, from -1 to 1.
    [[nodiscard]] std::vector<double> strengths() const;

    [[nodiscard]] double width() const { return layout_.width(); }
    [[nodiscard]] double height() const { return layout_.height(); }
    [[nodiscard]] const std::vector<DrawnNode>& nodes() const { return nodes_; }
    /// The leaves as words, told apart by spaces; roofs included.
    [[nodiscard]] std::string words() const;

    /// Lines and nodes, to stand inside an `svg` or `g` element.
    [[nodiscard]] std::string body() const;
    /// An `svg` element, which a page gives its styles.
    [[nodiscard]] std::string svg() const;
    /// The text of an SVG file.
    [[nodiscard]] std::string file() const;

  private:
    [[nodiscard]] std::string lines() const;
    [[nodiscard]] std::string node(std::size_t at, double strength) const;

    std::vector<DrawnNode> nodes_;
    std::string prefix_;
    TreeLayout layout_;
    std::vector<std::uint32_t> numbers_;  ///< in ids
    std::vector<double> amounts_;
};

/// The text of an SVG file around `body`; `styles` are CSS in which var(--NAME) stands for a colour or font of all pages.
[[nodiscard]] std::string svg_file(double width, double height, std::string_view styles,
                                   std::string_view body);

}  // namespace treeline::classify
