#include "store/dictionary_builder.hpp"

#include <rocksdb/db.h>
#include <rocksdb/options.h>
#include <rocksdb/sst_file_writer.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "base/checksums.hpp"
#include "base/data_error.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "store/class_relevance.hpp"
#include "store/rocks.hpp"
#include "store/tail_index.hpp"

namespace treeline::store {

namespace {

/// One column family on its way to disk: keys ascend; the digest is of all keys and values with their
/// lengths.
class Table {
  public:
    Table(const std::string& folder, Family family)
        : path_(folder + "/" + std::string(kFamilyNames[static_cast<std::size_t>(family)]) + ".new"),
          options_(std::make_unique<rocksdb::Options>(rocks_options())) {}

    void put(std::string_view key, std::string_view value) {
        if (!writer_) {
            writer_ = std::make_unique<rocksdb::SstFileWriter>(rocksdb::EnvOptions(), *options_);
            require_ok(writer_->Open(path_), "write", path_);
        }
        require_ok(writer_->Put({key.data(), key.size()}, {value.data(), value.size()}), "write", path_);
        digest_.update(encode_number(key.size()));
        digest_.update(key);
        digest_.update(encode_number(value.size()));
        digest_.update(value);
    }

    /// Ends the table; false if there is nothing in it.
    bool finish() {
        if (!writer_) {
            return false;
        }
        rocksdb::ExternalSstFileInfo written;
        require_ok(writer_->Finish(&written), "write", path_);
        first_key_ = written.smallest_key;
        last_key_ = written.largest_key;
        writer_.reset();
        return true;
    }
    /// Whether `file` of the database has the keys of this table, which has been finished.
    [[nodiscard]] bool is_whole_in(const rocksdb::LiveFileMetaData& file) const {
        return file.smallestkey == first_key_ && file.largestkey == last_key_;
    }

    [[nodiscard]] const std::string& path() const { return path_; }
    [[nodiscard]] std::string digest() const { return digest_.hex(); }

  private:
    std::string path_;
    std::unique_ptr<rocksdb::Options> options_;
    std::unique_ptr<rocksdb::SstFileWriter> writer_;
    base::Digest digest_;
    std::string first_key_;
    std::string last_key_;
};

/// No reader would take another number.
void require_finite(const DictionaryModel& model) {
    if (!std::isfinite(model.norm) || !std::isfinite(model.least) || !std::isfinite(model.retained)) {
        throw base::DataError(
            "the model " + base::quoted(model.name) +
            ": the norm of its weights is not a finite number; its coefficients are too large");
    }
}

}  // namespace

struct DictionaryBuilder::Impl {
    Impl(std::string path, DictionaryInfo head, const tree::SymbolTable& symbols, const std::string& scratch)
        : info(std::move(head)), index(symbols), folder(std::move(path), scratch) {
        std::ranges::for_each(info.models, require_finite);
        for (std::size_t i = 0; i < kFamilyNames.size(); ++i) {
            tables.emplace_back(folder.temporary_path(), static_cast<Family>(i));
        }
    }

    Table& table(Family family) { return tables[static_cast<std::size_t>(family)]; }

    void add_productions(fragment::FragmentView fragment);
    void write_labels();
    void write_arcs();
    void write_roots();
    void write_productions();
    std::string write_meta();
    void take_in();
    void require_taken_in(rocksdb::DB& db, std::size_t count) const;

    DictionaryInfo info;
    ClassRelevance classes{info.models};
    TailIndex index;
    base::AtomicFolder folder;
    std::vector<Table> tables;
    std::uint32_t fragments = 0;
    std::vector<std::pair<Tail, std::uint32_t>> roots;
    std::unordered_map<std::string, std::vector<std::uint32_t>> productions;
    std::string key;
};

DictionaryBuilder::DictionaryBuilder(std::string path, DictionaryInfo info, const tree::SymbolTable& symbols,
                                     const std::string& scratch)
    : impl_(std::make_unique<Impl>(std::move(path), std::move(info), symbols, scratch)) {}
DictionaryBuilder::~DictionaryBuilder() = default;

void DictionaryBuilder::add(fragment::FragmentView fragment, std::span<const ModelRelevance> models) {
    if (impl_->fragments == 0xffffffffU) {
        throw base::Error("a dictionary holds at most 4294967295 fragments");
    }
    FragmentRecord record;
    record.root = impl_->index.add(fragment);
    const fragment::Shape shape = fragment::measure(fragment);
    record.nodes = shape.nodes;
    record.expanded = shape.expanded;
    record.depth = shape.depth;
    record.models.assign(models.begin(), models.end());
    record.relevance = impl_->classes.strongest(models).relevance;
    impl_->key.clear();
    append_key(impl_->key, impl_->fragments);
    impl_->table(Family::kFragments).put(impl_->key, encode_record(record));
    impl_->roots.emplace_back(record.root, impl_->fragments);
    impl_->add_productions(fragment);
    ++impl_->fragments;
}

void DictionaryBuilder::Impl::add_productions(fragment::FragmentView fragment) {
    for (std::size_t at = 0; at < fragment.size(); ++at) {
        if (child_count(fragment[at]) == 0 && fragment.size() > 1) {
            continue;
        }
        key.clear();
        append_key(key, index.label(fragment[at]));
        std::size_t child = at + 1;
        for (std::uint32_t i = 0; i < child_count(fragment[at]); ++i, child = skip_subtree(fragment, child)) {
            append_key(key, index.label(fragment[child]));
        }
        auto& ids = productions[key];
        if (ids.empty() || ids.back() != fragments) {
            ids.push_back(fragments);
        }
    }
}

void DictionaryBuilder::Impl::write_labels() {
    for (std::uint32_t id = 0; id < index.labels().size(); ++id) {
        key.clear();
        append_key(key, id);
        table(Family::kLabels).put(key, encode_label(index.labels()[id]));
    }
}

void DictionaryBuilder::Impl::write_arcs() {
    std::vector<TailIndex::Arc> arcs = index.arcs();
    for (const TailIndex::Arc& arc : arcs) {
        key.clear();
        append_key(key, arc.tail.label);
        append_key(key, arc.tail.number);
        table(Family::kArcs).put(key, encode_tail(arc.next));
    }
    std::ranges::sort(arcs, {}, [](const TailIndex::Arc& arc) {
        return std::tuple(arc.tail.label, arc.next.label, arc.next.number);
    });
    for (const TailIndex::Arc& arc : arcs) {
        key.clear();
        append_key(key, arc.tail.label);
        append_key(key, arc.next.label);
        append_key(key, arc.next.number);
        table(Family::kTails).put(key, encode_number(arc.tail.number));
    }
}

void DictionaryBuilder::Impl::write_roots() {
    std::ranges::sort(roots, {},
                      [](const auto& root) { return std::tuple(root.first.label, root.first.number); });
    for (std::size_t i = 0; i < roots.size(); ++i) {
        const auto& [tail, id] = roots[i];
        if (i > 0 && roots[i - 1].first == tail) {
            throw base::Error("a fragment was added to the dictionary twice");
        }
        key.clear();
        append_key(key, tail.label);
        append_key(key, tail.number);
        table(Family::kRoots).put(key, encode_number(id));
    }
}

void DictionaryBuilder::Impl::write_productions() {
    std::vector<std::pair<std::string_view, const std::vector<std::uint32_t>*>> sorted;
    for (const auto& [production, ids] : productions) {
        sorted.emplace_back(production, &ids);
    }
    std::ranges::sort(sorted);
    for (const auto& [production, ids] : sorted) {
        table(Family::kProductions).put(production, encode_ids(*ids));
    }
}

/// Returns the digest of the content: of the digests of all tables, the head last and without the digest
/// itself.
std::string DictionaryBuilder::Impl::write_meta() {
    const std::map<std::string, std::string> values{
        {"format", base::mark_of(base::formats::kDictionary)},
        {"fragments", std::to_string(fragments)},
        {"kernel", kernel::to_string(kernel::BasicKernel(info.kernel))},
        {"labels", std::to_string(index.labels().size())},
        {"miner", info.miner},
        {"models", encode_models(info.models)},
        {"tails", std::to_string(index.tail_count())},
        {"unshared_tails", std::to_string(index.unshared())},
        {"weight", std::string(base::name_of(fragment::kWeightNames, info.weight))},
    };
    base::Digest all;
    for (const Table& part : tables) {
        if (&part != &tables.back()) {
            all.update(part.digest());
        }
    }
    for (const auto& [name, value] : values) {
        all.update(encode_number(name.size()) + name + encode_number(value.size()) + value);
    }
    const std::string digest = all.hex();
    std::map<std::string, std::string> stored = values;
    stored["digest"] = digest;
    for (const auto& [name, value] : stored) {
        table(Family::kMeta).put(name, value);
    }
    return digest;
}

void DictionaryBuilder::Impl::take_in() {
    const std::string& path = folder.temporary_path();
    RocksHandle handle(path, RocksHandle::Mode::kCreate);
    std::vector<rocksdb::IngestExternalFileArg> arguments;
    for (std::size_t i = 0; i < tables.size(); ++i) {
        if (tables[i].finish()) {
            rocksdb::IngestExternalFileArg argument;
            argument.column_family = handle.family(static_cast<Family>(i));
            argument.external_files = {tables[i].path()};
            argument.options.move_files = true;
            arguments.push_back(std::move(argument));
        }
    }
    require_ok(handle.change([&](rocksdb::DB& db) { return db.IngestExternalFiles(arguments); }), "fill",
               path);
    require_taken_in(handle.db(), arguments.size());
    handle.close();
    for (const Table& part : tables) {
        std::filesystem::remove(part.path());
    }
}

/// RocksDB takes a table whose blocks it cannot read for one without keys, says nothing, and finds none of them later.
void DictionaryBuilder::Impl::require_taken_in(rocksdb::DB& db, std::size_t count) const {
    std::vector<rocksdb::LiveFileMetaData> files;
    db.GetLiveFilesMetaData(&files);
    const auto whole = std::ranges::count_if(files, [&](const rocksdb::LiveFileMetaData& file) {
        const auto family = std::ranges::find(kFamilyNames, file.column_family_name);
        return family != kFamilyNames.end() &&
               tables[static_cast<std::size_t>(family - kFamilyNames.begin())].is_whole_in(file);
    });
    if (static_cast<std::size_t>(whole) != count) {
        throw base::Error("cannot fill the dictionary '" + folder.temporary_path() +
                          "': its tables could not be read back; check the disk");
    }
}

DictionarySummary DictionaryBuilder::commit(base::Manifest manifest) {
    Impl& impl = *impl_;
    impl.write_labels();
    impl.write_arcs();
    impl.write_roots();
    impl.write_productions();
    DictionarySummary summary;
    summary.digest = impl.write_meta();
    summary.fragments = impl.fragments;
    summary.labels = impl.index.labels().size();
    summary.tails = impl.index.tail_count();
    summary.unshared_tails = impl.index.unshared();
    summary.productions = impl.productions.size();
    impl.take_in();

    manifest.counts["fragments"] = static_cast<std::int64_t>(summary.fragments);
    manifest.counts["labels"] = static_cast<std::int64_t>(summary.labels);
    manifest.counts["tails"] = static_cast<std::int64_t>(summary.tails);
    manifest.counts["digest"] = summary.digest;
    base::write_manifest(base::manifest_path(impl.folder.temporary_path()), manifest);
    summary.bytes = base::write_checksums(impl.folder.temporary_path());
    impl.folder.commit();
    return summary;
}

}  // namespace treeline::store
