#include "store/dictionary_format.hpp"

#include <bit>
#include <cmath>

#include <nlohmann/json.hpp>

namespace treeline::store {

namespace {

void append_varint(std::string& out, std::uint64_t number) {
    while (number >= 0x80) {
        out += static_cast<char>(0x80 | (number & 0x7f));
        number >>= 7;
    }
    out += static_cast<char>(number);
}

void append_double(std::string& out, double number) {
    auto bits = std::bit_cast<std::uint64_t>(number);
    for (int i = 0; i < 8; ++i, bits >>= 8) {
        out += static_cast<char>(bits & 0xff);
    }
}

/// Reads a value from front to back.
class Cursor {
  public:
    explicit Cursor(std::string_view bytes) : bytes_(bytes) {}

    std::uint64_t varint() {
        std::uint64_t number = 0;
        for (unsigned shift = 0;; shift += 7) {
            const auto byte = static_cast<unsigned char>(next());
            const std::uint64_t bits = byte & 0x7fU;
            if (shift == 63 && bits > 1) {
                throw FormatError("a number is too large");
            }
            number |= bits << shift;
            if (byte < 0x80) {
                if (byte == 0 && shift > 0) {
                    throw FormatError("a number is not in its shortest form");
                }
                return number;
            }
            if (shift == 63) {
                throw FormatError("a number is too long");
            }
        }
    }

    std::uint32_t varint32() {
        const std::uint64_t number = varint();
        if (number > 0xffffffffU) {
            throw FormatError("a number is too large");
        }
        return static_cast<std::uint32_t>(number);
    }

    double real() {
        std::uint64_t bits = 0;
        for (unsigned i = 0; i < 8; ++i) {
            bits |= std::uint64_t{static_cast<unsigned char>(next())} << (8 * i);
        }
        const auto number = std::bit_cast<double>(bits);
        if (!std::isfinite(number)) {
            throw FormatError("a relevance is not a number");
        }
        return number;
    }

    [[nodiscard]] std::size_t left() const { return bytes_.size(); }
    void end() const {
        if (!bytes_.empty()) {
            throw FormatError("there is more than one value");
        }
    }

  private:
    char next() {
        if (bytes_.empty()) {
            throw FormatError("a value ends early");
        }
        const char byte = bytes_.front();
        bytes_.remove_prefix(1);
        return byte;
    }

    std::string_view bytes_;
};

}  // namespace

std::uint64_t FragmentRecord::count() const {
    std::uint64_t sum = 0;
    for (const ModelRelevance& model : models) {
        sum += model.count;
    }
    return sum;
}

void append_key(std::string& out, std::uint32_t number) {
    for (int shift = 24; shift >= 0; shift -= 8) {
        out += static_cast<char>(number >> shift & 0xffU);
    }
}

std::vector<std::uint32_t> decode_key(std::string_view key) {
    if (key.size() % 4 != 0) {
        throw FormatError("a key is not a sequence of 32-bit numbers");
    }
    std::vector<std::uint32_t> numbers(key.size() / 4);
    for (std::size_t i = 0; i < key.size(); ++i) {
        numbers[i / 4] = numbers[i / 4] << 8 | static_cast<unsigned char>(key[i]);
    }
    return numbers;
}

std::string encode_label(const IndexLabel& label) { return static_cast<char>(label.kind) + label.text; }

IndexLabel decode_label(std::string_view value) {
    if (value.empty() || static_cast<unsigned char>(value.front()) > 2) {
        throw FormatError("a label has no kind");
    }
    IndexLabel label{static_cast<LabelKind>(value.front()), std::string(value.substr(1))};
    if ((label.kind == LabelKind::kUp) != label.text.empty()) {
        throw FormatError("a label has no text, or the mark 'up' has one");
    }
    return label;
}

std::string encode_tail(const Tail& tail) {
    std::string out;
    append_varint(out, tail.label);
    append_varint(out, tail.number);
    return out;
}

Tail decode_tail(std::string_view value) {
    Cursor cursor(value);
    Tail tail;
    tail.label = cursor.varint32();
    tail.number = cursor.varint32();
    cursor.end();
    return tail;
}

std::string encode_number(std::uint64_t number) {
    std::string out;
    append_varint(out, number);
    return out;
}

std::uint64_t decode_number(std::string_view value) {
    Cursor cursor(value);
    const std::uint64_t number = cursor.varint();
    cursor.end();
    return number;
}

std::string encode_record(const FragmentRecord& record) {
    std::string out;
    append_varint(out, record.root.label);
    append_varint(out, record.root.number);
    append_varint(out, record.nodes);
    append_varint(out, record.expanded);
    append_varint(out, record.depth);
    append_double(out, record.relevance);
    append_varint(out, record.models.size());
    std::uint32_t next = 0;
    for (const ModelRelevance& model : record.models) {
        append_varint(out, model.model - next);
        append_double(out, model.relevance);
        append_varint(out, model.count);
        next = model.model + 1;
    }
    return out;
}

FragmentRecord decode_record(std::string_view value) {
    Cursor cursor(value);
    FragmentRecord record;
    record.root.label = cursor.varint32();
    record.root.number = cursor.varint32();
    record.nodes = cursor.varint32();
    record.expanded = cursor.varint32();
    record.depth = cursor.varint32();
    record.relevance = cursor.real();
    const std::uint64_t models = cursor.varint();
    if (models > cursor.left()) {
        throw FormatError("a record lists more models than it holds");
    }
    std::uint64_t next = 0;
    for (std::uint64_t i = 0; i < models; ++i) {
        ModelRelevance model;
        next += cursor.varint32();
        if (next > 0xffffffffU) {
            throw FormatError("the number of a model is too large");
        }
        model.model = static_cast<std::uint32_t>(next++);
        model.relevance = cursor.real();
        model.count = cursor.varint();
        record.models.push_back(model);
    }
    cursor.end();
    return record;
}

std::string encode_ids(const std::vector<std::uint32_t>& ids) {
    std::string out;
    std::uint32_t next = 0;
    for (const std::uint32_t id : ids) {
        append_varint(out, id - next);
        next = id + 1;
    }
    return out;
}

std::vector<std::uint32_t> decode_ids(std::string_view value) {
    Cursor cursor(value);
    std::vector<std::uint32_t> ids;
    std::uint64_t next = 0;
    while (cursor.left() > 0) {
        next += cursor.varint32();
        if (next > 0xffffffffU) {
            throw FormatError("the number of a fragment is too large");
        }
        ids.push_back(static_cast<std::uint32_t>(next++));
    }
    return ids;
}

std::string encode_models(const std::vector<DictionaryModel>& models) {
    nlohmann::json list = nlohmann::json::array();
    for (const DictionaryModel& model : models) {
        list.push_back({{"name", model.name},
                        {"digest", model.digest},
                        {"label", model.label},
                        {"support_vectors", model.support_vectors},
                        {"mined", model.mined},
                        {"least", model.least},
                        {"norm", model.norm},
                        {"retained", model.retained}});
    }
    return list.dump();
}

namespace {

/// Other numbers are refused; get<std::uint64_t>() would make a count of -1, 2.5 and 1e30, too.
std::uint64_t count_of(const nlohmann::json& object, const char* name) {
    return object.at(name).get_ref<const nlohmann::json::number_unsigned_t&>();
}

}  // namespace

std::vector<DictionaryModel> decode_models(std::string_view json) {
    std::vector<DictionaryModel> models;
    try {
        for (const nlohmann::json& item : nlohmann::json::parse(json)) {
            DictionaryModel model;
            item.at("name").get_to(model.name);
            item.at("digest").get_to(model.digest);
            item.at("label").get_to(model.label);
            model.support_vectors = count_of(item, "support_vectors");
            model.mined = count_of(item, "mined");
            item.at("least").get_to(model.least);
            item.at("norm").get_to(model.norm);
            item.at("retained").get_to(model.retained);
            models.push_back(std::move(model));
        }
    } catch (const nlohmann::json::exception&) {
        throw FormatError("the list of models cannot be read");
    }
    return models;
}

}  // namespace treeline::store
