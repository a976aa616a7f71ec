#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/type.h>

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/digest.hpp"
#include "base/manifest.hpp"
#include "base/output.hpp"

/// Writing Arrow IPC files; for lib/store itself.
namespace treeline::store {

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

/// An Arrow IPC file of record batches, whole or not at all. The same batches give the same bytes.
class ArrowFile {
  public:
    ArrowFile(const std::string& path, const std::shared_ptr<arrow::Schema>& schema, bool compress = false);

    void write(const arrow::RecordBatch& batch);
    base::Manifest::File commit();
    [[nodiscard]] const std::string& path() const { return file_.path(); }

    /// What Arrow reports as an error of ours that names the file.
    void check(const arrow::Status& status) const;
    template <typename T>
    T check(arrow::Result<T> result) const {
        check(result.status());
        return std::move(result).ValueUnsafe();
    }

  private:
    /// The file as Arrow wants it. Errors of ours pass through Arrow as they are.
    class Stream final : public arrow::io::OutputStream {
      public:
        explicit Stream(CountedFile& file) : file_(&file) {}
        arrow::Status Close() override;
        arrow::Result<std::int64_t> Tell() const override {
            return static_cast<std::int64_t>(file_->bytes());
        }
        bool closed() const override { return closed_; }
        arrow::Status Write(const void* data, std::int64_t size) override;

      private:
        CountedFile* file_;
        bool closed_ = false;
    };

    CountedFile file_;
    Stream stream_;
    std::shared_ptr<arrow::ipc::RecordBatchWriter> writer_;
};

}  // namespace treeline::store
