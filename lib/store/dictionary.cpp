#include "store/dictionary.hpp"

#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>

#include <bit>
#include <cerrno>
#include <filesystem>

#include "base/checksums.hpp"
#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"
#include "base/unchecked_memory.hpp"
#include "store/dictionary_impl.hpp"
#include "store/file_kind.hpp"
#include "store/tail_index.hpp"

namespace treeline::store {

namespace {

/// RocksDB uses parts of its tables before it looks at their checksums, and where those are damaged it may end the program.
void require_undamaged(const std::string& path) {
    if (!std::filesystem::exists(path + "/" + std::string(base::formats::kChecksumFile))) {
        return;
    }
    base::Checksums expected = base::read_checksums(path);
    expected.erase(std::string(base::formats::kManifestFile));  // which has a digest of its own
    const auto damaged = base::find_damaged(path, expected);
    if (!damaged.empty()) {
        throw base::InputError({path + "/" + damaged.front()},
                               "damaged: its checksum differs; copy or make the dictionary again");
    }
}

const std::string& require_dictionary(const std::string& path) {
    if (!std::filesystem::exists(path)) {
        throw base::SystemError("read the dictionary", path, ENOENT);
    }
    require_kind(path, FileKind::kDictionary);
    if (!std::filesystem::is_directory(path)) {
        throw base::InputError({path}, "not a folder; expected a fragment dictionary");
    }
    if (!std::filesystem::exists(path + "/CURRENT")) {
        throw base::InputError({path}, "not a fragment dictionary (fmi makes them)");
    }
    require_undamaged(path);
    return path;
}

std::string key_of(std::initializer_list<std::uint32_t> numbers) {
    std::string key;
    for (const std::uint32_t number : numbers) {
        append_key(key, number);
    }
    return key;
}

}  // namespace

Dictionary::Impl::Impl(const std::string& folder)
    : path(require_dictionary(folder)), handle(path, RocksHandle::Mode::kReadOnly) {
    const auto meta = [&](const char* name) { return require(Family::kMeta, name); };
    const auto number = [&](const char* name) {
        const auto value = base::parse_unsigned(meta(name));
        if (!value) {
            fail(std::string("the head's '") + name + "' is not a number");
        }
        return *value;
    };
    if (const std::string format = meta("format"); format != base::mark_of(base::formats::kDictionary)) {
        fail(base::describe_other(base::formats::kDictionary, format));
    }
    try {
        info.kernel =
            kernel::require_single_tree_kernel(kernel::parse_kernel(meta("kernel")), "a dictionary");
    } catch (const base::UsageError& error) {
        fail(error.what());
    }
    const auto weight = base::find_named(fragment::kWeightNames, meta("weight"));
    if (!weight) {
        fail("unknown weight " + base::quoted(meta("weight")));
    }
    info.weight = *weight;
    info.miner = meta("miner");
    digest = meta("digest");
    const std::uint64_t count = number("fragments");
    if (count > 0xffffffffU) {
        fail("lists too many fragments");
    }
    fragments = static_cast<std::uint32_t>(count);
    tails = number("tails");
    unshared_tails = number("unshared_tails");
    checked([&] {
        info.models = decode_models(meta("models"));
        scan(Family::kLabels, [&](std::string_view key, std::string_view value) {
            const auto id = decode_key(key);
            if (id.size() != 1 || id[0] != kinds.size()) {
                throw FormatError("labels are not numbered one by one");
            }
            const IndexLabel label = decode_label(value);
            kinds.push_back(label.kind);
            names.push_back(symbols.intern(label.text));
            auto& labels = label.kind == LabelKind::kLeaf ? leaf_label : inner_label;
            labels.resize(std::max<std::size_t>(labels.size(), symbols.size()), 0);
            labels[raw(names.back())] = id[0];
            return true;
        });
    });
    inner_label.resize(symbols.size(), 0);
    leaf_label.resize(symbols.size(), 0);
    if ((fragments > 0 && !look_up(Family::kFragments, key_of({fragments - 1}))) ||
        look_up(Family::kFragments, key_of({fragments}))) {
        fail("the head states " + std::to_string(fragments) + " fragments, and there are more or fewer");
    }
}

void Dictionary::Impl::fail(const std::string& problem) const { throw base::InputError({path}, problem); }

std::optional<std::string> Dictionary::Impl::look_up(Family family, const std::string& key) const {
    std::string value;
    const rocksdb::Status status = base::call_unchecked(
        [&] { return handle.db().Get(rocksdb::ReadOptions(), handle.family(family), key, &value); });
    if (status.IsNotFound()) {
        return std::nullopt;
    }
    require_ok(status, "read", path);
    return value;
}

std::string Dictionary::Impl::require(Family family, const std::string& key) const {
    auto value = look_up(family, key);
    if (!value) {
        fail("an entry of '" + std::string(kFamilyNames[static_cast<std::size_t>(family)]) +
             "' is missing; not a whole dictionary");
    }
    return *std::move(value);
}

void Dictionary::Impl::scan(Family family,
                            const std::function<bool(std::string_view, std::string_view)>& visit) const {
    rocksdb::ReadOptions options;
    options.fill_cache = false;
    options.readahead_size = 2 << 20;
    const std::unique_ptr<rocksdb::Iterator> at(
        base::call_unchecked([&] { return handle.db().NewIterator(options, handle.family(family)); }));
    base::call_unchecked([&] { at->SeekToFirst(); });
    for (; at->Valid(); base::call_unchecked([&] { at->Next(); })) {
        if (!visit({at->key().data(), at->key().size()}, {at->value().data(), at->value().size()})) {
            return;
        }
    }
    require_ok(at->status(), "read", path);
}

Dictionary::Impl::Arcs Dictionary::Impl::load_arcs() const {
    Arcs arcs;
    arcs.begin.assign(kinds.size() + 1, 0);
    std::uint32_t label = 0;
    scan(Family::kArcs, [&](std::string_view key, std::string_view value) {
        const auto tail = decode_key(key);
        if (tail.size() != 2 || tail[0] >= kinds.size()) {
            throw FormatError("an arc starts at a label that is not there");
        }
        while (label < tail[0]) {
            arcs.begin[++label] = arcs.next.size();
        }
        if (tail[1] != arcs.next.size() - arcs.begin[label] + 1) {
            throw FormatError("the arcs of a label are not numbered one by one");
        }
        arcs.next.push_back(decode_tail(value));
        return true;
    });
    while (label + 1 < arcs.begin.size()) {
        arcs.begin[++label] = arcs.next.size();
    }
    return arcs;
}

void Dictionary::Impl::Arcs::follow(Tail tail, std::vector<std::uint32_t>& sequence) const {
    sequence.clear();
    while (true) {
        if (tail.label + 1 >= begin.size()) {
            throw FormatError("an arc leads to a label that is not there");
        }
        sequence.push_back(tail.label);
        if (tail.number == 0) {
            return;
        }
        if (tail.number > begin[tail.label + 1] - begin[tail.label]) {
            throw FormatError("an arc is missing");
        }
        if (sequence.size() > next.size()) {
            throw FormatError("a sequence does not end");
        }
        tail = next[begin[tail.label] + tail.number - 1];
    }
}

fragment::Fragment Dictionary::Impl::fragment_of(std::span<const std::uint32_t> sequence) const {
    return fragment_of_sequence(sequence, kinds, names);
}

FragmentRecord Dictionary::Impl::record_of(std::string_view value) const {
    FragmentRecord record = decode_record(value);
    for (const ModelRelevance& model : record.models) {
        if (model.model >= info.models.size()) {
            throw FormatError("a fragment names a model that is not there");
        }
    }
    return record;
}

std::uint32_t Dictionary::Impl::fragment_number(std::uint64_t number) const {
    if (number >= fragments) {
        throw FormatError("the index leads to a fragment that is not there");
    }
    return static_cast<std::uint32_t>(number);
}

Dictionary::Dictionary(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
Dictionary::~Dictionary() = default;
Dictionary::Dictionary(Dictionary&&) noexcept = default;

const std::string& Dictionary::path() const { return impl_->path; }
const DictionaryInfo& Dictionary::info() const { return impl_->info; }
std::uint32_t Dictionary::size() const { return impl_->fragments; }
const std::string& Dictionary::digest() const { return impl_->digest; }
const tree::SymbolTable& Dictionary::symbols() const { return impl_->symbols; }

Dictionary::Entry Dictionary::get(std::uint32_t id) const {
    if (id >= size()) {
        impl_->fail("has no fragment " + std::to_string(id) + "; it holds " + std::to_string(size()) +
                    (size() > 0 ? ", from 0 to " + std::to_string(size() - 1) : ""));
    }
    return impl_->checked([&] {
        Entry entry;
        entry.id = id;
        entry.record = impl_->record_of(impl_->require(Family::kFragments, key_of({id})));
        std::vector<std::uint32_t> sequence;
        Tail tail = entry.record.root;
        Tail passed{};  // at the last place that is a power of two: a way in circles comes by there again
        while (tail.number != 0) {
            sequence.push_back(tail.label);
            if (std::has_single_bit(sequence.size())) {
                passed = tail;
            }
            tail = decode_tail(impl_->require(Family::kArcs, key_of({tail.label, tail.number})));
            if (tail == passed) {
                throw FormatError("a sequence does not end");
            }
        }
        sequence.push_back(tail.label);
        entry.fragment = impl_->fragment_of(sequence);
        return entry;
    });
}

std::vector<Dictionary::PathStep> Dictionary::path_of(std::uint32_t id) const {
    std::vector<PathStep> path;
    Tail tail = get(id).record.root;  // get() has gone the way once: all of it is there
    while (true) {
        const LabelKind kind = impl_->kinds[tail.label];
        path.push_back({kind, kind == LabelKind::kUp ? "up" : impl_->symbols.text(impl_->names[tail.label]),
                        tail.number});
        if (tail.number == 0) {
            return path;
        }
        tail = decode_tail(impl_->require(Family::kArcs, key_of({tail.label, tail.number})));
    }
}

std::optional<std::uint32_t> Dictionary::find(fragment::FragmentView fragment,
                                              const tree::SymbolTable& symbols) const {
    TailIndex speller(symbols);
    const std::vector<IndexLabel> labels = [&] {
        (void)speller.add(fragment);
        return speller.labels();
    }();
    // The sequence in the dictionary's numbers, from its end.
    std::vector<std::uint32_t> numbers{kUpLabel};
    for (std::size_t i = 1; i < labels.size(); ++i) {
        const auto symbol = impl_->symbols.find(labels[i].text);
        const auto& known = labels[i].kind == LabelKind::kLeaf ? impl_->leaf_label : impl_->inner_label;
        if (!symbol || known[raw(*symbol)] == 0) {
            return std::nullopt;
        }
        numbers.push_back(known[raw(*symbol)]);
    }
    const auto& sequence = speller.last_sequence();
    Tail tail{numbers[sequence.back()], 0};
    return impl_->checked([&]() -> std::optional<std::uint32_t> {
        for (std::size_t i = sequence.size() - 1; i-- > 0;) {
            const std::uint32_t label = numbers[sequence[i]];
            const auto number = impl_->look_up(Family::kTails, key_of({label, tail.label, tail.number}));
            if (!number) {
                return std::nullopt;
            }
            tail = {label, static_cast<std::uint32_t>(decode_number(*number))};
        }
        const auto id = impl_->look_up(Family::kRoots, key_of({tail.label, tail.number}));
        return id ? std::optional(impl_->fragment_number(decode_number(*id))) : std::nullopt;
    });
}

void Dictionary::for_each(const std::function<bool(const Entry&)>& visit) const {
    impl_->checked([&] {
        const Impl::Arcs arcs = impl_->load_arcs();
        std::vector<std::uint32_t> sequence;
        Entry entry;
        std::uint32_t expected = 0;
        bool stopped = false;
        impl_->scan(Family::kFragments, [&](std::string_view key, std::string_view value) {
            const auto id = decode_key(key);
            if (id.size() != 1 || id[0] != expected++) {
                throw FormatError("fragments are not numbered one by one");
            }
            entry.id = impl_->fragment_number(id[0]);
            entry.record = impl_->record_of(value);
            arcs.follow(entry.record.root, sequence);
            entry.fragment = impl_->fragment_of(sequence);
            stopped = !visit(entry);
            return !stopped;
        });
        if (!stopped && expected != size()) {
            throw FormatError("fragments are missing");
        }
    });
}

void Dictionary::for_each_production(const std::function<void(const Production&)>& visit) const {
    const auto node = [&](std::uint32_t label) -> fragment::FragmentNode {
        if (label >= impl_->kinds.size() || label == kUpLabel) {
            throw FormatError("a production names a label that is not there");
        }
        return {impl_->names[label], impl_->kinds[label] == LabelKind::kLeaf ? fragment::kLeafNode : 0};
    };
    impl_->checked([&] {
        Production production;
        impl_->scan(Family::kProductions, [&](std::string_view key, std::string_view value) {
            const auto labels = decode_key(key);
            if (labels.empty()) {
                throw FormatError("a production has no label");
            }
            production.parent = node(labels[0]);
            production.children.clear();
            for (std::size_t i = 1; i < labels.size(); ++i) {
                production.children.push_back(node(labels[i]));
            }
            if (!production.children.empty()) {
                production.parent.children = static_cast<std::uint32_t>(production.children.size());
            }
            production.fragments = decode_ids(value);
            if (!production.fragments.empty()) {
                (void)impl_->fragment_number(production.fragments.back());  // they ascend
            }
            visit(production);
            return true;
        });
    });
}

Dictionary::Statistics Dictionary::statistics() const {
    Statistics statistics;
    statistics.labels = impl_->kinds.size();
    statistics.tails = impl_->tails;
    statistics.unshared_tails = impl_->unshared_tails;
    impl_->scan(Family::kProductions, [&](std::string_view, std::string_view) {
        ++statistics.productions;
        return true;
    });
    base::visit_folder(path(), [&](const std::filesystem::directory_entry& entry) {
        statistics.bytes += entry.is_regular_file() ? entry.file_size() : 0;
    });
    return statistics;
}

}  // namespace treeline::store
