#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/manifest.hpp"
#include "base/names.hpp"

/// Explicit vectors on disk (DESIGN section 5): Arrow IPC files with the columns
///     id: uint64, label: dictionary<int32, string> or float64, indices: list<uint32>, values: list<float32>
/// and, where examples have weights, weight: float64, in batches, or LIBSVM text. A folder of them is a data
/// set cut into parts: `part-00000-of-00010.arrow`,
/// ...; a row is in the part of its id modulo the number of parts; `_SUCCESS` is written last. Indices count
/// from 0 (in text from 1) and ascend.
namespace treeline::store {

/// What vectors mean; the schema metadata `treeline.*` of every file.
struct VectorsInfo {
    std::string kernel;            ///< canonical text of the tree kernel
    std::string norm;              ///< kernel, explicit or none
    std::string vectors = "none";  ///< what was done with flat features: none, raw or unit
    std::uint64_t fragments = 0;   ///< indices below this are fragments, the others flat features
    std::string dictionary;        ///< content digest of the dictionary
    std::uint32_t shard = 0;       ///< this part, counted from 0,
    std::uint32_t shards = 1;      ///< of so many

    bool operator==(const VectorsInfo&) const = default;
    /// The same apart from the number of the shard: rows of both may be mixed.
    [[nodiscard]] bool same_space(const VectorsInfo& other) const;
};

/// The metadata of a schema that say so: keys and values.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> metadata_of(const VectorsInfo& info);

/// One example as an explicit vector.
struct VectorRow {
    std::uint64_t id = 0;
    std::string_view label;
    std::span<const std::uint32_t> indices;
    std::span<const float> values;
    double weight = 1;  ///< of the example's errors
};

/// Where rows go; whole or not at all.
class VectorSink {
  public:
    virtual ~VectorSink() = default;
    virtual void add(const VectorRow& row) = 0;
    /// Finishes the file, which then is there; gives its name, digest and size. To be called once, last.
    virtual base::Manifest::File commit() = 0;
};

enum class LabelColumn { kText, kNumber };
inline constexpr base::NameTable<LabelColumn, 2> kLabelColumnNames{
    {{LabelColumn::kText, "text"}, {LabelColumn::kNumber, "number"}}};

struct VectorsWriterOptions {
    LabelColumn labels = LabelColumn::kText;
    bool compress = false;  ///< zstd
    bool weights = false;   ///< also the column weight
};

/// A batch ends after this many rows or as soon as it holds this many entries: what a writer keeps in memory.
inline constexpr std::size_t kBatchRows = 65536;
inline constexpr std::size_t kBatchEntries = std::size_t{1} << 21;
/// Upper bound of the memory that a writer of Arrow files takes (rows of ordinary length).
inline constexpr std::size_t kWriterBytes = std::size_t{40} << 20;

/// An Arrow IPC file. Labels that are no numbers throw base::Error if numbers were asked for.
[[nodiscard]] std::unique_ptr<VectorSink> make_arrow_sink(const std::string& path, const VectorsInfo& info,
                                                          const VectorsWriterOptions& options = {});

/// LIBSVM text: `LABEL INDEX:VALUE ...`, a line a row, indices from 1, values to the last digit of the number
/// as a double. `numbers` gives the number that stands for a label that is not one itself; it must outlive
/// the sink and gets the labels that it lacks, numbered from 1 in order of appearance.
[[nodiscard]] std::unique_ptr<VectorSink> make_libsvm_sink(
    const std::string& path, std::map<std::string, std::uint64_t, std::less<>>& numbers);

/// Rows of one batch, in the memory of the file itself; valid as long as the batch is kept.
class VectorsBatch {
  public:
    [[nodiscard]] std::size_t size() const { return ids.size(); }
    [[nodiscard]] VectorRow row(std::size_t row) const;

    std::span<const std::uint64_t> ids;
    std::span<const std::int32_t> label_codes;
    std::vector<std::string> label_names;   ///< by code
    std::span<const std::int32_t> offsets;  ///< one more than rows
    std::span<const std::uint32_t> indices;
    std::span<const float> values;
    std::span<const double> weights;  ///< empty where the file has none
    std::shared_ptr<const void> owner;
};

/// One Arrow IPC file, memory-mapped. Reading batches is thread-safe.
class VectorsFile {
  public:
    /// Throws InputError for anything but vectors of this format, SystemError where there is no file.
    explicit VectorsFile(std::string path);
    ~VectorsFile();
    VectorsFile(VectorsFile&&) noexcept;
    VectorsFile& operator=(VectorsFile&&) noexcept;

    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const VectorsInfo& info() const;
    [[nodiscard]] bool has_weights() const;
    [[nodiscard]] std::size_t batch_count() const;
    /// Checked entirely when it is read first: columns, offsets, label codes, ascending indices, finite values, digest. Throws
    /// InputError.
    [[nodiscard]] VectorsBatch batch(std::size_t number) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// `part-00002-of-00010` and an extension.
[[nodiscard]] std::string part_name(std::uint32_t shard, std::uint32_t shards, std::string_view extension);

/// A file of vectors, or a folder with `_SUCCESS` and all its parts; they belong to one space. Throws
/// InputError.
[[nodiscard]] std::vector<VectorsFile> open_vectors(const std::string& path);

/// Rows of several files merged by ascending id, so that the order is that of the examples, however they were
/// cut.
class VectorsReader {
  public:
    /// The files must outlive it.
    explicit VectorsReader(const std::vector<VectorsFile>& files);
    /// The next row; false at the end. Valid until the next call.
    bool next(VectorRow& row);

  private:
    struct Cursor {
        const VectorsFile* file;
        std::size_t next_batch = 0;
        VectorsBatch batch;
        std::size_t row = 0;
    };
    [[nodiscard]] bool advance(Cursor& cursor);
    [[nodiscard]] bool later(std::size_t a, std::size_t b) const;

    std::vector<Cursor> cursors_;
    std::vector<std::size_t> heap_;
    bool started_ = false;
};

}  // namespace treeline::store
