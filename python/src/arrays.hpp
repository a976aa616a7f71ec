#pragma once

#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/names.hpp"

namespace treeline::python {

template <typename T>
using Array = nanobind::ndarray<nanobind::numpy, T>;
template <typename T>
using InputArray = nanobind::ndarray<const T, nanobind::ndim<1>, nanobind::c_contig, nanobind::device::cpu>;

template <typename T>
[[nodiscard]] std::span<const T> span_of(const InputArray<T>& array) {
    return {array.data(), array.size()};
}

/// A NumPy array with the memory of a vector. `T` may differ from the vector's type in its sign only.
template <typename T, typename Vector>
[[nodiscard]] Array<T> to_array(Vector&& values, std::initializer_list<std::size_t> shape = {}) {
    using Owned = std::decay_t<Vector>;
    static_assert(sizeof(typename Owned::value_type) == sizeof(T));
    auto owned = std::make_unique<Owned>(std::forward<Vector>(values));
    auto* const data = reinterpret_cast<T*>(owned->data());
    const std::size_t size = owned->size();
    const nanobind::capsule owner(owned.release(),
                                  [](void* vector) noexcept { delete static_cast<Owned*>(vector); });
    return shape.size() == 0 ? Array<T>(data, {size}, owner) : Array<T>(data, shape, owner);
}

/// The value of an enumeration that a word stands for. Throws base::UsageError that lists the words.
template <typename T, std::size_t N>
[[nodiscard]] T value_of(const base::NameTable<T, N>& table, const char* parameter, const std::string& word) {
    if (const auto value = base::find_named(table, word)) {
        return *value;
    }
    std::string words;
    for (const auto& entry : table) {
        words += (words.empty() ? "'" : ", '") + std::string(entry.name) + "'";
    }
    throw base::UsageError(std::string(parameter) + "='" + word + "'; expected one of " + words);
}

}  // namespace treeline::python
