#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace treeline::classify {

/// A tree as an SVG drawing, with the nodes of fragments coloured.
class TreeDrawing {
  public:
    /// `tree` is one tree, or several one behind the other; `prefix` starts the ids of its nodes on the page.
    TreeDrawing(const std::string& tree, std::string prefix);

    /// Colours the nodes of the fragment's occurrences that have no colour yet. Does nothing where `fragment`
    /// is not the text of one.
    void colour(const std::string& fragment, bool positive);
    /// Ids of the nodes of its occurrences, separated by spaces.
    [[nodiscard]] std::string nodes_of(const std::string& fragment) const;
    [[nodiscard]] std::string svg() const;

  private:
    struct Node {
        std::string label;
        std::vector<std::size_t> children;
        double x = 0;
        std::size_t depth = 0;
        char colour = 0;  ///< '+', '-', or none
    };
    void place();
    [[nodiscard]] std::vector<std::size_t> occurrences(const std::string& fragment) const;

    std::string prefix_;
    std::vector<Node> nodes_;  ///< in post-order
    std::vector<std::size_t> roots_;
    double width_ = 0;
    std::size_t depth_ = 0;
};

[[nodiscard]] std::string escape_html(std::string_view text);

}  // namespace treeline::classify
