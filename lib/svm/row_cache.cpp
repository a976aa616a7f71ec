#include "svm/row_cache.hpp"

#include <algorithm>

#include "base/parallel.hpp"
#include "base/stopwatch.hpp"

namespace treeline::svm {

namespace {

/// A block takes in the one before it unless that is this many times larger.
constexpr std::size_t kFall = 4;

}  // namespace

template <typename T>
RowCache<T>::RowCache(const TrainingData& data, std::uint64_t bytes)
    : data_(data),
      capacity_(bytes / sizeof(T)),
      position_(data.examples.size(), kNone),
      slot_(data.examples.size(), kNone) {}

template <typename T>
void RowCache<T>::add_targets(std::span<const std::uint32_t> examples) {
    if (examples.empty()) {
        return;
    }
    for (const std::uint32_t example : examples) {
        position_[example] = static_cast<std::uint32_t>(targets_.size());
        targets_.push_back(example);
    }
    std::size_t begin = targets_.size() - examples.size();
    while (!blocks_.empty() &&
           blocks_.back().end - blocks_.back().begin < kFall * (targets_.size() - begin)) {
        begin = blocks_.back().begin;
        blocks_.pop_back();
    }
    const auto members = std::span<const std::uint32_t>(targets_).subspan(begin);
    blocks_.push_back(
        {begin, targets_.size(),
         std::make_unique<kernel::ExampleRows<T>>(data_.kernel, data_.forest, data_.examples, members)});
}

template <typename T>
const T* RowCache<T>::row(std::uint32_t example) {
    if (!is_ready(example)) {
        const base::Stopwatch watch(seconds_);
        reserve(example);
        Row& row = rows_[slot_[example]];
        computed_values_ += targets_.size() - row.size;
        complete(example, row);
    }
    touch(example);
    return rows_[slot_[example]].values.get();
}

template <typename T>
void RowCache<T>::prefetch(std::span<const std::uint32_t> examples) {
    const base::Stopwatch watch(seconds_);
    std::vector<std::uint32_t> missing;
    std::vector<bool> seen(slot_.size());  // two threads must not compute one row
    std::uint64_t wanted = 0;
    for (const std::uint32_t example : examples) {
        if (seen[example]) {
            continue;
        }
        seen[example] = true;
        if (wanted + room_for_a_row() > capacity_) {
            break;
        }
        wanted += room_for_a_row();
        if (!is_ready(example)) {
            missing.push_back(example);
        } else {
            touch(example);
        }
    }
    for (const std::uint32_t example : missing) {
        reserve(example);
        computed_values_ += targets_.size() - rows_[slot_[example]].size;
    }
    base::parallel_pieces(missing.size(), 4, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            complete(missing[i], rows_[slot_[missing[i]]]);
        }
    });
}

template <typename T>
bool RowCache<T>::is_ready(std::uint32_t example) const {
    return slot_[example] != kNone && rows_[slot_[example]].values &&
           rows_[slot_[example]].size == targets_.size();
}

template <typename T>
void RowCache<T>::touch(std::uint32_t example) {
    order_.splice(order_.begin(), order_, rows_[slot_[example]].used);
}

template <typename T>
std::size_t RowCache<T>::room_for_a_row() const {
    return bytes_of_rows(1, targets_.size()) / sizeof(T);
}

template <typename T>
void RowCache<T>::reserve(std::uint32_t example) {
    if (slot_[example] == kNone) {
        slot_[example] = static_cast<std::uint32_t>(rows_.size());
        rows_.emplace_back();
        rows_.back().used = order_.end();
    }
    Row& row = rows_[slot_[example]];
    if (row.used == order_.end()) {
        order_.push_front(example);
        row.used = order_.begin();
    } else {
        touch(example);
    }
    if (row.capacity >= targets_.size()) {
        return;
    }
    const std::size_t room = room_for_a_row();
    while (used_ - row.capacity + room > capacity_ && order_.size() > 2) {
        Row& oldest = rows_[slot_[order_.back()]];
        used_ -= oldest.capacity;
        oldest.values.reset();
        oldest.size = 0;
        oldest.capacity = 0;
        oldest.used = order_.end();
        order_.pop_back();
    }
    auto values = std::make_unique_for_overwrite<T[]>(room);
    std::copy_n(row.values.get(), row.size, values.get());
    row.values = std::move(values);
    used_ += room - row.capacity;
    row.capacity = room;
}

template <typename T>
void RowCache<T>::complete(std::uint32_t example, Row& row) const {
    std::vector<T> part;
    for (const Block& block : blocks_) {
        if (block.end <= row.size) {
            continue;
        }
        if (block.begin >= row.size) {
            block.rows->row(data_.examples, example,
                            {row.values.get() + block.begin, block.end - block.begin});
        } else {
            part.resize(block.end - block.begin);
            block.rows->row(data_.examples, example, part);
            std::copy(part.begin() + static_cast<std::ptrdiff_t>(row.size - block.begin), part.end(),
                      row.values.get() + row.size);
        }
    }
    row.size = targets_.size();
}

template class RowCache<float>;
template class RowCache<double>;

}  // namespace treeline::svm
