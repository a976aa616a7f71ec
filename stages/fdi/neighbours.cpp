#include "fdi/neighbours.hpp"

#include <algorithm>
#include <unordered_map>

#include "base/digest.hpp"

namespace treeline::fdi {

namespace {

using fragment::Fragment;
using fragment::FragmentView;

std::uint64_t hash_of(FragmentView fragment) {
    return base::hash64({reinterpret_cast<const char*>(fragment.data()), fragment.size_bytes()});
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
    for (std::uint32_t id = 0; id < fragments.size(); ++id) {
        for_each_smaller(fragments[id], partial, [&](const Fragment& smaller) {
            const auto [begin, end] = numbers.equal_range(hash_of(smaller));
            for (auto candidate = begin; candidate != end; ++candidate) {
                if (std::ranges::equal(fragments[candidate->second], smaller)) {
                    found.smaller[id].push_back(candidate->second);
                }
            }
        });
        std::ranges::sort(found.smaller[id]);
        const auto [last, end] = std::ranges::unique(found.smaller[id]);
        found.smaller[id].erase(last, end);
        for (const std::uint32_t smaller : found.smaller[id]) {
            found.larger[smaller].push_back(id);
        }
    }
    return found;
}

}  // namespace treeline::fdi
