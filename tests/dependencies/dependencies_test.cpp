/// The libraries that set-up finds in different ways on different machines work, in one program.

#include <arrow/api.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>
#include <arrow/util/compression.h>
#include <linear.h>
#include <oneapi/tbb/parallel_for.h>
#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

/// A folder of its own, removed at the end.
struct Scratch {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / ("treeline-dependencies-" + std::to_string(::getpid()));
    Scratch() { std::filesystem::create_directories(path); }
    ~Scratch() { std::filesystem::remove_all(path); }
    Scratch(const Scratch&) = delete;
    Scratch& operator=(const Scratch&) = delete;
};

std::shared_ptr<arrow::RecordBatch> sparse_rows(std::int64_t rows) {
    arrow::ListBuilder indices(arrow::default_memory_pool(), std::make_shared<arrow::UInt32Builder>());
    auto& values = static_cast<arrow::UInt32Builder&>(*indices.value_builder());
    for (std::int64_t row = 0; row < rows; ++row) {
        REQUIRE(indices.Append().ok());
        for (std::int64_t i = 0; i < row % 7; ++i) {
            REQUIRE(values.Append(static_cast<std::uint32_t>(row + i)).ok());
        }
    }
    const auto schema = arrow::schema({arrow::field("indices", arrow::list(arrow::uint32()))});
    return arrow::RecordBatch::Make(schema, rows, {indices.Finish().ValueOrDie()});
}

}  // namespace

TEST_CASE("Arrow writes a zstd-compressed IPC file and reads the same rows back") {
    const Scratch scratch;
    const std::string path = (scratch.path / "rows.arrow").string();
    const auto batch = sparse_rows(10'000);
    {
        auto options = arrow::ipc::IpcWriteOptions::Defaults();
        options.codec = arrow::util::Codec::Create(arrow::Compression::ZSTD).ValueOrDie();
        const auto file = arrow::io::FileOutputStream::Open(path).ValueOrDie();
        const auto writer = arrow::ipc::MakeFileWriter(file, batch->schema(), options).ValueOrDie();
        REQUIRE(writer->WriteRecordBatch(*batch).ok());
        REQUIRE(writer->Close().ok());
        REQUIRE(file->Close().ok());
    }
    const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
    const auto reader = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie();
    REQUIRE(reader->num_record_batches() == 1);
    CHECK(reader->ReadRecordBatch(0).ValueOrDie()->Equals(*batch));
}

TEST_CASE("RocksDB keeps what it is given") {
    const Scratch scratch;
    rocksdb::Options options;
    options.create_if_missing = true;
    for (const bool first : {true, false}) {
        rocksdb::DB* opened = nullptr;
        REQUIRE(rocksdb::DB::Open(options, (scratch.path / "db").string(), &opened).ok());
        const std::unique_ptr<rocksdb::DB> database(opened);
        if (first) {
            REQUIRE(database->Put(rocksdb::WriteOptions(), "NP", "17").ok());
        } else {
            std::string value;
            REQUIRE(database->Get(rocksdb::ReadOptions(), "NP", &value).ok());
            CHECK(value == "17");
        }
    }
}

TEST_CASE("TBB runs every piece once") {
    std::vector<std::atomic<int>> visits(1000);
    oneapi::tbb::parallel_for(std::size_t{0}, visits.size(), [&](std::size_t i) { ++visits[i]; });
    for (const auto& count : visits) {
        REQUIRE(count == 1);
    }
}

TEST_CASE("LIBLINEAR separates two points") {
    set_print_string_function([](const char*) {});
    feature_node left[] = {{1, -1.0}, {-1, 0.0}};
    feature_node right[] = {{1, 1.0}, {-1, 0.0}};
    feature_node* examples[] = {left, right};
    double labels[] = {-1.0, 1.0};
    problem data{};
    data.l = 2;
    data.n = 1;
    data.x = examples;
    data.y = labels;
    data.bias = -1.0;
    parameter options{};
    options.solver_type = L2R_L2LOSS_SVC_DUAL;
    options.C = 1.0;
    options.eps = 0.1;
    REQUIRE(check_parameter(&data, &options) == nullptr);
    model* trained = train(&data, &options);
    CHECK(predict(trained, left) == -1.0);
    CHECK(predict(trained, right) == 1.0);
    free_and_destroy_model(&trained);
}
