#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "tree/id_hash_table.hpp"
#include "tree/ids.hpp"

namespace treeline::tree {

/// Each distinct label once, numbered in order of first appearance. Any bytes are allowed.
/// Views returned stay valid for the life of the table. Reading is thread-safe, interning is not.
class SymbolTable {
  public:
    SymbolId intern(std::string_view text);
    [[nodiscard]] std::optional<SymbolId> find(std::string_view text) const;
    [[nodiscard]] std::string_view text(SymbolId id) const { return texts_[raw(id)]; }
    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    [[nodiscard]] std::size_t bytes() const {
        return table_.bytes() + texts_.capacity() * sizeof(std::string_view) + block_bytes_;
    }

  private:
    [[nodiscard]] std::string_view keep(std::string_view text);

    IdHashTable table_;
    std::vector<std::string_view> texts_;
    std::vector<std::unique_ptr<char[]>> blocks_;
    char* free_ = nullptr;
    std::size_t free_bytes_ = 0;
    std::size_t block_bytes_ = 0;
};

}  // namespace treeline::tree
