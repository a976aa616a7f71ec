#include "polynomial/partial_margin_trie.hpp"

#include <map>
#include <set>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/kernel_pa.hpp"

using namespace treeline;

TEST_CASE("rows share the nodes of equal beginnings and of no others") {
    base::Random random(1);
    const auto data = test::random_binary_data(random, 500, 30, 8, 2);
    const polynomial::RowView rows{data.offsets, data.features};
    const std::uint32_t first_rank = GENERATE(0U, 5U, 100U);
    polynomial::PartialMarginTrie trie(rows, first_rank);
    std::map<std::vector<std::uint32_t>, const polynomial::PartialMarginTrie::Node*> nodes;
    std::set<const polynomial::PartialMarginTrie::Node*> distinct;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
        const auto row = rows.row(i);
        for (std::size_t position = 0; position < row.size(); ++position) {
            if (row[position] < first_rank) {
                continue;
            }
            const auto* node = &trie.node(rows, i, position);
            const std::vector beginning(row.begin(), row.begin() + static_cast<std::ptrdiff_t>(position + 1));
            CHECK(nodes.try_emplace(beginning, node).first->second == node);
            distinct.insert(node);
        }
    }
    CHECK(distinct.size() == nodes.size());
    CHECK(trie.size() == nodes.size());
}
