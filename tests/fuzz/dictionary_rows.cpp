/// A small dictionary with other rows than it was made with, in a database that is whole and has checksums that fit, as somebody
/// might make it on purpose. Edits of four bytes: which row, what becomes of it (its key or its value gets another byte, is cut, or
/// grows; it goes), the place in it and the byte. Refused with an error, or opened, and then all of it can be read or is refused.

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/checksums.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "store/dictionary.hpp"
#include "store/rocks.hpp"
#include "support/small_dictionary.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;

namespace {

using store::Family;

struct Row {
    Family family{};
    std::string key;
    std::string value;
    bool gone = false;
};

/// The dictionary as it was made, and its rows.
struct Sample {
    test::TemporaryFolder folder;
    std::vector<Row> rows;

    Sample() {
        test::make_small_dictionary(path());
        const store::RocksHandle handle(path(), store::RocksHandle::Mode::kReadOnly);
        for (std::size_t i = 0; i < store::kFamilyNames.size(); ++i) {
            const auto family = static_cast<Family>(i);
            const std::unique_ptr<rocksdb::Iterator> at(handle.db().NewIterator({}, handle.family(family)));
            for (at->SeekToFirst(); at->Valid(); at->Next()) {
                rows.push_back({family, at->key().ToString(), at->value().ToString()});
            }
        }
    }
    [[nodiscard]] std::string path() const { return folder / "dict"; }
};

void edit(Row& row, std::uint8_t what, std::uint8_t place, char byte) {
    std::string& text = what % 2 == 0 ? row.value : row.key;
    const std::size_t at = text.empty() ? 0 : place % text.size();
    switch (what / 2 % 4) {
        case 0: text.replace(at, text.empty() ? 0 : 1, 1, byte); break;
        case 1: text.resize(at); break;
        case 2: text.insert(at, 1, byte); break;
        default: row.gone = true;
    }
}

/// Writes those of `rows` that are not those of the sample to the copy of it in `path`.
void write_changes(const std::string& path, const Sample& sample, const std::vector<Row>& rows) {
    std::vector<rocksdb::ColumnFamilyDescriptor> families;
    for (const std::string_view name : store::kFamilyNames) {
        families.emplace_back(std::string(name), store::rocks_options());
    }
    families.emplace_back(rocksdb::kDefaultColumnFamilyName, store::rocks_options());
    std::vector<rocksdb::ColumnFamilyHandle*> handles;
    rocksdb::DB* opened = nullptr;
    store::require_ok(rocksdb::DB::Open(store::rocks_options(), path, families, &handles, &opened), "open",
                      path);
    const std::unique_ptr<rocksdb::DB> db(opened);
    rocksdb::WriteBatch batch;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        rocksdb::ColumnFamilyHandle* const family = handles[static_cast<std::size_t>(rows[i].family)];
        if (rows[i].gone || rows[i].key != sample.rows[i].key) {
            store::require_ok(batch.Delete(family, sample.rows[i].key), "change", path);
        }
        if (!rows[i].gone) {
            store::require_ok(batch.Put(family, rows[i].key, rows[i].value), "change", path);
        }
    }
    store::require_ok(db->Write({}, &batch), "change", path);
    for (rocksdb::ColumnFamilyHandle* const handle : handles) {
        store::require_ok(db->DestroyColumnFamilyHandle(handle), "close", path);
    }
    store::require_ok(db->Close(), "close", path);
    (void)base::write_checksums(path);
}

void read_all(const std::string& path) {
    const store::Dictionary dictionary(path);
    dictionary.for_each([](const store::Dictionary::Entry&) { return true; });
    dictionary.for_each_production([](const store::Dictionary::Production&) {});
    for (std::uint32_t id = 0; id < dictionary.size() && id < 8; ++id) {
        const store::Dictionary::Entry entry = dictionary.get(id);
        (void)dictionary.path_of(id);
        (void)dictionary.find(entry.fragment, dictionary.symbols());
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const Sample kSample;
    std::vector<Row> rows = kSample.rows;
    for (std::span<const std::uint8_t> edits(data, size); edits.size() >= 4; edits = edits.subspan(4)) {
        edit(rows[edits[0] % rows.size()], edits[1], edits[2], static_cast<char>(edits[3]));
    }
    const test::TemporaryFolder folder;
    const std::string path = folder / "dict";
    std::filesystem::copy(kSample.path(), path);
    std::filesystem::remove(path + "/" + std::string(base::formats::kChecksumFile));
    write_changes(path, kSample, rows);
    for (const auto& step : {+[](const std::string& dict) { read_all(dict); },
                             +[](const std::string& dict) { (void)store::Dictionary::verify(dict); }}) {
        try {
            step(path);
        } catch (const base::Error&) {
        }
    }
    return 0;
}
