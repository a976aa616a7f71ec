#include "store/rocks.hpp"

#include <fmt/ranges.h>
#include <rocksdb/convenience.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/options.h>
#include <rocksdb/table.h>

#include <algorithm>
#include <cstdarg>

#include "base/error.hpp"
#include "base/unchecked_memory.hpp"

namespace treeline::store {

namespace {

/// RocksDB would write a LOG file even where it only reads.
class SilentLogger final : public rocksdb::Logger {
  public:
    using rocksdb::Logger::Logv;
    void Logv(const char* /*format*/, va_list /*arguments*/) override {}
};

rocksdb::CompressionType best_compression() {
    const auto supported = rocksdb::GetSupportedCompressions();
    return std::ranges::count(supported, rocksdb::kZSTD) > 0 ? rocksdb::kZSTD : rocksdb::kNoCompression;
}

}  // namespace

rocksdb::Options rocks_options() {
    rocksdb::Options options;
    options.info_log = std::make_shared<SilentLogger>();
    options.compression = best_compression();
    options.write_buffer_size =
        64 << 10;  // tables are made outside and taken in; nothing is written through memory
    options.max_background_jobs = 1;
    options.disable_auto_compactions = true;
    options.max_open_files = -1;
    options.max_file_opening_threads = 1;  // in the calling thread: the tables are few
    rocksdb::BlockBasedTableOptions table;
    table.block_size = 16 << 10;
    options.table_factory.reset(rocksdb::NewBlockBasedTableFactory(table));
    return options;
}

void require_ok(const rocksdb::Status& status, std::string_view action, const std::string& path) {
    if (!status.ok()) {
        throw base::Error("cannot " + std::string(action) + " the dictionary '" + path +
                          "': " + status.ToString());
    }
}

namespace {

/// Other tables are another version's; RocksDB's own message would not say so.
void require_own_families(const rocksdb::Options& options, const std::string& path) {
    std::vector<std::string> found;
    require_ok(rocksdb::DB::ListColumnFamilies(options, path, &found), "open", path);
    std::vector<std::string> expected(kFamilyNames.begin(), kFamilyNames.end());
    expected.push_back(rocksdb::kDefaultColumnFamilyName);
    std::ranges::sort(found);
    std::ranges::sort(expected);
    if (found != expected) {
        throw base::InputError(
            {path}, fmt::format("is of another version of its format, with the tables {}, or not a fragment "
                                "dictionary: make it again, or use the programs that made it",
                                fmt::join(found, " ")));
    }
}

}  // namespace

RocksHandle::RocksHandle(const std::string& path, Mode mode) : path_(path) {
    const base::UncheckedMemory inside;  // RocksDB looks at the memory of its caches only once it uses them
    rocksdb::Options options = rocks_options();
    std::vector<rocksdb::ColumnFamilyDescriptor> descriptors;
    for (const std::string_view name : kFamilyNames) {
        descriptors.emplace_back(std::string(name), options);
    }
    descriptors.emplace_back(rocksdb::kDefaultColumnFamilyName, options);
    rocksdb::DB* db = nullptr;
    if (mode == Mode::kCreate) {
        options.create_if_missing = true;
        options.create_missing_column_families = true;
        options.error_if_exists = true;
        require_ok(rocksdb::DB::Open(options, path, descriptors, &families_, &db), "create", path);
    } else {
        require_own_families(options, path);
        require_ok(rocksdb::DB::OpenForReadOnly(options, path, descriptors, &families_, &db), "open", path);
    }
    db_.reset(db);
}

RocksHandle::~RocksHandle() {
    if (db_) {
        for (rocksdb::ColumnFamilyHandle* family : families_) {
            db_->DestroyColumnFamilyHandle(family).PermitUncheckedError();
        }
    }
}

void RocksHandle::close() {
    change([&](rocksdb::DB& db) {
        for (rocksdb::ColumnFamilyHandle* family : families_) {
            require_ok(db.DestroyColumnFamilyHandle(family), "close", path_);
        }
        families_.clear();
        require_ok(db.Close(), "close", path_);
    });
    db_.reset();
}

void RocksHandle::leave_open() noexcept {
    families_.clear();
    [[maybe_unused]] const rocksdb::DB* const left = db_.release();
}

}  // namespace treeline::store
