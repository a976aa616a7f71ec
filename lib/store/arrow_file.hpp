#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/digest.hpp"
#include "base/format_names.hpp"
#include "base/manifest.hpp"
#include "base/output.hpp"

namespace arrow {
class RecordBatch;
class Schema;
class Status;
template <typename T>
class Result;
}  // namespace arrow

/// Writing Arrow IPC files; for lib/store itself.
namespace treeline::store {

using base::formats::kBatchesKey;
using base::formats::kDigestKey;

/// A file that appears whole, with its digest and size.
class CountedFile {
  public:
    explicit CountedFile(const std::string& path) : file_(path) {}

    void write(std::string_view bytes);
    base::Manifest::File commit();
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] const std::string& path() const { return file_.path(); }

  private:
    base::AtomicFile file_;
    base::Digest digest_;
    std::uint64_t bytes_ = 0;
};

/// An Arrow IPC file of record batches, whole or not at all. The same batches give the same bytes. The footer says how many
/// there are (kBatchesKey).
class ArrowFile {
  public:
    ArrowFile(const std::string& path, const std::shared_ptr<arrow::Schema>& schema, bool compress = false);
    ~ArrowFile();

    /// With `digest`, the batch carries it (kDigestKey).
    void write(const arrow::RecordBatch& batch, const std::string& digest = {});
    base::Manifest::File commit();
    [[nodiscard]] const std::string& path() const;

    /// What Arrow reports as an error of ours that names the file.
    void check(const arrow::Status& status) const;
    template <typename T>
    T check(arrow::Result<T> result) const {
        check(result.status());
        return std::move(result).ValueUnsafe();
    }

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace treeline::store
