#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <memory>
#include <new>
#include <span>
#include <utility>

#include "polynomial/polynomial_kernel.hpp"

namespace treeline::polynomial {

/// Zeroed memory that costs nothing until it is touched.
template <typename T>
class ZeroedArray {
  public:
    ZeroedArray() = default;
    explicit ZeroedArray(std::size_t size) : data_(static_cast<T*>(std::calloc(size, sizeof(T)))) {
        if (data_ == nullptr) {
            throw std::bad_alloc();
        }
    }
    [[nodiscard]] T* get() const { return data_.get(); }
    T& operator[](std::size_t i) const { return data_.get()[i]; }
    explicit operator bool() const { return data_ != nullptr; }

  private:
    struct Free {
        void operator()(T* memory) const { std::free(memory); }
    };
    std::unique_ptr<T, Free> data_;
};

/// The weights of all conjunctions that share their rarest feature, the root: one sub-trie of the weight
/// trie.
///
/// A conjunction is its root and at most Order features of smaller rank, and has the number
///     number({}) = 0,  number(b > c > ...) = conjunction_count<Order>(b) + number<Order - 1>(c > ...)
/// so that the extensions of a conjunction by one more feature are neighbours and their numbers need one
/// addition. Kept as an array by number where that is about as small as a hash table from number to slot.
/// A slot of value zero is absent; where a conjunction is present, so are those it extends, so that a look-up
/// from rare to frequent features stops early (Yoshinaga & Kitsuregawa 2010, section 3.1).
template <typename Slot>
class ConjunctionTable {
  public:
    /// For a root of rank `root` in a trie of conjunctions of at most `order` + 1 features.
    ConjunctionTable(unsigned order, std::uint32_t root) : size_limit_(conjunction_count(order, root)) {
        wide_ = size_limit_ > std::numeric_limits<std::uint32_t>::max();
        if (size_limit_ * sizeof(Slot) <= kAlwaysDense) {
            make_dense();
        } else {
            make_hash(kSmallestHash);
        }
    }

    /// Without an array: calls see(slot) for each present conjunction of the root with at most Order of
    /// `row`.
    template <unsigned Order, typename See>
    void visit(std::span<const std::uint32_t> row, See&& see) const {
        if (wide_) {
            visit_hashed<Order, std::uint64_t>(row, see);
        } else {
            visit_hashed<Order, std::uint32_t>(row, see);
        }
    }

    /// The slots by number where they are kept as an array, otherwise null.
    [[nodiscard]] Slot* dense() const { return dense_.get(); }
    /// Turns the hash table into an array where that is about as small, `more` conjunctions being added.
    void prepare(std::size_t more) {
        if (!dense_) {
            reserve(more);
        }
    }

    /// Without an array, after prepare(): calls change(slot&, k) for each conjunction of the root with
    /// k = 0..Order of `row`; a slot that was absent is zero.
    template <unsigned Order, typename Change>
    void update(std::span<const std::uint32_t> row, Change&& change) {
        if (wide_) {
            update_hashed<Order, std::uint64_t>(row, change);
        } else {
            update_hashed<Order, std::uint32_t>(row, change);
        }
    }

    /// Slot of the conjunction of the root with `features`, ranks descending, at most `order` of them;
    /// zero if absent.
    [[nodiscard]] Slot find(unsigned order, std::span<const std::uint32_t> features) const {
        std::uint64_t number = 0;
        for (const std::uint32_t feature : features) {
            number += conjunction_count(order--, feature);
        }
        if (dense_) {
            return dense_[number];
        }
        const std::size_t place = wide_ ? locate(keys64_.get(), number) : locate(keys32_.get(), number);
        return slots_[place];
    }

    [[nodiscard]] std::size_t bytes() const {
        return dense_ ? size_limit_ * sizeof(Slot) : capacity_ * (sizeof(Slot) + key_bytes());
    }

  private:
    static constexpr std::size_t kSmallestHash = 16;
    /// An array up to this size, in bytes, is made at once.
    static constexpr std::size_t kAlwaysDense = 1 << 12;
    /// An array may be this many times the size of the hash table in its place: it is several times faster.
    static constexpr std::size_t kDenseFavour = 2;

    [[nodiscard]] std::size_t key_bytes() const {
        return wide_ ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
    }

    template <unsigned Order, typename See>
    static void visit_numbers(const std::uint32_t* row, std::size_t count, std::uint64_t number,
                              const See& see) {
        if (!see(number)) {
            return;
        }
        if constexpr (Order > 0) {
            for (std::size_t i = 0; i < count; ++i) {
                visit_numbers<Order - 1>(row, i, number + conjunction_count<Order>(row[i]), see);
            }
        }
    }

    template <unsigned Order, typename Key, typename See>
    void visit_hashed(std::span<const std::uint32_t> row, See& see) const {
        const Key* keys = this->template keys<Key>();
        visit_numbers<Order>(row.data(), row.size(), 0, [&](std::uint64_t number) {
            const std::size_t place = locate(keys, number);
            if (keys[place] == 0) {
                return false;
            }
            see(slots_[place]);
            return true;
        });
    }

    template <unsigned Order, unsigned Size, typename Find, typename Change>
    static void update_numbers(const std::uint32_t* row, std::size_t count, std::uint64_t number,
                               const Find& find, Change& change) {
        change(find(number), Size);
        if constexpr (Order > 0) {
            for (std::size_t i = 0; i < count; ++i) {
                update_numbers<Order - 1, Size + 1>(row, i, number + conjunction_count<Order>(row[i]), find,
                                                    change);
            }
        }
    }

    template <unsigned Order, typename Key, typename Change>
    void update_hashed(std::span<const std::uint32_t> row, Change& change) {
        Key* keys = this->template keys<Key>();
        update_numbers<Order, 0>(
            row.data(), row.size(), 0,
            [&](std::uint64_t number) -> Slot& {
                const std::size_t place = locate(keys, number);
                if (keys[place] == 0) {
                    keys[place] = static_cast<Key>(number + 1);
                    ++used_;
                }
                return slots_[place];
            },
            change);
    }

    template <typename Key>
    [[nodiscard]] Key* keys() const {
        if constexpr (sizeof(Key) == sizeof(std::uint64_t)) {
            return keys64_.get();
        } else {
            return keys32_.get();
        }
    }

    /// The place of `number` in the hash table, or the free place where it belongs. Keys are number + 1.
    template <typename Key>
    [[nodiscard]] std::size_t locate(const Key* keys, std::uint64_t number) const {
        const auto key = static_cast<Key>(number + 1);
        // The upper 32 bits of the product, scaled to the capacity, which need not be a power of two.
        std::size_t place = (((key * std::uint64_t{0x9e3779b97f4a7c15}) >> 32) * capacity_) >> 32;
        while (keys[place] != key && keys[place] != 0) {
            place = place + 1 == capacity_ ? 0 : place + 1;
        }
        return place;
    }

    void make_dense() { dense_ = ZeroedArray<Slot>(size_limit_); }

    void make_hash(std::size_t capacity) {
        capacity_ = capacity;
        slots_ = ZeroedArray<Slot>(capacity);
        if (wide_) {
            keys64_ = ZeroedArray<std::uint64_t>(capacity);
        } else {
            keys32_ = ZeroedArray<std::uint32_t>(capacity);
        }
    }

    /// Makes room for `more` conjunctions at a load of at most 2/3, as an array where that pays.
    void reserve(std::size_t more) {
        if ((used_ + more) * 3 <= capacity_ * 2) {
            return;
        }
        const std::size_t capacity = (used_ + used_ / 4 + more) * 3 / 2 + 1;
        const ZeroedArray<Slot> slots = std::move(slots_);
        const ZeroedArray<std::uint32_t> keys32 = std::move(keys32_);
        const ZeroedArray<std::uint64_t> keys64 = std::move(keys64_);
        const std::size_t old_capacity = capacity_;
        const bool dense =
            size_limit_ <= kDenseFavour * capacity * (sizeof(Slot) + key_bytes()) / sizeof(Slot);
        if (dense) {
            make_dense();
        } else {
            make_hash(capacity);
        }
        for (std::size_t i = 0; i < old_capacity; ++i) {
            const std::uint64_t key = wide_ ? keys64[i] : keys32[i];
            if (key == 0) {
                continue;
            }
            if (dense) {
                dense_[key - 1] = slots[i];
            } else if (wide_) {
                const std::size_t place = locate(keys64_.get(), key - 1);
                keys64_[place] = key;
                slots_[place] = slots[i];
            } else {
                const std::size_t place = locate(keys32_.get(), key - 1);
                keys32_[place] = static_cast<std::uint32_t>(key);
                slots_[place] = slots[i];
            }
        }
    }

    std::uint64_t size_limit_;
    ZeroedArray<Slot> dense_;
    ZeroedArray<Slot> slots_;
    ZeroedArray<std::uint32_t> keys32_;
    ZeroedArray<std::uint64_t> keys64_;
    std::size_t capacity_ = 0;
    std::size_t used_ = 0;
    bool wide_ = false;
};

}  // namespace treeline::polynomial
