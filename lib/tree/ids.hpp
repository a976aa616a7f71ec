#pragma once

#include <cstdint>

namespace treeline::tree {

/// Strong 32-bit ids; `raw` gives the number for indexing. Assigned densely from 0.
enum class SymbolId : std::uint32_t {};
enum class NodeId : std::uint32_t {};
enum class ProductionId : std::uint32_t {};

[[nodiscard]] constexpr std::uint32_t raw(SymbolId id) { return static_cast<std::uint32_t>(id); }
[[nodiscard]] constexpr std::uint32_t raw(NodeId id) { return static_cast<std::uint32_t>(id); }
[[nodiscard]] constexpr std::uint32_t raw(ProductionId id) { return static_cast<std::uint32_t>(id); }

}  // namespace treeline::tree
