#include "store/predictions.hpp"

#include <arrow/api.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <charconv>
#include <optional>

#include "base/descriptor.hpp"
#include "base/output.hpp"
#include "store/arrow_file.hpp"

namespace treeline::store {

namespace {

constexpr std::size_t kLabelColumns = 3;  // example, gold, predicted

void append_cell(std::string& line, std::string_view text) {
    const std::size_t begin = line.size();
    line += text;
    std::replace_if(
        line.begin() + static_cast<std::ptrdiff_t>(begin), line.end(),
        [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
}

/// The digits of base::format_double, without a string of their own: a tenth of the time of classifying vectors.
template <typename T>
void append_number(std::string& line, T number) {
    std::array<char, 32> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), number).ptr;
    line.append(digits.data(), end);
}

std::shared_ptr<arrow::Schema> prediction_schema(const std::vector<std::string>& names) {
    arrow::FieldVector fields{arrow::field(names[0], arrow::uint64(), false),
                              arrow::field(names[1], arrow::utf8()),
                              arrow::field(names[2], arrow::utf8(), false)};
    for (std::size_t i = kLabelColumns; i < names.size(); ++i) {
        fields.push_back(arrow::field(names[i], arrow::float64(), false));
    }
    return arrow::schema(fields);
}

}  // namespace

std::vector<std::string> prediction_columns(const PredictionColumns& columns) {
    std::vector<std::string> names{"example", "gold", "predicted"};
    assert(columns.values <= columns.classes.size());
    for (std::size_t i = 0; i < columns.values; ++i) {
        names.push_back("value:" + columns.classes[i]);
    }
    for (std::size_t i = 0; columns.probabilities && i < columns.classes.size(); ++i) {
        names.push_back("probability:" + columns.classes[i]);
    }
    return names;
}

void PredictionBatch::add(const Prediction& prediction) {
    if (format_ == PredictionFormat::kArrow) {
        examples_.push_back(prediction.example);
        for (const std::string_view label : {prediction.gold, prediction.predicted}) {
            text_ += label;
            ends_.push_back(static_cast<std::uint32_t>(text_.size()));
        }
        numbers_.insert(numbers_.end(), prediction.values.begin(), prediction.values.end());
        numbers_.insert(numbers_.end(), prediction.probabilities.begin(), prediction.probabilities.end());
        return;
    }
    append_number(text_, prediction.example);
    for (const std::string_view label : {prediction.gold, prediction.predicted}) {
        text_ += '\t';
        append_cell(text_, label);
    }
    for (const std::span<const double> numbers : {prediction.values, prediction.probabilities}) {
        for (const double number : numbers) {
            text_ += '\t';
            append_number(text_, number);
        }
    }
    text_ += '\n';
}

struct PredictionWriter::Impl {
    Impl(const std::string& path, PredictionFormat format, const PredictionColumns& columns) {
        const std::vector<std::string> names = prediction_columns(columns);
        if (format == PredictionFormat::kArrow) {
            schema = prediction_schema(names);
            table.emplace(path, schema);
            return;
        }
        if (path == "-") {
            pipe.emplace(base::Descriptor::standard_output());
        } else {
            text.emplace(path);
        }
        std::string heading;
        for (const std::string& name : names) {
            heading += heading.empty() ? "" : "\t";
            append_cell(heading, name);
        }
        write_text(heading + '\n');
    }

    /// On stdout lines are seen at once: somebody may wait for them in a pipe.
    void write_text(std::string_view lines) {
        if (pipe) {
            pipe->write_all(lines);
        } else {
            text->write(lines);
        }
    }

    void write_table(const PredictionBatch& batch) {
        arrow::UInt64Builder examples;
        arrow::StringBuilder gold;
        arrow::StringBuilder predicted;
        const std::size_t columns = static_cast<std::size_t>(schema->num_fields()) - kLabelColumns;
        std::vector<arrow::DoubleBuilder> numbers(columns);
        const std::size_t rows = batch.examples_.size();
        std::size_t begin = 0;
        const auto label = [&](std::size_t number) {
            const std::size_t end = batch.ends_[number];
            const auto view = std::string_view(batch.text_).substr(begin, end - begin);
            begin = end;
            return view;
        };
        for (std::size_t row = 0; row < rows; ++row) {
            table->check(examples.Append(batch.examples_[row]));
            const auto known = label(2 * row);
            table->check(known.empty() ? gold.AppendNull() : gold.Append(known));
            table->check(predicted.Append(label(2 * row + 1)));
            for (std::size_t i = 0; i < columns; ++i) {
                table->check(numbers[i].Append(batch.numbers_[row * columns + i]));
            }
        }
        arrow::ArrayVector arrays{table->check(examples.Finish()), table->check(gold.Finish()),
                                  table->check(predicted.Finish())};
        for (arrow::DoubleBuilder& builder : numbers) {
            arrays.push_back(table->check(builder.Finish()));
        }
        table->write(*arrow::RecordBatch::Make(schema, static_cast<std::int64_t>(rows), std::move(arrays)));
    }

    std::optional<base::AtomicFile> text;
    std::optional<base::Descriptor> pipe;  // in place of `text`
    std::shared_ptr<arrow::Schema> schema;
    std::optional<ArrowFile> table;
};

PredictionWriter::PredictionWriter(const std::string& path, PredictionFormat format,
                                   const PredictionColumns& columns)
    : impl_(std::make_unique<Impl>(path, format, columns)) {}

PredictionWriter::~PredictionWriter() = default;

void PredictionWriter::write(const PredictionBatch& batch) {
    if (!impl_->table) {
        impl_->write_text(batch.text_);
    } else if (!batch.examples_.empty()) {
        impl_->write_table(batch);
    }
}

void PredictionWriter::commit() {
    if (impl_->text) {
        impl_->text->commit();
    } else if (impl_->table) {
        (void)impl_->table->commit();
    }
}

}  // namespace treeline::store
