#include "fdi/neighbours.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/digest.hpp"
#include "base/parallel.hpp"

namespace treeline::fdi {

namespace {

using fragment::Fragment;
using fragment::FragmentView;

std::uint64_t hash_of(FragmentView fragment) {
    return base::hash64({reinterpret_cast<const char*>(fragment.data()), fragment.size_bytes()});
}

/// The child that is left where the root's production is taken away and only one other is below it; of ptk and uptk an only
/// child. 0 where there is none.
std::size_t below_root(FragmentView whole, bool partial) {
    std::size_t found = 0;
    std::size_t child = 1;
    for (std::uint32_t i = 0; i < child_count(whole[0]); ++i, child = skip_subtree(whole, child)) {
        if (partial || child_count(whole[child]) > 0) {
            if (found > 0) {
                return 0;
            }
            found = child;
        }
    }
    return found;
}

/// Calls visit(f) for every fragment that is one step smaller than `whole`.
template <typename Visit>
void for_each_smaller(FragmentView whole, bool partial, Visit&& visit) {
    std::vector<std::size_t> parent(whole.size(), 0);
    std::vector<std::pair<std::size_t, std::uint32_t>>
        open;                                      // a node, and how many of its children are still to come
    std::vector<bool> lowest(whole.size(), true);  // no child of the node has children
    for (std::size_t at = 0; at < whole.size(); ++at) {
        if (!open.empty()) {
            parent[at] = open.back().first;
            lowest[parent[at]] = lowest[parent[at]] && child_count(whole[at]) == 0;
            if (--open.back().second == 0) {
                open.pop_back();
            }
        }
        if (child_count(whole[at]) > 0) {
            open.emplace_back(at, whole[at].children);
        }
    }
    Fragment smaller;
    if (const std::size_t below = below_root(whole, partial); below > 0) {
        smaller.assign(whole.begin() + static_cast<std::ptrdiff_t>(below),
                       whole.begin() + static_cast<std::ptrdiff_t>(skip_subtree(whole, below)));
        visit(smaller);
    }
    for (std::size_t at = 0; at < whole.size(); ++at) {
        smaller.assign(whole.begin(), whole.end());
        const auto place = smaller.begin() + static_cast<std::ptrdiff_t>(at);
        if (partial && at > 0 && child_count(whole[at]) == 0) {
            --smaller[parent[at]].children;
            smaller.erase(place);
            visit(smaller);
        } else if (!partial && child_count(whole[at]) > 0 && lowest[at]) {
            smaller.erase(place + 1, place + 1 + whole[at].children);
            smaller[at].children = 0;
            visit(smaller);
        }
    }
}

}  // namespace

Neighbours find_neighbours(const fragment::FragmentList& fragments, bool partial) {
    std::unordered_multimap<std::uint64_t, std::uint32_t> numbers;
    numbers.reserve(fragments.size());
    for (std::uint32_t id = 0; id < fragments.size(); ++id) {
        numbers.emplace(hash_of(fragments[id]), id);
    }
    Neighbours found{std::vector<std::vector<std::uint32_t>>(fragments.size()),
                     std::vector<std::vector<std::uint32_t>>(fragments.size())};
    base::parallel_pieces(fragments.size(), 4096, [&](std::size_t begin, std::size_t end) {
        for (std::size_t id = begin; id < end; ++id) {
            std::vector<std::uint32_t>& list = found.smaller[id];
            for_each_smaller(fragments[id], partial, [&](const Fragment& smaller) {
                const auto [first, last] = numbers.equal_range(hash_of(smaller));
                for (auto candidate = first; candidate != last; ++candidate) {
                    if (std::ranges::equal(fragments[candidate->second], smaller)) {
                        list.push_back(candidate->second);
                    }
                }
            });
            std::ranges::sort(list);
            list.erase(std::unique(list.begin(), list.end()), list.end());
        }
    });
    for (std::uint32_t id = 0; id < fragments.size(); ++id) {
        for (const std::uint32_t smaller : found.smaller[id]) {
            found.larger[smaller].push_back(id);
        }
    }
    return found;
}

}  // namespace treeline::fdi
