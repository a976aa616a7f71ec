#include "store/kernel_table.hpp"

#include <arrow/api.h>

#include <limits>
#include <utility>

#include "base/error.hpp"
#include "store/arrow_file.hpp"

namespace treeline::store {

namespace {

/// Kept until they are written as a batch.
constexpr std::size_t kBatchBytes = std::size_t{8} << 20;

std::shared_ptr<arrow::Schema> table_schema(NpyType type, std::uint64_t columns) {
    const auto number = type == NpyType::kFloat32 ? arrow::float32() : arrow::float64();
    if (columns == KernelTable::kPairs) {
        return arrow::schema({arrow::field("value", number)});
    }
    if (columns > std::numeric_limits<std::int32_t>::max()) {
        throw base::UsageError("a row of " + std::to_string(columns) +
                               " values is too long for Arrow; use .npy");
    }
    return arrow::schema(
        {arrow::field("values", arrow::fixed_size_list(number, static_cast<std::int32_t>(columns)))});
}

}  // namespace

struct KernelTable::Impl {
    Impl(const std::string& path, NpyType number_type, std::uint64_t of_columns)
        : type(number_type), columns(of_columns), schema(table_schema(type, columns)), file(path, schema) {}

    void flush() {
        const std::size_t width = type == NpyType::kFloat32 ? sizeof(float) : sizeof(double);
        const auto count = static_cast<std::int64_t>(bytes.size() / width);
        const auto buffer = arrow::Buffer::FromString(std::exchange(bytes, {}));
        std::shared_ptr<arrow::Array> column;
        if (type == NpyType::kFloat32) {
            column = std::make_shared<arrow::FloatArray>(count, buffer);
        } else {
            column = std::make_shared<arrow::DoubleArray>(count, buffer);
        }
        std::int64_t batch_rows = count;
        if (columns != kPairs) {
            batch_rows = rows;
            column = std::make_shared<arrow::FixedSizeListArray>(schema->field(0)->type(), rows, column);
        }
        file.write(*arrow::RecordBatch::Make(schema, batch_rows, {column}));
        rows = 0;
    }

    NpyType type;
    std::uint64_t columns;
    std::shared_ptr<arrow::Schema> schema;
    ArrowFile file;
    std::string bytes;
    std::int64_t rows = 0;
};

KernelTable::KernelTable(const std::string& path, NpyType type, std::uint64_t columns)
    : impl_(std::make_unique<Impl>(path, type, columns)) {}

KernelTable::~KernelTable() = default;

void KernelTable::add(std::string_view numbers) {
    impl_->bytes += numbers;
    ++impl_->rows;
    if (impl_->bytes.size() >= kBatchBytes) {
        impl_->flush();
    }
}

void KernelTable::commit() {
    if (impl_->rows > 0) {
        impl_->flush();
    }
    impl_->file.commit();
}

}  // namespace treeline::store
