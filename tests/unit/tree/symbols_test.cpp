#include "tree/symbols.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "tree/id_hash_table.hpp"

using namespace treeline::tree;

TEST_CASE("Symbols are numbered in order of first appearance, equal texts once") {
    SymbolTable symbols;
    CHECK(raw(symbols.intern("NP")) == 0);
    CHECK(raw(symbols.intern("VP")) == 1);
    CHECK(raw(symbols.intern(std::string("NP"))) == 0);
    CHECK(symbols.size() == 2);
    CHECK(symbols.text(SymbolId{1}) == "VP");
    CHECK(symbols.find("VP") == SymbolId{1});
    CHECK_FALSE(symbols.find("V").has_value());
}

TEST_CASE("A symbol may be empty, hold any byte and be longer than a block") {
    SymbolTable symbols;
    const std::vector<std::string> texts{"",         std::string(1, '\0'),        std::string(2, '\0'),
                                         "\xff\xfe", std::string(1'000'000, 'x'), "x"};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CHECK(raw(symbols.intern(texts[i])) == i);
    }
    for (std::size_t i = 0; i < texts.size(); ++i) {
        CHECK((symbols.text(symbols.intern(texts[i])) == texts[i]));
    }
    CHECK_FALSE(SymbolTable().find("").has_value());
}

TEST_CASE("Texts that share their first, middle or last bytes stay apart at every length") {
    SymbolTable symbols;
    std::uint32_t expected = 0;
    for (std::size_t length = 1; length <= 40; ++length) {
        for (std::size_t at = 0; at < length; ++at) {
            std::string text(length, 'a');
            text[at] = 'b';
            CHECK(raw(symbols.intern(text)) == expected++);
        }
        CHECK(raw(symbols.intern(std::string(length, 'a'))) == expected++);
    }
}

TEST_CASE("Views of symbols outlive the growth and the move of their table") {
    SymbolTable symbols;
    const auto first = symbols.text(symbols.intern("first"));
    for (int i = 0; i < 100'000; ++i) {
        symbols.intern(std::to_string(i));
    }
    CHECK(symbols.size() == 100'001);
    CHECK(raw(symbols.intern("99999")) == 100'000);
    const SymbolTable moved = std::move(symbols);
    CHECK(first == "first");
    CHECK(moved.text(SymbolId{0}).data() == first.data());
}

TEST_CASE("Equal hashes do not make keys equal") {
    const std::vector<std::string> keys{"one", "two", "three"};
    IdHashTable table;
    const auto find = [&](const std::string& key) {
        return table.find(42, [&](std::uint32_t id) { return keys[id] == key; });
    };
    CHECK(find("one") == IdHashTable::kNone);
    for (std::uint32_t id = 0; id < keys.size(); ++id) {
        table.insert(42, id);
    }
    for (std::uint32_t id = 0; id < keys.size(); ++id) {
        CHECK(find(keys[id]) == id);
    }
    CHECK(find("four") == IdHashTable::kNone);
}
