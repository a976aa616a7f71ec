#pragma once

#include <string>

#include "linear/linear_model.hpp"
#include "store/vectors.hpp"

namespace treeline::store {

/// A linear model and the space that it is over (info.shard and info.shards stand for nothing).
struct LinearModelFile {
    linear::LinearModel model;
    VectorsInfo info;
    bool operator==(const LinearModelFile&) const = default;
};

/// LIBLINEAR's text: `solver_type`, `nr_class`, `label`, `nr_feature`, `bias`, `w` and a line of weights a
/// feature. Labels that are whole numbers stand as they are, others are numbered from 1. After the weights,
/// where LIBLINEAR does not look, a line `treeline {...}` has the labels as text and the space, and the seal
/// (base/sealed_text.hpp) follows. Whole or not at all.
void write_linear_model(const std::string& path, const LinearModelFile& file);

/// Also reads what LIBLINEAR wrote itself: then the space is empty. Throws InputError with the line.
[[nodiscard]] LinearModelFile read_linear_model(const std::string& path);

}  // namespace treeline::store
