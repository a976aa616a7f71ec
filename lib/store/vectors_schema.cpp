#include "store/vectors_schema.hpp"

#include <arrow/api.h>

#include <limits>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"

namespace treeline::store {

namespace {

constexpr const char* kFormatKey = "treeline.format";
constexpr const char* kKernelKey = "treeline.kernel";
constexpr const char* kNormKey = "treeline.norm";
constexpr const char* kVectorsKey = "treeline.vectors";
constexpr const char* kFragmentsKey = "treeline.fragments";
constexpr const char* kDictionaryKey = "treeline.dictionary";
constexpr const char* kShardKey = "treeline.shard";
constexpr const char* kShardsKey = "treeline.shards";

}  // namespace

bool VectorsInfo::same_space(const VectorsInfo& other) const {
    return kernel == other.kernel && norm == other.norm && vectors == other.vectors &&
           fragments == other.fragments && dictionary == other.dictionary;
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
    return arrow::schema(std::move(columns),
                         arrow::key_value_metadata({{kFormatKey, base::mark_of(base::formats::kVectors)},
                                                    {kKernelKey, info.kernel},
                                                    {kNormKey, info.norm},
                                                    {kVectorsKey, info.vectors},
                                                    {kFragmentsKey, std::to_string(info.fragments)},
                                                    {kDictionaryKey, info.dictionary},
                                                    {kShardKey, std::to_string(info.shard)},
                                                    {kShardsKey, std::to_string(info.shards)}}));
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
    if (const std::string mark = text(kFormatKey); mark != base::mark_of(base::formats::kVectors)) {
        throw base::InputError({path}, base::describe_other(base::formats::kVectors, mark));
    }
    constexpr std::uint64_t kMost32 = std::numeric_limits<std::uint32_t>::max();
    VectorsInfo info{.kernel = text(kKernelKey),
                     .norm = text(kNormKey),
                     .vectors = text(kVectorsKey),
                     .fragments = number(kFragmentsKey, kMost32),
                     .dictionary = text(kDictionaryKey),
                     .shard = static_cast<std::uint32_t>(number(kShardKey, kMost32)),
                     .shards = static_cast<std::uint32_t>(number(kShardsKey, kMost32))};
    if (info.shard >= info.shards) {
        throw base::InputError({path},
                               "shard " + std::to_string(info.shard) + " of " + std::to_string(info.shards));
    }
    labels = schema.num_fields() > 1 && schema.field(1)->type()->Equals(arrow::float64())
                 ? LabelColumn::kNumber
                 : LabelColumn::kText;
    if (!schema.Equals(*vectors_schema(info, labels, schema.num_fields() == 5), false)) {
        throw base::InputError({path},
                               "columns " + schema.ToString() +
                                   "; expected id: uint64, label: dictionary<string> or double, indices: "
                                   "list<uint32>, values: list<float>, perhaps weight: double");
    }
    return info;
}

}  // namespace treeline::store
