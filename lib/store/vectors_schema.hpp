#pragma once

#include <memory>
#include <string>

#include "store/vectors.hpp"

namespace arrow {
class DataType;
class Schema;
}  // namespace arrow

/// The Arrow schema of vectors; for lib/store itself.
namespace treeline::store {

[[nodiscard]] std::shared_ptr<arrow::DataType> label_type(LabelColumn labels);
[[nodiscard]] std::shared_ptr<arrow::Schema> vectors_schema(const VectorsInfo& info, LabelColumn labels,
                                                            bool weights);

/// Whether the schema says that every batch carries a digest and the footer the number of batches.
[[nodiscard]] bool has_digests(const arrow::Schema& schema);

/// What the metadata of a schema say. Throws InputError for a schema that is not one of vectors; sets
/// `labels`.
[[nodiscard]] VectorsInfo read_vectors_schema(const std::string& path, const arrow::Schema& schema,
                                              LabelColumn& labels);

}  // namespace treeline::store
