#include "store/arrow_file.hpp"

#include <arrow/record_batch.h>
#include <arrow/util/compression.h>

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

arrow::Status ArrowFile::Stream::Close() {
    closed_ = true;
    return arrow::Status::OK();
}

arrow::Status ArrowFile::Stream::Write(const void* data, std::int64_t size) {
    file_->write({static_cast<const char*>(data), static_cast<std::size_t>(size)});
    return arrow::Status::OK();
}

ArrowFile::ArrowFile(const std::string& path, const std::shared_ptr<arrow::Schema>& schema, bool compress)
    : file_(path), stream_(file_) {
    auto settings = arrow::ipc::IpcWriteOptions::Defaults();
    settings.emit_dictionary_deltas = true;
    settings.use_threads = false;
    if (compress) {
        settings.codec = check(arrow::util::Codec::Create(arrow::Compression::ZSTD));
    }
    writer_ = check(arrow::ipc::MakeFileWriter(&stream_, schema, settings));
}

void ArrowFile::write(const arrow::RecordBatch& batch) { check(writer_->WriteRecordBatch(batch)); }

base::Manifest::File ArrowFile::commit() {
    check(writer_->Close());
    return file_.commit();
}

void ArrowFile::check(const arrow::Status& status) const {
    if (!status.ok()) {
        throw base::Error("cannot write " + base::quoted(path()) + ": " + status.message());
    }
}

}  // namespace treeline::store
