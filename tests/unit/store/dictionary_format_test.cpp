#include "store/dictionary_format.hpp"

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::store;

TEST_CASE("Dictionary values are decoded as they were encoded") {
    base::Random random(1);
    for (int round = 0; round < 500; ++round) {
        const auto number = [&] {
            return static_cast<std::uint32_t>(random.next() >> (32 + random.below(32)));
        };
        FragmentRecord record;
        record.root = {number(), number()};
        record.nodes = number();
        record.expanded = number();
        record.depth = number();
        record.relevance = random.normal();
        for (std::uint32_t model = number() % 5; model < 20; model += 1 + number() % 7) {
            record.models.push_back({model, random.normal(), random.next() >> random.below(64)});
        }
        const std::string bytes = encode_record(record);
        REQUIRE(decode_record(bytes) == record);
        for (std::size_t cut = 0; cut < bytes.size(); ++cut) {
            REQUIRE_THROWS_AS(decode_record(std::string_view(bytes).substr(0, cut)), FormatError);
        }
        REQUIRE_THROWS_AS(decode_record(bytes + "x"), FormatError);
        const Tail tail{number(), number()};
        REQUIRE(decode_tail(encode_tail(tail)) == tail);
        std::vector<std::uint32_t> ids;
        for (std::uint32_t id = number() % 9; ids.size() < 20; id += 1 + number() % 1000) {
            ids.push_back(id);
        }
        REQUIRE(decode_ids(encode_ids(ids)) == ids);
    }
    CHECK(decode_label(encode_label({LabelKind::kLeaf, "the"})) == IndexLabel{LabelKind::kLeaf, "the"});
    CHECK(decode_label(encode_label({})) == IndexLabel{});
}

TEST_CASE("Bytes as FORMATS.md shows them") {
    FragmentRecord record;
    record.root = {3, 1};
    record.nodes = 3;
    record.expanded = 1;
    record.depth = 1;
    record.relevance = 0.5;
    record.models = {{0, 0.5, 300}};
    const char expected[] = "\x03\x01\x03\x01\x01\0\0\0\0\0\0\xe0\x3f\x01\0\0\0\0\0\0\0\xe0\x3f\xac\x02";
    CHECK(encode_record(record) == std::string(expected, sizeof(expected) - 1));
    std::string key;
    append_key(key, 258);
    CHECK(key == std::string("\0\0\1\2", 4));
}

TEST_CASE("Values that are not of the format are refused") {
    CHECK_THROWS_AS(decode_label(""), FormatError);
    CHECK_THROWS_AS(decode_label("\x03x"), FormatError);
    CHECK_THROWS_AS(decode_label(std::string("\0x", 2)), FormatError);
    CHECK_THROWS_AS(decode_label("\x01"), FormatError);
    CHECK_THROWS_AS(decode_number("\x80"), FormatError);
    CHECK_THROWS_AS(decode_number(std::string("\x80\x00", 2)), FormatError);
    CHECK_THROWS_AS(decode_number("\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02"), FormatError);
    CHECK_THROWS_AS(decode_tail("\xff\xff\xff\xff\x1f\x01"), FormatError);
    CHECK_THROWS_AS(decode_key("abc"), FormatError);
    CHECK_THROWS_AS(decode_models("{}x"), FormatError);
    CHECK_THROWS_AS(decode_models("[{\"name\": 1}]"), FormatError);
    const std::string models = encode_models({{}});
    const std::string count = "\"mined\":0";
    REQUIRE(models.find(count) != std::string::npos);
    for (const std::string other : {"1e30", "-1", "2.5", "true"}) {
        std::string changed = models;
        changed.replace(changed.find(count), count.size(), "\"mined\":" + other);
        CAPTURE(changed);
        CHECK_THROWS_AS(decode_models(changed), FormatError);
    }
}

TEST_CASE("The list of models is kept") {
    const std::vector<DictionaryModel> models{{"a.svm", "00ff", "NUM", 12, 10, 0.25, 3.5, 1.5}, {}};
    CHECK(decode_models(encode_models(models)) == models);
}
