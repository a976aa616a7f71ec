#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <filesystem>
#include <mutex>
#include <optional>

#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"
#include "base/unchecked_memory.hpp"
#include "store/arrow_file.hpp"
#include "store/file_kind.hpp"
#include "store/vectors.hpp"
#include "store/vectors_checksum.hpp"
#include "store/vectors_schema.hpp"

namespace treeline::store {

namespace fs = std::filesystem;

namespace {

constexpr const char* kRemedy = "; copy or make the file again";

/// A batch with what had to be made for it.
struct Held {
    std::shared_ptr<arrow::RecordBatch> batch;
    std::shared_ptr<const arrow::KeyValueMetadata> metadata;
    std::vector<std::int32_t> codes;
    std::span<const double> numbers;  ///< labels, where they are numbers
};

/// The text under `key`, if there is one.
std::optional<std::string> find_text(const std::shared_ptr<const arrow::KeyValueMetadata>& metadata,
                                     const char* key) {
    const int at = metadata == nullptr ? -1 : metadata->FindKey(key);
    return at < 0 ? std::nullopt : std::optional(metadata->value(at));
}

}  // namespace

struct VectorsFile::Impl {
    std::string path;
    VectorsInfo info;
    LabelColumn labels = LabelColumn::kText;
    std::shared_ptr<arrow::ipc::RecordBatchFileReader> reader;
    std::mutex
        reading;  ///< Arrow reads a file's dictionaries with the first batch, and not for two threads at once
    bool digests = false;
    std::vector<bool> checked;  ///< by batch; guarded by `reading`

    [[noreturn]] void fail(const std::string& problem) const { throw base::InputError({path}, problem); }
    void check(const arrow::Status& status) const {
        if (!status.ok()) {
            fail(status.message());
        }
    }
    template <typename T>
    T check(arrow::Result<T> result) const {
        check(result.status());
        return std::move(result).ValueUnsafe();
    }
    void take_labels(const arrow::Array& column, VectorsBatch& out, Held& held) const;
    void check_rows(const VectorsBatch& batch) const;
    void check_digest(const VectorsBatch& batch, const Held& held) const;
};

namespace {

template <typename Array>
auto values_of(const arrow::Array& array) {
    const auto& typed = static_cast<const Array&>(array);
    return std::span(typed.raw_values(), static_cast<std::size_t>(typed.length()));
}

/// Whether the indices of every row ascend and all values are finite. Neither loop over entries branches, and the sum
/// is as wide as they are, so that the compiler takes several at once.
bool rows_are_sound(const VectorsBatch& batch) {
    std::uint32_t unsound = 0;
    for (const float value : batch.values) {
        unsound |= static_cast<std::uint32_t>(!std::isfinite(value));
    }
    const std::uint32_t* const indices = batch.indices.data();
    for (std::size_t row = 0; row < batch.size(); ++row) {
        for (std::int32_t i = batch.offsets[row] + 1; i < batch.offsets[row + 1]; ++i) {
            unsound |= static_cast<std::uint32_t>(indices[i - 1] >= indices[i]);
        }
    }
    return unsound == 0;
}

}  // namespace

VectorsFile::VectorsFile(std::string path) : impl_(std::make_unique<Impl>()) {
    impl_->path = std::move(path);
    std::error_code missing;
    const auto size = fs::file_size(impl_->path, missing);
    if (missing) {
        throw base::SystemError("read", impl_->path, missing.value());
    }
    if (size == 0) {
        impl_->fail("the file is empty; expected an Arrow IPC file");
    }
    // Without memory for what it maps, the destructor of the file uses that all the same.
    const auto file = impl_->check(base::call_unchecked(
        [&] { return arrow::io::MemoryMappedFile::Open(impl_->path, arrow::io::FileMode::READ); }));
    auto options = arrow::ipc::IpcReadOptions::Defaults();
    options.use_threads = false;
    impl_->reader = impl_->check(arrow::ipc::RecordBatchFileReader::Open(file, options));
    impl_->info = read_vectors_schema(impl_->path, *impl_->reader->schema(), impl_->labels);
    impl_->checked.resize(batch_count());
    impl_->digests = has_digests(*impl_->reader->schema());
    const auto batches = find_text(impl_->reader->metadata(), kBatchesKey);
    if (impl_->digests && (!batches || base::parse_unsigned(*batches) != batch_count())) {
        impl_->fail(fmt::format("damaged: {} batches; expected {}{}", batch_count(),
                                batches.value_or("their number"), kRemedy));
    }
}

VectorsFile::~VectorsFile() = default;
VectorsFile::VectorsFile(VectorsFile&&) noexcept = default;
VectorsFile& VectorsFile::operator=(VectorsFile&&) noexcept = default;

const std::string& VectorsFile::path() const { return impl_->path; }
const VectorsInfo& VectorsFile::info() const { return impl_->info; }
bool VectorsFile::has_weights() const { return impl_->reader->schema()->num_fields() == 5; }
std::size_t VectorsFile::batch_count() const {
    return static_cast<std::size_t>(impl_->reader->num_record_batches());
}

void VectorsFile::Impl::take_labels(const arrow::Array& column, VectorsBatch& out, Held& held) const {
    if (labels == LabelColumn::kText) {
        const auto& coded = static_cast<const arrow::DictionaryArray&>(column);
        const auto& names = static_cast<const arrow::StringArray&>(*coded.dictionary());
        for (std::int64_t i = 0; i < names.length(); ++i) {
            out.label_names.emplace_back(names.GetView(i));
        }
        out.label_codes = values_of<arrow::Int32Array>(*coded.indices());
        return;
    }
    std::map<double, std::int32_t> known;
    held.numbers = values_of<arrow::DoubleArray>(column);
    for (const double number : held.numbers) {
        if (!std::isfinite(number)) {
            fail("a label that is not a number");
        }
        const auto [found, added] = known.emplace(number, static_cast<std::int32_t>(known.size()));
        if (added) {
            out.label_names.push_back(base::format_double(number));
        }
        held.codes.push_back(found->second);
    }
    out.label_codes = held.codes;
}

void VectorsFile::Impl::check_rows(const VectorsBatch& batch) const {
    if (rows_are_sound(batch)) {
        return;
    }
    for (std::size_t row = 0; row < batch.size(); ++row) {
        const auto begin = static_cast<std::size_t>(batch.offsets[row]);
        const auto end = static_cast<std::size_t>(batch.offsets[row + 1]);
        for (std::size_t i = begin; i < end; ++i) {
            if (i > begin && batch.indices[i - 1] >= batch.indices[i]) {
                fail(fmt::format("row {}: index {} after {}; expected ascending indices", batch.ids[row],
                                 batch.indices[i], batch.indices[i - 1]));
            }
            if (!std::isfinite(batch.values[i])) {
                fail(fmt::format("row {}: a value that is not finite", batch.ids[row]));
            }
        }
    }
}

void VectorsFile::Impl::check_digest(const VectorsBatch& batch, const Held& held) const {
    const auto digest = find_text(held.metadata, kDigestKey);
    if (digests && digest != digest_of(info, batch, held.numbers)) {
        fail(std::string("damaged: the digest of a batch is not that of its rows") + kRemedy);
    }
}

VectorsBatch VectorsFile::batch(std::size_t number) const {
    auto held = std::make_shared<Held>();
    bool is_new = true;
    {
        const std::lock_guard lock(impl_->reading);
        is_new = !impl_->checked[number];
        auto read = impl_->check(impl_->reader->ReadRecordBatchWithCustomMetadata(static_cast<int>(number)));
        held->batch = std::move(read.batch);
        held->metadata = std::move(read.custom_metadata);
    }
    if (is_new) {
        impl_->check(held->batch->ValidateFull());
    }
    const auto rows = static_cast<std::size_t>(held->batch->num_rows());
    for (const auto& column : held->batch->columns()) {
        if (column->null_count() != 0) {
            impl_->fail("a column with missing values");
        }
    }
    VectorsBatch out;
    out.ids = values_of<arrow::UInt64Array>(*held->batch->column(0));
    impl_->take_labels(*held->batch->column(1), out, *held);
    const auto& indices = static_cast<const arrow::ListArray&>(*held->batch->column(2));
    const auto& values = static_cast<const arrow::ListArray&>(*held->batch->column(3));
    if (rows > 0) {
        out.offsets = {indices.raw_value_offsets(), rows + 1};
        if (!std::equal(out.offsets.begin(), out.offsets.end(), values.raw_value_offsets())) {
            impl_->fail("a row with more indices than values, or fewer");
        }
    }
    if (indices.values()->null_count() != 0 || values.values()->null_count() != 0) {
        impl_->fail("a vector with missing entries");
    }
    out.indices = values_of<arrow::UInt32Array>(*indices.values());
    out.values = values_of<arrow::FloatArray>(*values.values());
    if (has_weights()) {
        out.weights = values_of<arrow::DoubleArray>(*held->batch->column(4));
        for (const double weight : out.weights) {
            if (!(weight > 0) || !std::isfinite(weight)) {
                impl_->fail("a weight of " + base::format_double(weight) + "; expected one above 0");
            }
        }
    }
    if (is_new) {
        impl_->check_digest(out, *held);
        impl_->check_rows(out);
        const std::lock_guard lock(impl_->reading);
        impl_->checked[number] = true;
    }
    out.owner = std::move(held);
    return out;
}

VectorRow VectorsBatch::row(std::size_t row) const {
    const auto begin = static_cast<std::size_t>(offsets[row]);
    const auto length = static_cast<std::size_t>(offsets[row + 1]) - begin;
    return {ids[row], label_names[static_cast<std::size_t>(label_codes[row])], indices.subspan(begin, length),
            values.subspan(begin, length), weights.empty() ? 1 : weights[row]};
}

std::string part_name(std::uint32_t shard, std::uint32_t shards, std::string_view extension) {
    return fmt::format("{}{:05}-of-{:05}{}", base::formats::kPartPrefix, shard, shards, extension);
}

std::vector<VectorsFile> open_vectors(const std::string& path) {
    require_kind(path, FileKind::kVectors);
    std::vector<VectorsFile> files;
    if (!fs::is_directory(path)) {
        files.emplace_back(path);
        return files;
    }
    if (!fs::exists(fs::path(path) / base::formats::kSuccessFile)) {
        if (fs::is_empty(path)) {
            throw base::InputError({path},
                                   "an empty folder; expected vectors (Arrow): tfx makes them of examples "
                                   "and a dictionary");
        }
        throw base::InputError({path}, fmt::format("no file {} in this folder; run tfx to the end",
                                                   base::formats::kSuccessFile));
    }
    std::vector<std::string> names;
    base::visit_folder(path, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(base::formats::kPartPrefix) && name.ends_with(base::formats::kArrowEnding)) {
            names.push_back(entry.path().string());
        }
    });
    std::ranges::sort(names);
    for (const std::string& name : names) {
        files.emplace_back(name);
    }
    if (files.empty() || files.size() != files.front().info().shards) {
        throw base::InputError({path}, fmt::format("{} parts; expected {}", files.size(),
                                                   files.empty() ? 1 : files.front().info().shards));
    }
    for (std::uint32_t shard = 0; shard < files.size(); ++shard) {
        const VectorsInfo& info = files[shard].info();
        if (info.shard != shard || info.shards != files.size() || !info.same_space(files.front().info()) ||
            files[shard].has_weights() != files.front().has_weights()) {
            throw base::InputError({files[shard].path()}, "does not belong to the other parts of its folder");
        }
    }
    return files;
}

VectorsReader::VectorsReader(const std::vector<VectorsFile>& files) {
    for (const VectorsFile& file : files) {
        Cursor cursor{.file = &file, .next_batch = 0, .batch = {}, .row = 0};
        if (advance(cursor)) {
            heap_.push_back(cursors_.size());
            cursors_.push_back(std::move(cursor));
        }
    }
    std::ranges::make_heap(heap_, [this](std::size_t a, std::size_t b) { return later(a, b); });
}

bool VectorsReader::later(std::size_t a, std::size_t b) const {
    return cursors_[a].batch.ids[cursors_[a].row] > cursors_[b].batch.ids[cursors_[b].row];
}

bool VectorsReader::advance(Cursor& cursor) {
    while (cursor.row >= cursor.batch.size()) {
        if (cursor.next_batch == cursor.file->batch_count()) {
            return false;
        }
        cursor.batch = cursor.file->batch(cursor.next_batch++);
        cursor.row = 0;
    }
    return true;
}

bool VectorsReader::next(VectorRow& row) {
    const auto order = [this](std::size_t a, std::size_t b) { return later(a, b); };
    // The row handed out last is no longer needed: its batch may go with it.
    if (started_ && !heap_.empty()) {
        std::ranges::pop_heap(heap_, order);
        Cursor& cursor = cursors_[heap_.back()];
        ++cursor.row;
        if (advance(cursor)) {
            std::ranges::push_heap(heap_, order);
        } else {
            heap_.pop_back();
        }
    }
    started_ = true;
    if (heap_.empty()) {
        return false;
    }
    const Cursor& cursor = cursors_[heap_.front()];
    row = cursor.batch.row(cursor.row);
    return true;
}

}  // namespace treeline::store
