#include "store/arrow_file.hpp"

#include <arrow/io/interfaces.h>
#include <arrow/ipc/writer.h>
#include <arrow/record_batch.h>
#include <arrow/util/compression.h>
#include <arrow/util/key_value_metadata.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::store {

void CountedFile::write(std::string_view bytes) {
    file_.write(bytes);
    digest_.update(bytes);
    bytes_ += bytes.size();
}

base::Manifest::File CountedFile::commit() {
    file_.commit();
    return {std::filesystem::path(file_.path()).filename().string(), digest_.hex(), bytes_};
}

namespace {

/// The file as Arrow wants it. Errors of ours pass through Arrow as they are.
class FileStream final : public arrow::io::OutputStream {
  public:
    explicit FileStream(CountedFile& file) : file_(&file) {}
    arrow::Status Close() override {
        closed_ = true;
        return arrow::Status::OK();
    }
    arrow::Result<std::int64_t> Tell() const override { return static_cast<std::int64_t>(file_->bytes()); }
    bool closed() const override { return closed_; }
    arrow::Status Write(const void* data, std::int64_t size) override {
        file_->write({static_cast<const char*>(data), static_cast<std::size_t>(size)});
        return arrow::Status::OK();
    }

  private:
    CountedFile* file_;
    bool closed_ = false;
};

}  // namespace

struct ArrowFile::Impl {
    explicit Impl(const std::string& path) : file(path), stream(file) {}
    CountedFile file;
    FileStream stream;
    std::shared_ptr<arrow::KeyValueMetadata> footer = arrow::key_value_metadata({{kBatchesKey, "0"}});
    std::size_t batches = 0;
    std::shared_ptr<arrow::ipc::RecordBatchWriter> writer;
};

ArrowFile::ArrowFile(const std::string& path, const std::shared_ptr<arrow::Schema>& schema, bool compress)
    : impl_(std::make_unique<Impl>(path)) {
    auto settings = arrow::ipc::IpcWriteOptions::Defaults();
    settings.emit_dictionary_deltas = true;
    settings.use_threads = false;
    if (compress) {
        settings.codec = check(arrow::util::Codec::Create(arrow::Compression::ZSTD));
    }
    impl_->writer = check(arrow::ipc::MakeFileWriter(&impl_->stream, schema, settings, impl_->footer));
}

ArrowFile::~ArrowFile() = default;

void ArrowFile::write(const arrow::RecordBatch& batch, const std::string& digest) {
    const auto metadata = digest.empty() ? nullptr : arrow::key_value_metadata({{kDigestKey, digest}});
    check(impl_->writer->WriteRecordBatch(batch, metadata));
    ++impl_->batches;
}

base::Manifest::File ArrowFile::commit() {
    // The writer keeps the metadata it was given and writes them with the footer.
    check(impl_->footer->Set(kBatchesKey, std::to_string(impl_->batches)));
    check(impl_->writer->Close());
    return impl_->file.commit();
}

const std::string& ArrowFile::path() const { return impl_->file.path(); }

void ArrowFile::check(const arrow::Status& status) const {
    if (!status.ok()) {
        throw base::Error("cannot write " + base::quoted(path()) + ": " + status.message());
    }
}

}  // namespace treeline::store
