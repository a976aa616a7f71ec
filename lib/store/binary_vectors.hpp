#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "example/binary_example.hpp"
#include "store/vectors.hpp"

namespace treeline::store {

/// Whether `path` is a folder or an Arrow file, as opposed to text.
[[nodiscard]] bool holds_vectors(const std::string& path);

/// The fragments that examples keep as features; flat features stay.
struct FragmentChoice {
    std::uint64_t top = 0;     ///< not 0: only the most relevant ones, which have the smallest numbers
    std::vector<bool> kept{};  ///< not empty: only those for which this is true, by number
    [[nodiscard]] bool keeps_all() const { return top == 0 && kept.empty(); }
    [[nodiscard]] bool keeps(std::uint32_t fragment) const {
        return (top == 0 || fragment < top) && (kept.empty() || (fragment < kept.size() && kept[fragment]));
    }
};

/// Explicit vectors as examples with binary features, in the order of the examples. Features have the numbers
/// of the text form of vectors: index + 1.
class BinaryVectors final : public example::BinaryExampleSource {
  public:
    BinaryVectors(const std::string& path, example::BinaryReadOptions options, FragmentChoice choice = {});

    /// Throws InputError that names the row for a value other than 0 and 1 unless these are made binary, and
    /// for a label that is empty or has blanks.
    bool next(example::BinaryExample& example) override;
    [[nodiscard]] const base::BadRecords& bad_records() const override { return bad_; }
    [[nodiscard]] std::string dictionary() const override { return files_.front().info().dictionary; }

  private:
    [[nodiscard]] std::string read(const VectorRow& row, example::BinaryExample& example) const;

    std::string path_;
    example::BinaryReadOptions options_;
    FragmentChoice choice_;
    std::vector<VectorsFile> files_;
    VectorsReader reader_;
    base::BadRecords bad_;
};

/// Vectors, or SVM-light or LIBSVM text (plain, gzip, zstd, `-`). A choice of fragments is for vectors
/// only: throws UsageError for text.
[[nodiscard]] std::unique_ptr<example::BinaryExampleSource> open_binary_examples(
    const std::string& path, example::BinaryReadOptions options, FragmentChoice choice = {});

}  // namespace treeline::store
