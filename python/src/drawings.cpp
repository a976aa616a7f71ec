#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>

#include <string>
#include <vector>

#include "bindings.hpp"
#include "classify/markup.hpp"
#include "classify/pages.hpp"
#include "classify/tree_drawing.hpp"
#include "classify/tree_layout.hpp"
#include "fragment/fragment.hpp"
#include "tree/bracket_reader.hpp"
#include "tree/symbols.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

std::string tree_svg(const std::string& text) {
    tree::TreeText tree;
    tree::BracketReader().read(text, 0, tree);
    std::vector<classify::DrawnNode> nodes;
    classify::append_drawn(nodes, tree);
    return classify::TreeDrawing(std::move(nodes)).svg();
}

std::string fragment_svg(const std::string& text) {
    tree::SymbolTable symbols;
    const fragment::Fragment fragment = fragment::parse_fragment(text, symbols);
    std::vector<classify::DrawnNode> nodes;
    classify::append_drawn(nodes, fragment, symbols);
    return classify::TreeDrawing(std::move(nodes)).svg();
}

}  // namespace

void bind_drawings(nb::module_& module) {
    module.def("tree_svg", &tree_svg, nb::arg("text"));
    module.def("fragment_svg", &fragment_svg, nb::arg("text"));
    module.def("page_style", [] { return classify::with_values(classify::page_style()); });
    module.def(
        "escape_markup", [](const std::string& text) { return classify::escape_markup(text); },
        nb::arg("text"));
}

}  // namespace treeline::python
