#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treeline::tree {

/// Open-addressing table of dense ids whose keys live elsewhere (in the arrays that the ids index).
/// A slot keeps 32 bits of the hash so that growing needs no keys and most mismatches cost no look at
/// them; equality is always decided by the caller's comparison of the keys themselves.
class IdHashTable {
  public:
    static constexpr std::uint32_t kNone = 0xffffffffU;

    /// The id whose key equals, or kNone. `equals(id)` compares keys.
    template <typename Equals>
    [[nodiscard]] std::uint32_t find(std::uint64_t hash, Equals&& equals) const {
        if (slots_.empty()) {
            return kNone;
        }
        const auto tag = tag_of(hash);
        for (std::size_t at = tag & mask_;; at = (at + 1) & mask_) {
            const Slot& slot = slots_[at];
            if (slot.id == kNone) {
                return kNone;
            }
            if (slot.tag == tag && equals(slot.id)) {
                return slot.id;
            }
        }
    }

    /// Adds an id whose key is known to be absent.
    void insert(std::uint64_t hash, std::uint32_t id) {
        if ((size_ + 1) * 4 > slots_.size() * 3) {
            grow();
        }
        place({tag_of(hash), id});
        ++size_;
    }

    /// Forgets all ids, keeps the memory.
    void clear() {
        std::fill(slots_.begin(), slots_.end(), Slot{});
        size_ = 0;
    }

    [[nodiscard]] std::size_t bytes() const { return slots_.capacity() * sizeof(Slot); }

  private:
    struct Slot {
        std::uint32_t tag = 0;
        std::uint32_t id = kNone;
    };

    [[nodiscard]] static std::uint32_t tag_of(std::uint64_t hash) {
        return static_cast<std::uint32_t>(hash ^ (hash >> 32));
    }

    void place(Slot slot) {
        std::size_t at = slot.tag & mask_;
        while (slots_[at].id != kNone) {
            at = (at + 1) & mask_;
        }
        slots_[at] = slot;
    }

    void grow() {
        std::vector<Slot> old(slots_.empty() ? 64 : slots_.size() * 2);
        old.swap(slots_);
        mask_ = slots_.size() - 1;
        for (const Slot& slot : old) {
            if (slot.id != kNone) {
                place(slot);
            }
        }
    }

    std::vector<Slot> slots_;
    std::size_t mask_ = 0;
    std::size_t size_ = 0;
};

/// Mixes the next word of a key into a running hash (the finalizer of splitmix64).
[[nodiscard]] inline std::uint64_t mix_hash(std::uint64_t hash, std::uint64_t word) {
    hash = (hash ^ word) + 0x9e3779b97f4a7c15ULL;
    hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9ULL;
    hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebULL;
    return hash ^ (hash >> 31);
}

}  // namespace treeline::tree
