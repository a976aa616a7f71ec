#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "arrow_c.hpp"

namespace treeline::python {

/// Values of one column in the layout of Arrow, without missing ones.
class ArrowField {
  public:
    /// std::int32_t, std::uint32_t, std::int64_t, std::uint64_t, float or double.
    template <typename T>
    [[nodiscard]] static ArrowField numbers(std::string name, std::vector<T> values) {
        ArrowField field(std::move(name), format_of(T{}), values.size());
        field.own(std::move(values));
        return field;
    }
    /// utf8. Throws base::Error above 2 GiB of text.
    [[nodiscard]] static ArrowField texts(std::string name, std::span<const std::string> values);
    /// dictionary<int32, utf8>.
    [[nodiscard]] static ArrowField coded_texts(std::string name, std::vector<std::int32_t> codes,
                                                std::span<const std::string> names);
    /// list<items>; `offsets` is one longer than the column.
    [[nodiscard]] static ArrowField lists(std::string name, std::vector<std::int32_t> offsets,
                                          ArrowField items);
    /// A record batch of fields of the same length.
    [[nodiscard]] static ArrowField batch(std::vector<ArrowField> fields);

    [[nodiscard]] const std::string& name() const { return name_; }
    [[nodiscard]] std::size_t size() const { return size_; }
    [[nodiscard]] const std::vector<ArrowField>& children() const { return children_; }
    /// Numbers as a NumPy array that shares the memory, texts as a list.
    [[nodiscard]] nanobind::object to_python() const;

    /// Structures that share the memory; released by whoever takes them.
    void export_schema(ArrowSchema& out,
                       const std::vector<std::pair<std::string, std::string>>& metadata = {}) const;
    void export_array(ArrowArray& out) const;

  private:
    ArrowField(std::string name, const char* format, std::size_t size)
        : name_(std::move(name)), format_(format), size_(size) {}

    static constexpr const char* format_of(std::int32_t) { return "i"; }
    static constexpr const char* format_of(std::uint32_t) { return "I"; }
    static constexpr const char* format_of(std::int64_t) { return "l"; }
    static constexpr const char* format_of(std::uint64_t) { return "L"; }
    static constexpr const char* format_of(float) { return "f"; }
    static constexpr const char* format_of(double) { return "g"; }

    template <typename T>
    void own(std::vector<T> values) {
        auto owned = std::make_shared<std::vector<T>>(std::move(values));
        buffers_.emplace_back(owned, owned->data());
    }

    std::string name_;
    std::string format_;
    std::size_t size_;
    std::vector<std::shared_ptr<const void>> buffers_;  // after the one of missing values
    std::vector<ArrowField> children_;
    std::shared_ptr<const ArrowField> dictionary_;
};

/// A table of one batch that hands itself out by the Arrow C data interface.
class ArrowTable {
  public:
    explicit ArrowTable(std::vector<ArrowField> fields,
                        std::vector<std::pair<std::string, std::string>> metadata = {})
        : batch_(ArrowField::batch(std::move(fields))), metadata_(std::move(metadata)) {}

    [[nodiscard]] std::size_t size() const { return batch_.size(); }
    [[nodiscard]] std::vector<std::string> column_names() const;
    /// Throws KeyError.
    [[nodiscard]] nanobind::object column(const std::string& name) const;
    /// `__arrow_c_stream__`.
    [[nodiscard]] nanobind::object stream(nanobind::handle requested_schema) const;
    /// `__arrow_c_array__`.
    [[nodiscard]] nanobind::tuple array(nanobind::handle requested_schema) const;

  private:
    ArrowField batch_;
    std::vector<std::pair<std::string, std::string>> metadata_;
};

}  // namespace treeline::python
