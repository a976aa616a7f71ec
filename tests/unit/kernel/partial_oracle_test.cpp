/// The partial tree kernel by a recursion of its own: Moschitti's ECML 2006 recursion on strings of children, one table
/// for each length, as SVM-light-TK computes it (which stops at length 5).

#include <algorithm>
#include <cmath>

#include "kernel/pairwise.hpp"
#include "kernel/quadratic.hpp"
#include "kernel/tree_rows.hpp"
#include "support/catch.hpp"
#include "support/kernel_trees.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::WithinRel;

namespace {

struct Node {
    std::string label;
    std::vector<Node> children;
};

Node nodes_of(const tree::TreeText& tree) {
    std::vector<Node> open;
    for (const auto& node : tree.nodes) {
        Node made{std::string(node.label), {}};
        made.children.assign(open.end() - node.children, open.end());
        open.resize(open.size() - node.children);
        open.push_back(std::move(made));
    }
    return open.front();
}

class Recursion {
  public:
    Recursion(double lambda, double mu, std::size_t longest) : lambda_(lambda), mu_(mu), longest_(longest) {}

    /// Sum of delta over all pairs of nodes.
    [[nodiscard]] double kernel(const Node& x, const Node& y) const {
        double sum = against_all(x, y);
        for (const Node& child : x.children) {
            sum += kernel(child, y);
        }
        return sum;
    }

  private:
    [[nodiscard]] double against_all(const Node& a, const Node& y) const {
        double sum = delta(a, y);
        for (const Node& child : y.children) {
            sum += against_all(a, child);
        }
        return sum;
    }

    [[nodiscard]] double delta(const Node& a, const Node& b) const {
        if (a.label != b.label) {
            return 0;
        }
        if (a.children.empty() || b.children.empty()) {
            return mu_ * lambda_ * lambda_;
        }
        return mu_ * (lambda_ * lambda_ + strings(a.children, b.children));
    }

    /// For each length p: SPS_p(i, j) = delta(i, j) times DP_(p-1)(i-1, j-1), the sum over all shorter pairs of sequences
    /// that end before i and j, decayed by the distance, which the four-term recursion
    /// DP_p(i, j) = SPS_p(i, j) + lambda DP_p(i-1, j) + lambda DP_p(i, j-1) - lambda^2 DP_p(i-1, j-1) carries on.
    [[nodiscard]] double strings(const std::vector<Node>& s, const std::vector<Node>& t) const {
        const std::size_t m = s.size();
        const std::size_t n = t.size();
        const auto at = [n](std::size_t i, std::size_t j) { return i * (n + 1) + j; };
        std::vector<double> same((m + 1) * (n + 1));
        for (std::size_t i = 1; i <= m; ++i) {
            for (std::size_t j = 1; j <= n; ++j) {
                same[at(i, j)] = delta(s[i - 1], t[j - 1]);
            }
        }
        std::vector<double> ending = same;
        double sum = 0;
        const std::size_t lengths = std::min({m, n, longest_});
        for (std::size_t p = 1; p <= lengths; ++p) {
            std::vector<double> decayed((m + 1) * (n + 1));
            std::vector<double> next((m + 1) * (n + 1));
            for (std::size_t i = 1; i <= m; ++i) {
                for (std::size_t j = 1; j <= n; ++j) {
                    sum += ending[at(i, j)];
                    decayed[at(i, j)] = ending[at(i, j)] + lambda_ * decayed[at(i - 1, j)] +
                                        lambda_ * decayed[at(i, j - 1)] -
                                        lambda_ * lambda_ * decayed[at(i - 1, j - 1)];
                    next[at(i, j)] = same[at(i, j)] * decayed[at(i - 1, j - 1)];
                }
            }
            ending = std::move(next);
        }
        return sum;
    }

    double lambda_;
    double mu_;
    std::size_t longest_;
};

}  // namespace

TEST_CASE(
    "Partial tree kernels are those of the recursion on strings of children, cut at 5 children and uncut") {
    const std::uint32_t longest = GENERATE(0U, 1U, 5U);
    const double lambda = GENERATE(0.2, 0.4, 1.0);
    const TreeKernel kernel{
        .kind = TreeKernelKind::kPtk, .lambda = lambda, .mu = 0.4, .longest = longest, .normalize = false};
    INFO(to_string(BasicKernel(kernel)));
    const Recursion recursion(lambda, 0.4, longest == 0 ? 1000 : longest);
    const test::RandomForest trees(61, 60, {.most_nodes = 30, .most_children = 9});
    PairwiseEvaluator evaluator(trees.forest, kernel);
    const std::vector<double> norms(trees.roots.size(), 1.0);
    const TreeRows<double> rows(trees.forest, trees.roots, norms, kernel);
    std::vector<double> row(trees.roots.size());
    PairwiseTree x;
    PairwiseTree y;
    std::size_t wide = 0;
    for (std::size_t i = 0; i < trees.roots.size(); ++i) {
        rows.row(trees.roots[i], 1, row);
        evaluator.prepare(trees.roots[i], x);
        for (const std::size_t j : {i, (i + 1) % trees.roots.size(), (i + 11) % trees.roots.size()}) {
            evaluator.prepare(trees.roots[j], y);
            const double expected = recursion.kernel(nodes_of(trees.texts[i]), nodes_of(trees.texts[j]));
            REQUIRE_THAT(quadratic_kernel(trees.texts[i], trees.texts[j], kernel), WithinRel(expected, 1e-9));
            REQUIRE_THAT(evaluator.value(x, y), WithinRel(expected, 1e-9));
            REQUIRE_THAT(row[j], WithinRel(expected, 1e-9));
            const double uncut =
                Recursion(lambda, 0.4, 1000).kernel(nodes_of(trees.texts[i]), nodes_of(trees.texts[j]));
            wide += uncut > expected * (1 + 1e-12) ? 1 : 0;
        }
    }
    CHECK((wide > 10) == (longest > 0));
}
