#include "store/fragment_table.hpp"

#include <arrow/api.h>

#include "base/format_names.hpp"
#include "fragment/fragment.hpp"
#include "store/arrow_file.hpp"

namespace treeline::store {

namespace {

constexpr std::int64_t kTableBatchRows = 16384;

std::shared_ptr<arrow::DataType> model_type() {
    return arrow::struct_({arrow::field("model", arrow::utf8()), arrow::field("relevance", arrow::float64()),
                           arrow::field("count", arrow::uint64())});
}

std::shared_ptr<arrow::Schema> table_schema(const Dictionary& dictionary) {
    return arrow::schema(
        {arrow::field("id", arrow::uint32()), arrow::field("fragment", arrow::utf8()),
         arrow::field("relevance", arrow::float64()), arrow::field("class", arrow::utf8()),
         arrow::field("size", arrow::uint32()), arrow::field("nodes", arrow::uint32()),
         arrow::field("depth", arrow::uint32()), arrow::field("count", arrow::uint64()),
         arrow::field("models", arrow::list(model_type()))},
        arrow::key_value_metadata({base::formats::kKernelKey, base::formats::kDictionaryKey},
                                  {to_string(dictionary.info().kernel), dictionary.digest()}));
}

}  // namespace

struct FragmentTable::Impl {
    Impl(const std::string& path, const Dictionary& of)
        : dictionary(&of),
          schema(table_schema(of)),
          file(path, schema),
          rows(file.check(
              arrow::RecordBatchBuilder::Make(schema, arrow::default_memory_pool(), kTableBatchRows))) {}

    template <typename Builder, typename Value>
    void append(int column, const Value& value) {
        file.check(rows->GetFieldAs<Builder>(column)->Append(value));
    }
    void flush() {
        file.write(*file.check(rows->Flush()));
        waiting = 0;
    }

    const Dictionary* dictionary;
    std::shared_ptr<arrow::Schema> schema;
    ArrowFile file;
    std::unique_ptr<arrow::RecordBatchBuilder> rows;
    std::int64_t waiting = 0;
};

FragmentTable::FragmentTable(const std::string& path, const Dictionary& dictionary)
    : impl_(std::make_unique<Impl>(path, dictionary)) {}

FragmentTable::~FragmentTable() = default;

void FragmentTable::add(const Dictionary::Entry& entry, double relevance, const std::string& label) {
    Impl& impl = *impl_;
    const FragmentRecord& record = entry.record;
    impl.append<arrow::UInt32Builder>(0, entry.id);
    impl.append<arrow::StringBuilder>(1, fragment::to_text(entry.fragment, impl.dictionary->symbols()));
    impl.append<arrow::DoubleBuilder>(2, relevance);
    impl.append<arrow::StringBuilder>(3, label);
    impl.append<arrow::UInt32Builder>(4, record.expanded);
    impl.append<arrow::UInt32Builder>(5, record.nodes);
    impl.append<arrow::UInt32Builder>(6, record.depth);
    impl.append<arrow::UInt64Builder>(7, record.count());
    auto* const models = impl.rows->GetFieldAs<arrow::ListBuilder>(8);
    auto& model_row = static_cast<arrow::StructBuilder&>(*models->value_builder());
    impl.file.check(models->Append());
    for (const ModelRelevance& model : record.models) {
        impl.file.check(model_row.Append());
        impl.file.check(static_cast<arrow::StringBuilder&>(*model_row.field_builder(0))
                            .Append(impl.dictionary->info().models.at(model.model).name));
        impl.file.check(
            static_cast<arrow::DoubleBuilder&>(*model_row.field_builder(1)).Append(model.relevance));
        impl.file.check(static_cast<arrow::UInt64Builder&>(*model_row.field_builder(2)).Append(model.count));
    }
    if (++impl.waiting == kTableBatchRows) {
        impl.flush();
    }
}

void FragmentTable::commit() {
    if (impl_->waiting > 0) {
        impl_->flush();
    }
    impl_->file.commit();
}

}  // namespace treeline::store
