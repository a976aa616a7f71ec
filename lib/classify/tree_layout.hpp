#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "fragment/fragment.hpp"
#include "tree/tree_text.hpp"

namespace treeline::classify {

/// A node of a drawing. An open node is one that a fragment names without saying what is below it; a roof stands for
/// the words of a subtree that is not drawn.
struct DrawnNode {
    enum class Kind { kInner, kOpen, kLeaf, kRoof };
    std::string label;
    std::uint32_t children = 0;
    Kind kind = Kind::kInner;
};

/// Nodes in post-order, appended to `nodes`.
void append_drawn(std::vector<DrawnNode>& nodes, const tree::TreeText& tree);
void append_drawn(std::vector<DrawnNode>& nodes, fragment::FragmentView fragment,
                  const tree::SymbolTable& symbols);

/// The parent of each node; a root is its own.
[[nodiscard]] std::vector<std::size_t> parents_of(const std::vector<DrawnNode>& nodes);

/// Where the nodes of trees stand that are drawn side by side: the one layout of all drawings, those of pages that draw in
/// the browser included. Every subtree has a strip of its own, so nothing overlaps; a node stands over the middle of its
/// children as far as its strip allows. Linear in the nodes; nothing recurses.
class TreeLayout {
  public:
    static constexpr double kFontSize = 15;
    static constexpr double kLevel = 46;  ///< from one line of nodes to the next
    static constexpr double kMargin = 8;
    static constexpr std::size_t kLongestLabel = 32;  ///< characters; longer ones are cut

    explicit TreeLayout(const std::vector<DrawnNode>& nodes);

    struct Place {
        double x = 0;      ///< the middle of its label
        double y = 0;      ///< its base line
        double width = 0;  ///< of its label
        std::size_t depth = 0;
        std::string label{};  ///< as it is drawn
    };
    [[nodiscard]] const Place& operator[](std::size_t node) const { return places_[node]; }
    [[nodiscard]] const std::vector<std::size_t>& parents() const { return parents_; }
    [[nodiscard]] double width() const { return width_; }
    [[nodiscard]] double height() const { return height_; }

  private:
    std::vector<std::size_t> parents_;
    std::vector<Place> places_;
    double width_ = 0;
    double height_ = 0;
};

/// The width of a text at TreeLayout::kFontSize in a wide sans-serif font, so that others fit, too.
[[nodiscard]] double drawn_width(std::string_view text);

}  // namespace treeline::classify
