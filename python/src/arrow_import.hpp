#pragma once

#include <nanobind/nanobind.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_c.hpp"

namespace treeline::python {

/// Whether an object hands out Arrow data: pyarrow, pandas, polars and others.
[[nodiscard]] bool has_arrow_data(nanobind::handle object);

/// Arrays that an object handed out, in the memory of whoever made them; released with this.
class ArrowData {
  public:
    /// By `__arrow_c_stream__`, or else `__arrow_c_array__`.
    explicit ArrowData(nanobind::handle object);
    ~ArrowData();
    ArrowData(const ArrowData&) = delete;
    ArrowData& operator=(const ArrowData&) = delete;

    [[nodiscard]] const ArrowSchema& schema() const { return schema_; }
    [[nodiscard]] const std::vector<ArrowArray>& arrays() const { return arrays_; }

  private:
    void take_stream(ArrowArrayStream& stream);

    ArrowSchema schema_{};
    std::vector<ArrowArray> arrays_;
};

/// A column: an array of a schema, from `offset` on, `length` values.
struct ArrowColumn {
    const ArrowSchema* schema;
    const ArrowArray* array;
    std::int64_t offset;
    std::int64_t length;

    explicit ArrowColumn(const ArrowSchema& of, const ArrowArray& data)
        : schema(&of), array(&data), offset(data.offset), length(data.length) {}
    /// A column of a record batch; nothing where it has none of that name.
    [[nodiscard]] std::optional<ArrowColumn> find(std::string_view name) const;
    [[nodiscard]] bool is_batch() const { return std::string_view(schema->format) == "+s"; }
};

/// Appends the texts of a column of strings (utf8, large_utf8, string_view, or a dictionary of them) without copying them;
/// they live as long as the data. Names of columns and rows in errors start with `what`.
/// Throws TypeError for other columns, ValueError for missing values and for what is not UTF-8.
void append_texts(const ArrowColumn& column, const std::string& what, std::vector<std::string_view>& out);

/// Appends whole numbers from 0 on (any integer column). Throws likewise.
void append_numbers(const ArrowColumn& column, const std::string& what, std::vector<std::uint64_t>& out);

}  // namespace treeline::python
