#include "store/dictionary.hpp"

#include <rocksdb/db.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "base/error.hpp"
#include "base/input.hpp"
#include "base/random.hpp"
#include "store/dictionary_builder.hpp"
#include "store/tail_index.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;
using test::TemporaryFolder;

namespace {

/// A dictionary of these fragments, each with one relevance in model 0.
DictionarySummary build(const std::string& path, const std::vector<std::string>& texts) {
    tree::SymbolTable symbols;
    DictionaryInfo info;
    info.models.push_back({"model.svm", "0123", "+1", 10, texts.size(), 0.5, 2, 1.5});
    DictionaryBuilder builder(path, info, symbols);
    double relevance = 1;
    for (const std::string& text : texts) {
        const ModelRelevance model{0, relevance, 3};
        builder.add(fragment::parse_fragment(text, symbols), {&model, 1});
        relevance *= -0.9;
    }
    return builder.commit({});
}

std::vector<std::string> texts_of(const Dictionary& dictionary) {
    std::vector<std::string> texts;
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        texts.push_back(fragment::to_text(entry.fragment, dictionary.symbols()));
        return true;
    });
    return texts;
}

/// Random distinct fragments.
std::vector<std::string> random_fragments(std::size_t count) {
    base::Random random(3);
    std::set<std::string> texts;
    while (texts.size() < count) {
        std::string text = "(S";
        for (std::uint64_t i = random.below(4) + 1; i > 0; --i) {
            switch (random.below(4)) {
                case 0: text += " (NP (DT the) (N" + std::to_string(random.below(9)) + "))"; break;
                case 1: text += " w" + std::to_string(random.below(9)); break;
                case 2: text += " (X)"; break;
                default: text += " (VP (V w" + std::to_string(random.below(9)) + ") (NP))";
            }
        }
        texts.insert(text + ")");
    }
    return {texts.begin(), texts.end()};
}

}  // namespace

TEST_CASE("Figure 2 of the paper: labels once, tails once, the paper's arc numbers") {
    // The paper writes only labels; its leaves are words here.
    const std::vector<std::string> texts{"(R1 A (B Z W))", "(R2 X Y (B Z W))", "(B Z W)"};
    tree::SymbolTable symbols;
    TailIndex index(symbols);
    std::vector<Tail> roots;
    for (const std::string& text : texts) {
        roots.push_back(index.add(fragment::parse_fragment(text, symbols)));
    }
    // up, R1, A, B, Z, W, R2, X, Y
    REQUIRE(index.labels().size() == 9);
    const auto number = [&](std::string_view text) {
        for (std::uint32_t i = 0; i < index.labels().size(); ++i) {
            if (index.labels()[i].text == text) {
                return i;
            }
        }
        FAIL("no label " << text);
        return 0U;
    };
    const std::uint32_t up = number("");
    CHECK(roots == std::vector<Tail>{{number("R1"), 1}, {number("R2"), 1}, {number("B"), 1}});
    std::set<std::array<std::uint32_t, 4>> arcs;
    for (const TailIndex::Arc& arc : index.arcs()) {
        arcs.insert({arc.tail.label, arc.tail.number, arc.next.label, arc.next.number});
    }
    // As drawn: 1,1 and 1,2 and 2,1 and ...; the sequence [B, Z, up, W] is there once.
    const std::set<std::array<std::uint32_t, 4>> expected{
        {number("R1"), 1, number("A"), 1}, {number("A"), 1, up, 2}, {up, 2, number("B"), 1},
        {number("B"), 1, number("Z"), 1},  {number("Z"), 1, up, 1}, {up, 1, number("W"), 0},
        {number("R2"), 1, number("X"), 1}, {number("X"), 1, up, 3}, {up, 3, number("Y"), 1},
        {number("Y"), 1, up, 2},
    };
    CHECK(arcs == expected);
    CHECK(index.unshared() == 6 + 8 + 3);

    const TemporaryFolder folder;
    const DictionarySummary summary = build(folder / "d", texts);
    CHECK(summary.tails == 10);
    CHECK(summary.unshared_tails == 17);
    const Dictionary dictionary(folder / "d");
    CHECK(texts_of(dictionary) == texts);
    std::string path;
    for (const auto& step : dictionary.path_of(1)) {
        path += std::string(step.label) + ":" + std::to_string(step.arc) + " ";
    }
    CHECK(path == "R2:1 X:1 up:3 Y:1 up:2 B:1 Z:1 up:1 W:0 ");
    CHECK(Dictionary::verify(folder / "d").empty());
}

TEST_CASE("What is stored is read back, one by one and in order") {
    const TemporaryFolder folder;
    std::vector<std::string> texts = random_fragments(2000);
    texts.insert(texts.end(), {"word", "(X)", "X", R"((-LRB- \())"});
    const DictionarySummary summary = build(folder / "d", texts);
    const Dictionary dictionary(folder / "d");
    CHECK(dictionary.size() == texts.size());
    CHECK(dictionary.digest() == summary.digest);
    CHECK(dictionary.info().models.at(0).name == "model.svm");
    CHECK(dictionary.info().models.at(0).norm == 2);
    CHECK(texts_of(dictionary) == texts);
    tree::SymbolTable symbols;
    for (std::uint32_t id = 0; id < texts.size(); id += 7) {
        const Dictionary::Entry entry = dictionary.get(id);
        CHECK(fragment::to_text(entry.fragment, dictionary.symbols()) == texts[id]);
        CHECK(entry.record.models.at(0).relevance == entry.record.relevance);
        CHECK(entry.record.count() == 3);
        CHECK(dictionary.find(fragment::parse_fragment(texts[id], symbols), symbols) == id);
    }
    CHECK_FALSE(dictionary.find(fragment::parse_fragment("(S (UNKNOWN))", symbols), symbols));
    CHECK_FALSE(dictionary.find(fragment::parse_fragment("(VP (V) (NP))", symbols), symbols));
    CHECK_FALSE(dictionary.find(fragment::parse_fragment("(-LRB-)", symbols), symbols));
    CHECK_THROWS_AS(dictionary.get(static_cast<std::uint32_t>(texts.size())), base::InputError);
    CHECK(Dictionary::verify(folder / "d").empty());

    std::size_t uses = 0;
    dictionary.for_each_production([&](const Dictionary::Production& production) {
        for (const std::uint32_t id : production.fragments) {
            const auto entry = dictionary.get(id);
            bool found = false;
            for (std::size_t at = 0; at < entry.fragment.size(); ++at) {
                found = found || entry.fragment[at] == production.parent;
            }
            REQUIRE(found);
            ++uses;
        }
    });
    CHECK(uses > texts.size());
}

TEST_CASE("The same fragments give the same digest, others another") {
    const TemporaryFolder folder;
    const auto texts = random_fragments(50);
    const std::string digest = build(folder / "a", texts).digest;
    CHECK(build(folder / "b", texts).digest == digest);
    CHECK(build(folder / "c", random_fragments(49)).digest != digest);
}

TEST_CASE("An empty dictionary opens") {
    const TemporaryFolder folder;
    build(folder / "d", {});
    const Dictionary dictionary(folder / "d");
    CHECK(dictionary.size() == 0);
    CHECK(texts_of(dictionary).empty());
    CHECK(Dictionary::verify(folder / "d").empty());
    CHECK_THROWS_AS(dictionary.get(0), base::InputError);
}

TEST_CASE("Several readers at once leave the folder as it is") {
    const TemporaryFolder folder;
    build(folder / "d", random_fragments(20));
    const auto files = [&] {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "d")) {
            names.insert(entry.path().filename().string());
        }
        return names;
    };
    const auto before = files();
    const Dictionary one(folder / "d");
    const Dictionary two(folder / "d");
    CHECK(texts_of(one) == texts_of(two));
    CHECK(files() == before);
    CHECK(before.count("LOG") == 0);
}

TEST_CASE("What is not a dictionary is refused") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(Dictionary(folder / "absent"), base::SystemError);
    std::filesystem::create_directory(folder / "empty");
    CHECK_THROWS_AS(Dictionary(folder / "empty"), base::InputError);
    std::ofstream(folder / "file") << "x";
    CHECK_THROWS_AS(Dictionary(folder / "file"), base::InputError);
}

TEST_CASE("A fragment cannot be added twice") {
    const TemporaryFolder folder;
    CHECK_THROWS_AS(build(folder / "d", {"(A)", "(A)"}), base::Error);
    CHECK_FALSE(std::filesystem::exists(folder / "d"));
}

TEST_CASE("A flipped byte in any file is noticed") {
    const TemporaryFolder folder;
    const std::string path = folder / "d";
    build(path, random_fragments(40));
    base::Random random(5);
    std::size_t flips = 0;
    const std::set<std::string> read_only_by_verify{"manifest.json", "checksums.xxh128"};
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
        const std::string file = entry.path().string();
        const std::string bytes = base::read_whole_file(file);
        if (entry.path().filename() == "LOCK") {
            continue;
        }
        for (std::size_t round = 0; round < 40 && !bytes.empty(); ++round) {
            const std::size_t at = random.below(bytes.size());
            std::string damaged = bytes;
            damaged[at] = static_cast<char>(damaged[at] ^ (1 << random.below(8)));
            std::ofstream(file, std::ios::binary)
                .write(damaged.data(), static_cast<std::streamsize>(damaged.size()));
            if (!read_only_by_verify.contains(entry.path().filename().string())) {
                CHECK_THROWS_AS(Dictionary(path), base::InputError);
            }
            bool noticed = false;
            try {
                noticed = !Dictionary::verify(path).empty();
            } catch (const base::Error&) {
                noticed = true;
            }
            CAPTURE(file, at);
            REQUIRE(noticed);
            ++flips;
        }
        std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    }
    CHECK(flips > 200);
    CHECK(Dictionary::verify(path).empty());
    std::filesystem::remove(path + "/CURRENT");
    CHECK_THROWS_AS(Dictionary::verify(path), base::InputError);
}

TEST_CASE("A dictionary with the tables of another version says so") {
    const TemporaryFolder folder;
    rocksdb::Options options;
    options.create_if_missing = true;
    rocksdb::DB* opened = nullptr;
    REQUIRE(rocksdb::DB::Open(options, folder / "old", &opened).ok());
    const std::unique_ptr<rocksdb::DB> db(opened);
    rocksdb::ColumnFamilyHandle* family = nullptr;
    REQUIRE(db->CreateColumnFamily({}, "postings", &family).ok());
    REQUIRE(db->DestroyColumnFamilyHandle(family).ok());
    REQUIRE(db->Close().ok());
    CHECK_THROWS_WITH(Dictionary(folder / "old"),
                      Catch::Matchers::ContainsSubstring("another version of its format") &&
                          Catch::Matchers::ContainsSubstring("default postings"));
}
