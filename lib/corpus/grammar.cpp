#include "corpus/grammar.hpp"

#include <cmath>
#include <numeric>

namespace treeline::corpus {

WeightedChoice::WeightedChoice(const std::vector<double>& weights) : columns_(weights.size()) {
    const double mean =
        std::accumulate(weights.begin(), weights.end(), 0.0) / static_cast<double>(weights.size());
    std::vector<double> shares;
    std::vector<std::uint32_t> small;
    std::vector<std::uint32_t> large;
    for (const double weight : weights) {
        auto& side = weight < mean ? small : large;
        side.push_back(static_cast<std::uint32_t>(shares.size()));
        shares.push_back(weight / mean);
    }
    constexpr double kWhole = 0x1p32;
    while (!small.empty() && !large.empty()) {
        const std::uint32_t low = small.back();
        const std::uint32_t high = large.back();
        small.pop_back();
        columns_[low] = {static_cast<std::uint64_t>(std::llround(shares[low] * kWhole)), high};
        shares[high] -= 1 - shares[low];
        if (shares[high] < 1) {
            large.pop_back();
            small.push_back(high);
        }
    }
    for (const auto* rest : {&small, &large}) {
        for (const std::uint32_t column : *rest) {
            columns_[column] = {std::uint64_t{1} << 32, column};
        }
    }
}

Grammar::Draw Grammar::draw_class(base::Random& random) const {
    Draw draw{parts_.choice.draw(random), 0};
    draw.label = random.uniform() < parts_.noise ? parts_.choice.draw(random) : draw.kind;
    return draw;
}

void Grammar::append_tree(std::string& out, std::size_t kind, base::Random& random) const {
    thread_local std::vector<const Item*> open;
    std::size_t nodes = 0;
    const auto expand = [&](std::uint32_t id) {
        const Symbol& symbol = parts_.symbols[id];
        const bool growing = ++nodes <= parts_.nodes;
        open.push_back(symbol.productions[growing ? symbol.choice.draw(random) : symbol.shortest].data());
    };
    expand(parts_.classes[kind].start);
    while (!open.empty()) {
        const Item& item = *open.back()++;
        out += item.text;
        if (item.symbol == kNoSymbol) {
            open.pop_back();
        } else {
            expand(item.symbol);
        }
    }
}

}  // namespace treeline::corpus
