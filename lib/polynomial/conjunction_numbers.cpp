#include "polynomial/conjunction_numbers.hpp"

namespace treeline::polynomial {

void ConjunctionNumbers::restart(std::span<const std::uint32_t> row) {
    row_ = row;
    listed_ = 0;
    for (unsigned order = 0; order <= order_; ++order) {
        for (std::size_t count = ends_[order].size(); count <= row.size(); ++count) {
            ends_[order].push_back(conjunction_count(order, count));
            // What the list gains with one more feature is the list of one feature less, with that feature.
            if (count == 0 || order == 0) {
                sizes_[order].resize(1, 0);
            } else {
                for (std::size_t i = 0; i < ends_[order - 1][count - 1]; ++i) {
                    sizes_[order].push_back(static_cast<std::uint8_t>(sizes_[order - 1][i] + 1));
                }
            }
        }
        if (numbers_[order].size() < ends_[order].back()) {
            numbers_[order].resize(ends_[order].back(), 0);
        }
    }
}

void ConjunctionNumbers::extend(std::size_t count) {
    for (unsigned order = 1; order <= order_; ++order) {
        const std::uint32_t* shorter = numbers_[order - 1].data();
        std::uint32_t* longer = numbers_[order].data();
        for (std::size_t next = listed_; next < count; ++next) {
            const auto shift = static_cast<std::uint32_t>(conjunction_count(order, row_[next]));
            std::uint32_t* to = longer + ends_[order][next];
            for (std::size_t i = 0, end = ends_[order - 1][next]; i < end; ++i) {
                to[i] = shorter[i] + shift;
            }
        }
    }
    listed_ = count;
}

}  // namespace treeline::polynomial
