#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <stdexcept>
#include <string_view>

/// The words for the values of an enumeration. Each enumeration that is spelled anywhere (options, manifests,
/// files, messages) has one table, beside its definition.
namespace treeline::base {

template <typename T>
struct Named {
    T value;
    std::string_view name;
};

template <typename T, std::size_t N>
using NameTable = std::array<Named<T>, N>;

/// The word for `value`, which must be in the table.
template <typename T, std::size_t N>
[[nodiscard]] constexpr std::string_view name_of(const NameTable<T, N>& table, T value) {
    for (const auto& entry : table) {
        if (entry.value == value) {
            return entry.name;
        }
    }
    throw std::logic_error("a value without a name");
}

/// The value that `name` stands for, if there is one.
template <typename T, std::size_t N>
[[nodiscard]] constexpr std::optional<T> find_named(const NameTable<T, N>& table, std::string_view name) {
    for (const auto& entry : table) {
        if (entry.name == name) {
            return entry.value;
        }
    }
    return std::nullopt;
}

}  // namespace treeline::base
