#include <filesystem>

#include "base/checksums.hpp"
#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/folder.hpp"
#include "base/format_names.hpp"
#include "base/text.hpp"
#include "store/dictionary_impl.hpp"

namespace treeline::store {

namespace {

namespace fs = std::filesystem;

/// Files that differ from what the list of checksums says, are missing, or are not in it.
void verify_files(const std::string& path, std::vector<std::string>& problems) {
    const std::string list(base::formats::kChecksumFile);
    if (!fs::exists(fs::path(path) / list)) {
        problems.push_back("the list of checksums, " + list + ", is missing");
        return;
    }
    base::Checksums expected;
    try {
        expected = base::read_checksums(path);
    } catch (const base::InputError& error) {
        problems.emplace_back(error.what());
        return;
    }
    base::visit_folder(path, [&](const fs::directory_entry& entry) {
        const std::string name = entry.path().filename().string();
        if (name != list && expected.count(name) == 0) {
            problems.push_back("the file " + base::quoted(name) + " does not belong to the dictionary");
        }
    });
    for (const auto& [name, digest] : expected) {
        if (!fs::is_regular_file(fs::path(path) / name)) {
            problems.push_back("the file " + base::quoted(name) + " is missing");
        }
    }
    for (const std::string& name : base::find_damaged(path, expected)) {
        problems.push_back("the file " + base::quoted(name) + " is damaged: its checksum differs");
    }
}

/// Digest of a table as the builder makes it.
class TableDigest {
  public:
    void add(std::string_view key, std::string_view value) {
        digest_.update(encode_number(key.size()));
        digest_.update(key);
        digest_.update(encode_number(value.size()));
        digest_.update(value);
    }
    [[nodiscard]] std::string hex() const { return digest_.hex(); }

  private:
    base::Digest digest_;
};

}  // namespace

void Dictionary::Impl::verify_digest(std::vector<std::string>& problems) const {
    base::Digest all;
    for (const Family family : {Family::kLabels, Family::kArcs, Family::kTails, Family::kFragments,
                                Family::kRoots, Family::kProductions}) {
        TableDigest table;
        scan(family, [&](std::string_view key, std::string_view value) {
            table.add(key, value);
            return true;
        });
        all.update(table.hex());
    }
    scan(Family::kMeta, [&](std::string_view key, std::string_view value) {
        if (key != "digest") {
            all.update(encode_number(key.size()) + std::string(key) + encode_number(value.size()) +
                       std::string(value));
        }
        return true;
    });
    if (all.hex() != digest) {
        problems.push_back("the content does not have the digest that the head states");
    }
}

void Dictionary::Impl::verify_tails(std::vector<std::string>& problems) const {
    const Arcs arcs = load_arcs();
    if (arcs.next.size() != tails) {
        problems.push_back("the head states " + std::to_string(tails) + " tails, there are " +
                           std::to_string(arcs.next.size()));
    }
    std::uint64_t reverse = 0;
    scan(Family::kTails, [&](std::string_view key, std::string_view value) {
        ++reverse;
        const auto tail = decode_key(key);
        const std::uint64_t number = decode_number(value);
        if (tail.size() != 3 || tail[0] >= kinds.size() || number == 0 ||
            number > arcs.begin[tail[0] + 1] - arcs.begin[tail[0]] ||
            !(arcs.next[arcs.begin[tail[0]] + number - 1] == Tail{tail[1], tail[2]})) {
            throw FormatError("'tails' and 'arcs' contradict each other");
        }
        return true;
    });
    if (reverse != arcs.next.size()) {
        problems.push_back("'tails' does not list every arc");
    }
}

void Dictionary::Impl::verify_entry(const Entry& entry, const ClassRelevance& classes) const {
    const fragment::Shape shape = fragment::measure(entry.fragment);
    if (shape.nodes != entry.record.nodes || shape.expanded != entry.record.expanded ||
        shape.depth != entry.record.depth) {
        throw FormatError("the sizes of fragment " + std::to_string(entry.id) + " are not those of its tree");
    }
    std::string key;
    append_key(key, entry.record.root.label);
    append_key(key, entry.record.root.number);
    const auto id = look_up(Family::kRoots, key);
    if (!id || decode_number(*id) != entry.id) {
        throw FormatError("'roots' does not lead to fragment " + std::to_string(entry.id));
    }
    if (classes.strongest(entry.record.models).relevance != entry.record.relevance) {
        throw FormatError("the relevance of fragment " + std::to_string(entry.id) +
                          " is not the largest of its classes");
    }
}

void Dictionary::Impl::verify_fragments(const Dictionary& dictionary,
                                        std::vector<std::string>& problems) const {
    std::uint64_t roots = 0;
    std::uint64_t seen = 0;
    const ClassRelevance classes(info.models);
    dictionary.for_each([&](const Entry& entry) {
        ++seen;
        verify_entry(entry, classes);
        return true;
    });
    scan(Family::kRoots, [&](std::string_view, std::string_view) { return ++roots, true; });
    if (seen != fragments || roots != seen) {
        problems.push_back("the head states " + std::to_string(fragments) + " fragments, there are " +
                           std::to_string(seen) + " with " + std::to_string(roots) + " roots");
    }
    dictionary.for_each_production([](const Production&) {});
}

std::vector<std::string> Dictionary::verify(const std::string& path) {
    std::vector<std::string> problems;
    if (fs::is_directory(path) && fs::exists(path + "/CURRENT")) {
        verify_files(path, problems);
        if (!problems.empty()) {
            return problems;
        }
    }
    const Dictionary dictionary(path);
    const Impl& impl = *dictionary.impl_;
    try {
        impl.verify_digest(problems);
        impl.verify_tails(problems);
        impl.verify_fragments(dictionary, problems);
    } catch (const FormatError& error) {
        problems.emplace_back(error.what());
    }
    return problems;
}

}  // namespace treeline::store
