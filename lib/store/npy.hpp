#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "base/names.hpp"

namespace treeline::store {

enum class NpyType { kFloat64, kFloat32 };
inline constexpr base::NameTable<NpyType, 2> kNpyTypeNames{
    {{NpyType::kFloat64, "float64"}, {NpyType::kFloat32, "float32"}}};

/// The head of a NumPy `.npy` file, version 1.0: little-endian numbers in C order, one or two dimensions.
[[nodiscard]] std::string npy_header(NpyType type, std::span<const std::uint64_t> shape);

/// Appends numbers as such a file holds them.
void append_npy(std::string& out, NpyType type, std::span<const double> values);

}  // namespace treeline::store
