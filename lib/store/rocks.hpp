#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/unchecked_memory.hpp"
#include "store/dictionary_format.hpp"

namespace rocksdb {
class ColumnFamilyHandle;
class DB;
struct Options;
class Status;
}  // namespace rocksdb

/// What builder and reader of the dictionary share about RocksDB, without its headers.
namespace treeline::store {

/// Settings of the dictionary's column families and tables. No log file is written beside them.
[[nodiscard]] rocksdb::Options rocks_options();

/// Throws base::Error: "cannot ACTION the dictionary 'PATH': what RocksDB says".
void require_ok(const rocksdb::Status& status, std::string_view action, const std::string& path);

/// An open database with the dictionary's column families.
class RocksHandle {
  public:
    enum class Mode { kCreate, kReadOnly };
    RocksHandle(const std::string& path, Mode mode);
    ~RocksHandle();
    RocksHandle(const RocksHandle&) = delete;
    RocksHandle& operator=(const RocksHandle&) = delete;

    [[nodiscard]] rocksdb::DB& db() const { return *db_; }
    [[nodiscard]] rocksdb::ColumnFamilyHandle* family(Family family) const {
        return families_[static_cast<std::size_t>(family)];
    }
    /// What `call`, which changes the database, returns. Where an exception comes out of it, the database is left open for good: without
    /// memory RocksDB keeps its locks, and whoever closes it waits for them for ever.
    template <typename Call>
    decltype(auto) change(const Call& call) {
        const base::UncheckedMemory inside;
        try {
            return call(*db_);
        } catch (...) {
            leave_open();
            throw;
        }
    }
    /// Closes the database; errors are thrown, unlike in the destructor.
    void close();

  private:
    void leave_open() noexcept;

    std::string path_;
    std::unique_ptr<rocksdb::DB> db_;
    std::vector<rocksdb::ColumnFamilyHandle*> families_;  // in the order of Family, then the default one
};

}  // namespace treeline::store
