#include "arrow_import.hpp"

#include <cstring>

#include "base/text.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

constexpr const char* kStream = "arrow_array_stream";
constexpr const char* kSchema = "arrow_schema";
constexpr const char* kArray = "arrow_array";

template <typename T>
T* pointer_of(nb::handle capsule, const char* name) {
    void* const pointer = PyCapsule_GetPointer(capsule.ptr(), name);
    if (pointer == nullptr) {
        throw nb::python_error();
    }
    return static_cast<T*>(pointer);
}

std::string place(const std::string& what, std::int64_t row) {
    return what + "[" + std::to_string(row) + "]";
}

bool is_missing(const ArrowArray& array, std::int64_t at) {
    const auto* valid = array.n_buffers > 0 ? static_cast<const std::uint8_t*>(array.buffers[0]) : nullptr;
    return array.null_count != 0 && valid != nullptr && ((valid[at / 8] >> (at % 8)) & 1) == 0;
}

/// A value of an integer column.
std::int64_t integer_at(std::string_view format, const ArrowArray& array, std::int64_t at) {
    const void* const data = array.buffers[1];
    const auto value = [&]<typename T>(T) {
        return static_cast<std::int64_t>(static_cast<const T*>(data)[at]);
    };
    switch (format.size() == 1 ? format[0] : ' ') {
        case 'c': return value(std::int8_t{});
        case 'C': return value(std::uint8_t{});
        case 's': return value(std::int16_t{});
        case 'S': return value(std::uint16_t{});
        case 'i': return value(std::int32_t{});
        case 'I': return value(std::uint32_t{});
        case 'l': return value(std::int64_t{});
        case 'L': return value(std::uint64_t{});
        default: throw nb::type_error("not a column of whole numbers");
    }
}

/// Of 16 bytes: the length; then the text itself up to 12 bytes, or a prefix, the number of a buffer and an offset in it.
std::string_view viewed_text(const ArrowArray& array, std::int64_t at) {
    const char* const view = static_cast<const char*>(array.buffers[1]) + at * 16;
    std::int32_t words[4];
    std::memcpy(words, view, sizeof words);
    const auto size = static_cast<std::size_t>(words[0]);
    if (size <= 12) {
        return {view + 4, size};
    }
    return {static_cast<const char*>(array.buffers[2 + words[2]]) + words[3], size};
}

std::string_view text_at(std::string_view format, const ArrowArray& array, std::int64_t at) {
    const auto slice = [&]<typename T>(T) -> std::string_view {
        const T* const offsets = static_cast<const T*>(array.buffers[1]);
        return {static_cast<const char*>(array.buffers[2]) + offsets[at],
                static_cast<std::size_t>(offsets[at + 1] - offsets[at])};
    };
    return format == "u"   ? slice(std::int32_t{})
           : format == "U" ? slice(std::int64_t{})
                           : viewed_text(array, at);
}

bool is_text(std::string_view format) { return format == "u" || format == "U" || format == "vu"; }

}  // namespace

bool has_arrow_data(nb::handle object) {
    return nb::hasattr(object, "__arrow_c_stream__") || nb::hasattr(object, "__arrow_c_array__");
}

ArrowData::ArrowData(nb::handle object) {
    if (nb::hasattr(object, "__arrow_c_stream__")) {
        const nb::object capsule = object.attr("__arrow_c_stream__")();
        take_stream(*pointer_of<ArrowArrayStream>(capsule, kStream));
        return;
    }
    const auto pair = nb::cast<nb::tuple>(object.attr("__arrow_c_array__")());
    // A moved structure is marked as released, so that its capsule leaves it alone.
    auto* const schema = pointer_of<ArrowSchema>(pair[0], kSchema);
    schema_ = *schema;
    schema->release = nullptr;
    auto* const array = pointer_of<ArrowArray>(pair[1], kArray);
    arrays_.push_back(*array);
    array->release = nullptr;
}

void ArrowData::take_stream(ArrowArrayStream& stream) {
    const auto check = [&](int error) {
        if (error != 0) {
            const char* const reason = stream.get_last_error(&stream);
            throw nb::value_error(reason != nullptr ? reason : "the Arrow stream failed");
        }
    };
    check(stream.get_schema(&stream, &schema_));
    while (true) {
        ArrowArray array{};
        check(stream.get_next(&stream, &array));
        if (array.release == nullptr) {
            return;
        }
        arrays_.push_back(array);
    }
}

ArrowData::~ArrowData() {
    for (ArrowArray& array : arrays_) {
        array.release(&array);
    }
    if (schema_.release != nullptr) {
        schema_.release(&schema_);
    }
}

std::optional<ArrowColumn> ArrowColumn::find(std::string_view name) const {
    for (std::int64_t i = 0; i < schema->n_children; ++i) {
        if (schema->children[i]->name == name) {
            ArrowColumn column(*schema->children[i], *array->children[i]);
            column.offset += offset;
            column.length = length;
            return column;
        }
    }
    return std::nullopt;
}

void append_texts(const ArrowColumn& column, const std::string& what, std::vector<std::string_view>& out) {
    const ArrowSchema* const dictionary = column.schema->dictionary;
    const std::string_view format = dictionary != nullptr ? dictionary->format : column.schema->format;
    if (!is_text(format)) {
        throw nb::type_error((what + " is an Arrow column of format '" + std::string(format) +
                              "'; expected strings (utf8, large_utf8 or string_view)")
                                 .c_str());
    }
    const ArrowArray& texts = dictionary != nullptr ? *column.array->dictionary : *column.array;
    for (std::int64_t i = 0; i < column.length; ++i) {
        std::int64_t at = column.offset + i;
        const std::int64_t row = static_cast<std::int64_t>(out.size());
        bool missing = is_missing(*column.array, at);
        if (!missing && dictionary != nullptr) {
            at = texts.offset + integer_at(column.schema->format, *column.array, at);
            missing = is_missing(texts, at);
        }
        if (missing) {
            throw nb::value_error((place(what, row) + " is missing (null); expected a text").c_str());
        }
        const std::string_view text = text_at(format, texts, at);
        if (base::find_invalid_utf8(text)) {
            throw nb::value_error((place(what, row) + " is not valid UTF-8").c_str());
        }
        out.push_back(text);
    }
}

void append_numbers(const ArrowColumn& column, const std::string& what, std::vector<std::uint64_t>& out) {
    const std::string_view format = column.schema->format;
    if (format.size() != 1 || std::string_view("cCsSiIlL").find(format) == std::string_view::npos) {
        throw nb::type_error(
            (what + " is an Arrow column of format '" + std::string(format) + "'; expected whole numbers")
                .c_str());
    }
    for (std::int64_t i = 0; i < column.length; ++i) {
        const std::int64_t at = column.offset + i;
        const bool missing = is_missing(*column.array, at);
        const std::int64_t value = missing ? -1 : integer_at(format, *column.array, at);
        if (value < 0 && format != "L") {
            throw nb::value_error((place(what, static_cast<std::int64_t>(out.size())) +
                                   " is missing or below 0; expected a number from 0 on")
                                      .c_str());
        }
        out.push_back(static_cast<std::uint64_t>(value));
    }
}

}  // namespace treeline::python
