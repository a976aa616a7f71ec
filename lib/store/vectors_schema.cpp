#include "store/vectors_schema.hpp"

#include <arrow/api.h>

#include <limits>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"

namespace treeline::store {

namespace formats = base::formats;

bool VectorsInfo::same_space(const VectorsInfo& other) const {
    return kernel == other.kernel && norm == other.norm && vectors == other.vectors &&
           fragments == other.fragments && dictionary == other.dictionary;
}

std::vector<std::pair<std::string, std::string>> metadata_of(const VectorsInfo& info) {
    return {{formats::kFormatKey, base::mark_of(formats::kVectors)},
            {formats::kKernelKey, info.kernel},
            {formats::kNormKey, info.norm},
            {formats::kVectorsKey, info.vectors},
            {formats::kFragmentsKey, std::to_string(info.fragments)},
            {formats::kDictionaryKey, info.dictionary},
            {formats::kShardKey, std::to_string(info.shard)},
            {formats::kShardsKey, std::to_string(info.shards)}};
}

std::shared_ptr<arrow::DataType> label_type(LabelColumn labels) {
    return labels == LabelColumn::kText ? arrow::dictionary(arrow::int32(), arrow::utf8()) : arrow::float64();
}

std::shared_ptr<arrow::Schema> vectors_schema(const VectorsInfo& info, LabelColumn labels, bool weights) {
    const auto column = [](const char* name, std::shared_ptr<arrow::DataType> type) {
        return arrow::field(name, std::move(type), false);
    };
    const auto list = [&](std::shared_ptr<arrow::DataType> type) {
        return arrow::list(column("item", std::move(type)));
    };
    arrow::FieldVector columns{column("id", arrow::uint64()), column("label", label_type(labels)),
                               column("indices", list(arrow::uint32())),
                               column("values", list(arrow::float32()))};
    if (weights) {
        columns.push_back(column("weight", arrow::float64()));
    }
    std::vector<std::string> keys;
    std::vector<std::string> values;
    auto metadata = metadata_of(info);
    metadata.emplace_back(formats::kDigestsKey, "xxh128");
    for (auto& [key, value] : metadata) {
        keys.push_back(std::move(key));
        values.push_back(std::move(value));
    }
    return arrow::schema(std::move(columns), arrow::key_value_metadata(std::move(keys), std::move(values)));
}

bool has_digests(const arrow::Schema& schema) {
    return schema.metadata() != nullptr && schema.metadata()->Contains(formats::kDigestsKey);
}

VectorsInfo read_vectors_schema(const std::string& path, const arrow::Schema& schema, LabelColumn& labels) {
    const auto text = [&](const char* key) {
        const auto metadata = schema.metadata();
        const auto value = metadata == nullptr ? arrow::Result<std::string>(arrow::Status::KeyError(key))
                                               : metadata->Get(key);
        if (!value.ok()) {
            throw base::InputError({path},
                                   std::string("no metadata '") + key + "'; expected vectors written by tfx");
        }
        return *value;
    };
    const auto number = [&](const char* key, std::uint64_t most) {
        const auto value = base::parse_unsigned(text(key));
        if (!value || *value > most) {
            throw base::InputError({path}, std::string("metadata '") + key + "' is " +
                                               base::quoted(text(key)) + "; expected a whole number");
        }
        return *value;
    };
    if (const std::string mark = text(formats::kFormatKey); mark != base::mark_of(formats::kVectors)) {
        throw base::InputError({path}, base::describe_other(formats::kVectors, mark));
    }
    constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
    VectorsInfo info{.kernel = text(formats::kKernelKey),
                     .norm = text(formats::kNormKey),
                     .vectors = text(formats::kVectorsKey),
                     .fragments = number(formats::kFragmentsKey, kMost32),
                     .dictionary = text(formats::kDictionaryKey),
                     .shard = static_cast<std::uint32_t>(number(formats::kShardKey, kMost32)),
                     .shards = static_cast<std::uint32_t>(number(formats::kShardsKey, kMost32))};
    if (info.shard >= info.shards) {
        throw base::InputError({path},
                               "shard " + std::to_string(info.shard) + " of " + std::to_string(info.shards));
    }
    labels = schema.num_fields() > 1 && schema.field(1)->type()->Equals(arrow::float64())
                 ? LabelColumn::kNumber
                 : LabelColumn::kText;
    if (!schema.Equals(*vectors_schema(info, labels, schema.num_fields() == 5), false)) {
        throw base::InputError(
            {path},
            "columns " + schema.ToString() +
                "; expected, none of them nullable, id: uint64, label: dictionary<string> or double, indices: "
                "list<uint32>, values: list<float>, perhaps weight: double");
    }
    return info;
}

}  // namespace treeline::store
