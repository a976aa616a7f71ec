#include <arrow/api.h>

#include <limits>

#include "base/error.hpp"
#include "base/text.hpp"
#include "store/arrow_file.hpp"
#include "store/vectors.hpp"
#include "store/vectors_checksum.hpp"
#include "store/vectors_schema.hpp"
#include "tree/symbols.hpp"

namespace treeline::store {

namespace {

class ArrowSink final : public VectorSink {
  public:
    ArrowSink(const std::string& path, const VectorsInfo& info, const VectorsWriterOptions& options)
        : info_(info),
          labels_(options.labels),
          has_weights_(options.weights),
          schema_(vectors_schema(info, options.labels, options.weights)),
          file_(path, schema_, options.compress) {}

    void add(const VectorRow& row) override {
        if (indices_.size() + row.indices.size() > std::numeric_limits<std::int32_t>::max()) {
            throw base::Error("cannot write " + base::quoted(file_.path()) + ": a row with " +
                              std::to_string(row.indices.size()) + " entries");
        }
        ids_.push_back(row.id);
        if (labels_ == LabelColumn::kText) {
            codes_.push_back(static_cast<std::int32_t>(raw(names_.intern(row.label))));
        } else {
            const auto number = base::parse_double(row.label);
            if (!number) {
                throw base::Error("label " + base::quoted(row.label) + " is not a number");
            }
            numbers_.push_back(*number);
        }
        indices_.insert(indices_.end(), row.indices.begin(), row.indices.end());
        values_.insert(values_.end(), row.values.begin(), row.values.end());
        offsets_.push_back(static_cast<std::int32_t>(indices_.size()));
        weights_.push_back(row.weight);
        if (ids_.size() >= kBatchRows || indices_.size() >= kBatchEntries) {
            flush();
        }
    }

    base::Manifest::File commit() override {
        if (!ids_.empty()) {
            flush();
        }
        return file_.commit();
    }

  private:
    [[nodiscard]] std::shared_ptr<arrow::Array> label_array(std::int64_t rows) {
        if (labels_ == LabelColumn::kNumber) {
            return std::make_shared<arrow::DoubleArray>(rows, arrow::Buffer::Wrap(numbers_));
        }
        if (known_ == nullptr || known_->length() != static_cast<std::int64_t>(names_.size())) {
            arrow::StringBuilder builder;
            for (std::uint32_t name = 0; name < names_.size(); ++name) {
                file_.check(builder.Append(names_.text(tree::SymbolId{name})));
            }
            known_ = file_.check(builder.Finish());
        }
        return file_.check(arrow::DictionaryArray::FromArrays(
            label_type(LabelColumn::kText),
            std::make_shared<arrow::Int32Array>(rows, arrow::Buffer::Wrap(codes_)), known_));
    }

    /// Of the rows that are held.
    [[nodiscard]] std::string digest() const {
        VectorsBatch batch;
        batch.ids = ids_;
        batch.label_codes = codes_;
        for (std::uint32_t name = 0; name < names_.size(); ++name) {
            batch.label_names.emplace_back(names_.text(tree::SymbolId{name}));
        }
        batch.offsets = offsets_;
        batch.indices = indices_;
        batch.values = values_;
        if (has_weights_) {
            batch.weights = weights_;
        }
        return digest_of(info_, batch, numbers_);
    }

    void flush() {
        const auto rows = static_cast<std::int64_t>(ids_.size());
        const auto entries = static_cast<std::int64_t>(indices_.size());
        const auto offsets = arrow::Buffer::Wrap(offsets_);
        const auto list = [&](int column, const std::shared_ptr<arrow::Array>& items) {
            return std::make_shared<arrow::ListArray>(schema_->field(column)->type(), rows, offsets, items);
        };
        arrow::ArrayVector columns{
            std::make_shared<arrow::UInt64Array>(rows, arrow::Buffer::Wrap(ids_)), label_array(rows),
            list(2, std::make_shared<arrow::UInt32Array>(entries, arrow::Buffer::Wrap(indices_))),
            list(3, std::make_shared<arrow::FloatArray>(entries, arrow::Buffer::Wrap(values_)))};
        if (has_weights_) {
            columns.push_back(std::make_shared<arrow::DoubleArray>(rows, arrow::Buffer::Wrap(weights_)));
        }
        file_.write(*arrow::RecordBatch::Make(schema_, rows, std::move(columns)), digest());
        ids_.clear();
        codes_.clear();
        numbers_.clear();
        indices_.clear();
        values_.clear();
        weights_.clear();
        offsets_.assign(1, 0);
    }

    VectorsInfo info_;
    LabelColumn labels_;
    bool has_weights_;
    std::shared_ptr<arrow::Schema> schema_;
    ArrowFile file_;
    tree::SymbolTable names_;
    std::shared_ptr<arrow::Array> known_;  // the names, as long as none is added
    std::vector<std::uint64_t> ids_;
    std::vector<std::int32_t> codes_;
    std::vector<double> numbers_;
    std::vector<std::int32_t> offsets_{0};
    std::vector<std::uint32_t> indices_;
    std::vector<float> values_;
    std::vector<double> weights_;
};

class LibsvmSink final : public VectorSink {
  public:
    LibsvmSink(const std::string& path, std::map<std::string, std::uint64_t, std::less<>>& numbers)
        : file_(path), numbers_(&numbers) {}

    void add(const VectorRow& row) override {
        line_.clear();
        if (base::parse_double(row.label)) {
            line_ += row.label;
        } else {
            auto found = numbers_->find(row.label);
            if (found == numbers_->end()) {
                found = numbers_->emplace(row.label, numbers_->size() + 1).first;
            }
            line_ += std::to_string(found->second);
        }
        for (std::size_t i = 0; i < row.indices.size(); ++i) {
            line_ += ' ';
            line_ += std::to_string(std::uint64_t{row.indices[i]} + 1);
            line_ += ':';
            line_ += base::format_double(static_cast<double>(row.values[i]));
        }
        line_ += '\n';
        file_.write(line_);
    }
    base::Manifest::File commit() override { return file_.commit(); }

  private:
    CountedFile file_;
    std::map<std::string, std::uint64_t, std::less<>>* numbers_;
    std::string line_;
};

}  // namespace

std::unique_ptr<VectorSink> make_arrow_sink(const std::string& path, const VectorsInfo& info,
                                            const VectorsWriterOptions& options) {
    return std::make_unique<ArrowSink>(path, info, options);
}

std::unique_ptr<VectorSink> make_libsvm_sink(const std::string& path,
                                             std::map<std::string, std::uint64_t, std::less<>>& numbers) {
    return std::make_unique<LibsvmSink>(path, numbers);
}

}  // namespace treeline::store
