#include "tree/symbols.hpp"

#include <algorithm>

#include "base/digest.hpp"
#include "base/error.hpp"

namespace treeline::tree {

SymbolId SymbolTable::intern(std::string_view text) {
    const std::uint64_t hash = base::hash64(text);
    const auto found = table_.find(hash, [&](std::uint32_t id) { return texts_[id] == text; });
    if (found != IdHashTable::kNone) {
        return SymbolId{found};
    }
    if (texts_.size() >= IdHashTable::kNone) {
        throw base::Error("more than 4,294,967,294 distinct labels; split the input");
    }
    const auto id = static_cast<std::uint32_t>(texts_.size());
    texts_.push_back(keep(text));
    table_.insert(hash, id);
    return SymbolId{id};
}

std::optional<SymbolId> SymbolTable::find(std::string_view text) const {
    const auto found = table_.find(base::hash64(text), [&](std::uint32_t id) { return texts_[id] == text; });
    if (found == IdHashTable::kNone) {
        return std::nullopt;
    }
    return SymbolId{found};
}

std::string_view SymbolTable::keep(std::string_view text) {
    constexpr std::size_t kBlock = 1 << 16;
    if (text.size() > free_bytes_) {
        free_bytes_ = std::max(kBlock, text.size());
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(free_bytes_));
        block_bytes_ += free_bytes_;
        free_ = blocks_.back().get();
    }
    text.copy(free_, text.size());
    const std::string_view kept(free_, text.size());
    free_ += text.size();
    free_bytes_ -= text.size();
    return kept;
}

}  // namespace treeline::tree
