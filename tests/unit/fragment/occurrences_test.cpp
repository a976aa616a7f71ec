#include "fragment/occurrences.hpp"

#include <set>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_reader.hpp"

using namespace treeline;
using fragment::FragmentView;

namespace {

std::vector<std::uint32_t> covered(const std::string& fragment, const std::string& tree,
                                   const std::string& kernel) {
    tree::SymbolTable symbols;
    const auto parsed = fragment::parse_fragment(fragment, symbols);
    tree::BracketReader reader;
    tree::TreeText text;
    (void)reader.read(tree, 0, text);
    return fragment::covered_nodes(
        parsed, symbols, text, kernel::require_single_tree_kernel(kernel::parse_kernel(kernel), "the test"));
}

using Nodes = std::vector<std::uint32_t>;

/// Every embedding by itself, straight from the definition; small trees only.
class Enumeration {
  public:
    Enumeration(FragmentView fragment, const tree::SymbolTable& symbols, const tree::TreeText& tree,
                bool partial)
        : fragment_(fragment),
          symbols_(symbols),
          tree_(tree),
          partial_(partial),
          children_(tree.nodes.size()) {
        std::vector<std::uint32_t> open;
        for (std::uint32_t at = 0; at < tree.nodes.size(); ++at) {
            const auto first = open.end() - static_cast<std::ptrdiff_t>(tree.nodes[at].children);
            children_[at].assign(first, open.end());
            open.erase(first, open.end());
            open.push_back(at);
        }
    }
    [[nodiscard]] Nodes covered() const {
        std::set<std::uint32_t> all;
        for (std::uint32_t t = 0; t < tree_.nodes.size(); ++t) {
            for (const Nodes& embedding : embeddings(0, t)) {
                all.insert(embedding.begin(), embedding.end());
            }
        }
        return {all.begin(), all.end()};
    }

  private:
    [[nodiscard]] std::vector<Nodes> embeddings(std::size_t f, std::uint32_t t) const {
        const auto& node = fragment_[f];
        if (symbols_.text(node.label) != tree_.nodes[t].label) {
            return {};
        }
        if (!partial_ && (is_leaf(node) != children_[t].empty() ||
                          (child_count(node) > 0 && child_count(node) != children_[t].size()))) {
            return {};
        }
        std::vector<std::size_t> wanted;
        for (std::size_t child = f + 1; wanted.size() < child_count(node);
             child = fragment::skip_subtree(fragment_, child)) {
            wanted.push_back(child);
        }
        std::vector<Nodes> found;
        place(wanted, 0, t, 0, {t}, found);
        return found;
    }
    void place(const std::vector<std::size_t>& wanted, std::size_t next, std::uint32_t t, std::size_t from,
               const Nodes& sofar, std::vector<Nodes>& found) const {
        if (next == wanted.size()) {
            found.push_back(sofar);
            return;
        }
        const std::size_t last = partial_ ? children_[t].size() : std::min(from + 1, children_[t].size());
        for (std::size_t i = from; i < last; ++i) {
            for (const Nodes& below : embeddings(wanted[next], children_[t][i])) {
                Nodes more = sofar;
                more.insert(more.end(), below.begin(), below.end());
                place(wanted, next + 1, t, i + 1, more, found);
            }
        }
    }

    FragmentView fragment_;
    const tree::SymbolTable& symbols_;
    const tree::TreeText& tree_;
    bool partial_;
    std::vector<Nodes> children_;
};

/// A random piece of the tree at a node: with all children of a node or, if partial, with some of them.
void append_piece(const tree::TreeText& tree, const std::vector<Nodes>& children, std::uint32_t at,
                  bool partial, base::Random& random, tree::SymbolTable& symbols, fragment::Fragment& out) {
    const std::size_t place = out.size();
    out.push_back({symbols.intern(tree.nodes[at].label), 0});
    if (children[at].empty()) {
        out[place].children = fragment::kLeafNode;
        return;
    }
    if (random.below(4) == 0) {
        return;
    }
    for (const std::uint32_t child : children[at]) {
        if (!partial || random.below(3) > 0) {
            ++out[place].children;
            append_piece(tree, children, child, partial, random, symbols, out);
        }
    }
}

}  // namespace

TEST_CASE("Nodes of a fragment's occurrences are found, leaves told from open nodes") {
    const std::string tree = "(S (NP (D the) (N cat)) (VP (V saw) (NP (D the) (N dog))))";
    // Post-order: the 0, D 1, cat 2, N 3, NP 4, saw 5, V 6, the 7, D 8, dog 9, N 10, NP 11, VP 12, S 13.
    CHECK(covered("(NP (D) (N))", tree, "sst") == Nodes{1, 3, 4, 8, 10, 11});
    CHECK(covered("(NP (D the) (N cat))", tree, "sst") == Nodes{0, 1, 2, 3, 4});
    CHECK(covered("(NP (D))", tree, "sst").empty());
    CHECK(covered("(D (the))", tree, "sst").empty());
    CHECK(covered("dog", tree, "sst-bow") == Nodes{9});
}

TEST_CASE("Fragments of ptk occur with children left out, in order") {
    const std::string tree = "(S (NP (D the) (A big) (N cat)) (VP (V saw)))";
    // the 0, D 1, big 2, A 3, cat 4, N 5, NP 6, saw 7, V 8, VP 9, S 10.
    CHECK(covered("(NP (D) (N))", tree, "ptk") == Nodes{1, 5, 6});
    CHECK(covered("(NP (N) (D))", tree, "ptk").empty());
    CHECK(covered("(S (NP (N cat)))", tree, "ptk") == Nodes{4, 5, 6, 10});
    CHECK(covered("(S (NP (A)) (VP))", tree, "uptk") == Nodes{3, 6, 9, 10});
    CHECK(covered("(NP (D) (N))", tree, "sst").empty());
    // Either B can stand for the first, the last only for the second.
    CHECK(covered("(A (B) (B c))", "(A (B b) (B b) (B c))", "ptk") == Nodes{1, 3, 4, 5, 6});
}

TEST_CASE("Nodes covered are those of all embeddings, one by one") {
    const bool partial = GENERATE(false, true);
    const auto kernel =
        kernel::require_single_tree_kernel(kernel::parse_kernel(partial ? "ptk" : "sst-bow"), "the test");
    base::Random random(7);
    test::RandomTreeOptions shape;
    std::size_t some = 0;
    for (int round = 0; round < 400; ++round) {
        const tree::TreeText tree = test::random_tree(random, shape);
        const tree::TreeText other = test::random_tree(random, shape);
        const tree::TreeText& origin = round % 2 == 0 ? tree : other;
        if (tree.nodes.size() > 40 || origin.nodes.empty()) {
            continue;
        }
        std::vector<Nodes> children(origin.nodes.size());
        std::vector<std::uint32_t> open;
        for (std::uint32_t at = 0; at < origin.nodes.size(); ++at) {
            const auto first = open.end() - static_cast<std::ptrdiff_t>(origin.nodes[at].children);
            children[at].assign(first, open.end());
            open.erase(first, open.end());
            open.push_back(at);
        }
        tree::SymbolTable symbols;
        fragment::Fragment piece;
        append_piece(origin, children, static_cast<std::uint32_t>(random.below(origin.nodes.size())), partial,
                     random, symbols, piece);
        const Nodes expected = Enumeration(piece, symbols, tree, partial).covered();
        some += !expected.empty();
        REQUIRE(fragment::covered_nodes(piece, symbols, tree, kernel) == expected);
    }
    CHECK(some > 50);
}
