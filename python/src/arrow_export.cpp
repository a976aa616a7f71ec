#include "arrow_export.hpp"

#include <nanobind/ndarray.h>

#include <cstring>
#include <limits>

#include "base/error.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

/// What an exported structure keeps alive, and its children's structures.
template <typename Structure>
struct Exported {
    ArrowField field;
    std::string metadata;
    std::vector<const void*> buffers;
    std::vector<Structure> children;
    std::vector<Structure*> child_pointers;
    Structure dictionary{};
};

template <typename Structure>
void release(Structure* structure) {
    auto* const kept = static_cast<Exported<Structure>*>(structure->private_data);
    for (Structure& child : kept->children) {
        if (child.release != nullptr) {
            child.release(&child);
        }
    }
    if (kept->dictionary.release != nullptr) {
        kept->dictionary.release(&kept->dictionary);
    }
    structure->release = nullptr;
    delete kept;
}

/// Numbers of pairs, lengths and texts, in the machine's byte order.
std::string encode_metadata(const std::vector<std::pair<std::string, std::string>>& metadata) {
    std::string out;
    const auto append = [&](std::size_t number) {
        const auto value = static_cast<std::int32_t>(number);
        out.append(reinterpret_cast<const char*>(&value), sizeof value);
    };
    if (metadata.empty()) {
        return out;
    }
    append(metadata.size());
    for (const auto& [key, value] : metadata) {
        append(key.size());
        out += key;
        append(value.size());
        out += value;
    }
    return out;
}

template <typename Structure>
nb::capsule capsule_of(std::unique_ptr<Structure> structure, const char* name) {
    return {structure.release(), name, [](void* pointer) noexcept {
                auto* const held = static_cast<Structure*>(pointer);
                if (held->release != nullptr) {
                    held->release(held);
                }
                delete held;
            }};
}

/// A stream of one batch.
struct OneBatch {
    ArrowField field;
    std::vector<std::pair<std::string, std::string>> metadata;
    bool given = false;
};

template <typename T>
nb::object array_of(const std::shared_ptr<const void>& buffer, std::size_t size) {
    auto* const owner = new std::shared_ptr<const void>(buffer);
    const nb::capsule keep(
        owner, [](void* pointer) noexcept { delete static_cast<std::shared_ptr<const void>*>(pointer); });
    return nb::cast(nb::ndarray<nb::numpy, const T>(static_cast<const T*>(buffer.get()), {size}, keep));
}

}  // namespace

ArrowField ArrowField::texts(std::string name, std::span<const std::string> values) {
    ArrowField field(std::move(name), "u", values.size());
    std::vector<std::int32_t> offsets{0};
    std::vector<char> bytes;
    for (const std::string& text : values) {
        bytes.insert(bytes.end(), text.begin(), text.end());
        if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max())) {
            throw base::Error("more than 2 GiB of text in one column; take fewer rows at a time");
        }
        offsets.push_back(static_cast<std::int32_t>(bytes.size()));
    }
    field.own(std::move(offsets));
    field.own(std::move(bytes));
    return field;
}

ArrowField ArrowField::coded_texts(std::string name, std::vector<std::int32_t> codes,
                                   std::span<const std::string> names) {
    ArrowField field = numbers(std::move(name), std::move(codes));
    field.dictionary_ = std::make_shared<const ArrowField>(texts("", names));
    return field;
}

ArrowField ArrowField::lists(std::string name, std::vector<std::int32_t> offsets, ArrowField items) {
    ArrowField field(std::move(name), "+l", offsets.size() - 1);
    field.own(std::move(offsets));
    field.children_.push_back(std::move(items));
    return field;
}

ArrowField ArrowField::batch(std::vector<ArrowField> fields) {
    ArrowField field("", "+s", fields.empty() ? 0 : fields.front().size());
    field.children_ = std::move(fields);
    return field;
}

nb::object ArrowField::to_python() const {
    if (format_ == "u") {
        const auto* const offsets = static_cast<const std::int32_t*>(buffers_[0].get());
        const auto* const bytes = static_cast<const char*>(buffers_[1].get());
        nb::list out;
        for (std::size_t i = 0; i < size_; ++i) {
            out.append(nb::str(bytes + offsets[i], static_cast<std::size_t>(offsets[i + 1] - offsets[i])));
        }
        return out;
    }
    switch (format_[0]) {
        case 'i': return array_of<std::int32_t>(buffers_[0], size_);
        case 'I': return array_of<std::uint32_t>(buffers_[0], size_);
        case 'l': return array_of<std::int64_t>(buffers_[0], size_);
        case 'L': return array_of<std::uint64_t>(buffers_[0], size_);
        case 'f': return array_of<float>(buffers_[0], size_);
        default: return array_of<double>(buffers_[0], size_);
    }
}

void ArrowField::export_schema(ArrowSchema& out,
                               const std::vector<std::pair<std::string, std::string>>& metadata) const {
    auto* const kept = new Exported<ArrowSchema>{*this, encode_metadata(metadata), {}, {}, {}, {}};
    kept->children.resize(children_.size());
    for (std::size_t i = 0; i < children_.size(); ++i) {
        children_[i].export_schema(kept->children[i]);
        kept->child_pointers.push_back(&kept->children[i]);
    }
    if (dictionary_) {
        dictionary_->export_schema(kept->dictionary);
    }
    out = {.format = kept->field.format_.c_str(),
           .name = kept->field.name_.c_str(),
           .metadata = kept->metadata.empty() ? nullptr : kept->metadata.c_str(),
           .flags = 0,  // no value is missing
           .n_children = static_cast<std::int64_t>(children_.size()),
           .children = kept->child_pointers.data(),
           .dictionary = dictionary_ ? &kept->dictionary : nullptr,
           .release = release<ArrowSchema>,
           .private_data = kept};
}

void ArrowField::export_array(ArrowArray& out) const {
    auto* const kept = new Exported<ArrowArray>{*this, {}, {nullptr}, {}, {}, {}};
    for (const auto& buffer : buffers_) {
        kept->buffers.push_back(buffer.get());
    }
    kept->children.resize(children_.size());
    for (std::size_t i = 0; i < children_.size(); ++i) {
        children_[i].export_array(kept->children[i]);
        kept->child_pointers.push_back(&kept->children[i]);
    }
    if (dictionary_) {
        dictionary_->export_array(kept->dictionary);
    }
    out = {.length = static_cast<std::int64_t>(size_),
           .null_count = 0,
           .offset = 0,
           .n_buffers = static_cast<std::int64_t>(kept->buffers.size()),
           .n_children = static_cast<std::int64_t>(children_.size()),
           .buffers = kept->buffers.data(),
           .children = kept->child_pointers.data(),
           .dictionary = dictionary_ ? &kept->dictionary : nullptr,
           .release = release<ArrowArray>,
           .private_data = kept};
}

std::vector<std::string> ArrowTable::column_names() const {
    std::vector<std::string> names;
    for (const ArrowField& field : batch_.children()) {
        names.push_back(field.name());
    }
    return names;
}

nb::object ArrowTable::column(const std::string& name) const {
    for (const ArrowField& field : batch_.children()) {
        if (field.name() == name) {
            return field.to_python();
        }
    }
    throw nb::key_error(name.c_str());
}

nb::object ArrowTable::stream(nb::handle) const {
    auto stream = std::make_unique<ArrowArrayStream>();
    stream->private_data = new OneBatch{batch_, metadata_};
    stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
        const auto& kept = *static_cast<OneBatch*>(self->private_data);
        kept.field.export_schema(*out, kept.metadata);
        return 0;
    };
    stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
        auto& kept = *static_cast<OneBatch*>(self->private_data);
        *out = {};
        if (!kept.given) {
            kept.field.export_array(*out);
        }
        kept.given = true;
        return 0;
    };
    stream->get_last_error = [](ArrowArrayStream*) -> const char* { return nullptr; };
    stream->release = [](ArrowArrayStream* self) {
        delete static_cast<OneBatch*>(self->private_data);
        self->release = nullptr;
    };
    return capsule_of(std::move(stream), "arrow_array_stream");
}

nb::tuple ArrowTable::array(nb::handle) const {
    auto schema = std::make_unique<ArrowSchema>();
    auto array = std::make_unique<ArrowArray>();
    batch_.export_schema(*schema, metadata_);
    batch_.export_array(*array);
    return nb::make_tuple(capsule_of(std::move(schema), "arrow_schema"),
                          capsule_of(std::move(array), "arrow_array"));
}

}  // namespace treeline::python
