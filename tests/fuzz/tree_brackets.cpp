/// Arbitrary bytes as bracketed trees: each is refused with SyntaxError or survives writing and reading in
/// both leaf styles, and so it does as a tree of a Forest.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"
#include "tree/forest.hpp"

namespace {

using namespace treeline::tree;
using treeline::test::shape_of;
using treeline::test::tree_of;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check(const TreeText& tree) {
    const auto shape = shape_of(tree);
    for (const auto style : {LeafStyle::kBare, LeafStyle::kBracketed, LeafStyle::kCompact}) {
        std::string text;
        append_tree(text, tree, style);
        require(text.find('\n') == std::string::npos);
        require(shape_of(tree_of(text)) == shape);
    }
    Forest forest;
    const auto root = forest.add(tree);
    require(root.has_value() != tree.empty());
    require(!root || shape_of(forest.text(*root)) == shape);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    BracketReader reader;
    TreeText tree;
    try {
        for (std::size_t at = 0; at < text.size();) {
            at = reader.read(text, at, tree);
            check(tree);
        }
    } catch (const SyntaxError& error) {
        require(error.offset() <= text.size());
    }
    return 0;
}
