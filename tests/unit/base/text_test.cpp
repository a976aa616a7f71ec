#include "base/text.hpp"

#include <cmath>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using namespace treeline::base;
using namespace std::string_literals;

TEST_CASE("a double is read from the whole text or not at all") {
    const std::vector<std::pair<const char*, double>> table = {
        {"0", 0},
        {"1.5", 1.5},
        {"+1", 1},
        {"-1", -1},
        {"1e3", 1000},
        {"+1E-2", 0.01},
        {".5", 0.5},
        {"5.", 5},
        {"007", 7},
        {"4.9e-324", 4.9e-324},
        {"0.1", 0.1},
        {"-0", -0.0},
        {"123456789012345678901234567890", 1.2345678901234568e29},
    };
    for (const auto& [text, value] : table) {
        INFO(text);
        REQUIRE(parse_double(text).has_value());
        CHECK(*parse_double(text) == value);
    }
    for (const char* text : {"", "+", "-", " 1", "1 ", "1.5x", "nan", "inf", "-inf", "infinity", "+-1", "++1",
                             "-+1", "1e", "0x10", "1,5", "1e999", "."}) {
        INFO(text);
        CHECK_FALSE(parse_double(text).has_value());
    }
}

TEST_CASE("an unsigned number has digits only") {
    CHECK(parse_unsigned("0") == 0);
    CHECK(parse_unsigned("18446744073709551615") == UINT64_MAX);
    for (const char* text : {"", "-1", "1.0", "18446744073709551616", " 1", "1 ", "0x1", "+-1"}) {
        INFO(text);
        CHECK_FALSE(parse_unsigned(text).has_value());
    }
}

TEST_CASE("formatted numbers read back as the same value") {
    CHECK(format_double(0.1) == "0.1");
    CHECK(format_double(-1) == "-1");
    CHECK(format_double(1e300) == "1e+300");
    CHECK(format_float(0.1F) == "0.1");
    Random random(1);
    for (int i = 0; i < 10'000; ++i) {
        const double value = random.normal() * std::pow(10, random.uniform() * 100 - 50);
        REQUIRE(parse_double(format_double(value)) == value);
        const auto narrow = static_cast<float>(random.normal());
        REQUIRE(static_cast<float>(*parse_double(format_float(narrow))) == narrow);
    }
    CHECK(parse_double(format_double(std::numeric_limits<double>::denorm_min())) == 4.9e-324);
}

TEST_CASE("quoted text is short and harmless to a terminal") {
    CHECK(treeline::base::quoted("abc") == "'abc'");
    CHECK(treeline::base::quoted("") == "''");
    CHECK(treeline::base::quoted("a\tb\0c\x1b\x7f"s) == "'a\\x09b\\x00c\\x1b\\x7f'");
    CHECK(treeline::base::quoted("Gr\xc3\xbc\xc3\x9f"
                                 "e") ==
          "'Gr\xc3\xbc\xc3\x9f"
          "e'");
    CHECK(treeline::base::quoted("\xc3(") == "'\\xc3('");
    CHECK(treeline::base::quoted(std::string(40, 'x')) == "'" + std::string(40, 'x') + "'");
    CHECK(treeline::base::quoted(std::string(41, 'x')) == "'" + std::string(40, 'x') + "...'");
}

TEST_CASE("the first byte that is not UTF-8 is found") {
    const std::vector<std::string> valid = {"",
                                            "plain ascii text",
                                            "Gr\xc3\xbc\xc3\x9f"
                                            "e",
                                            "\xe4\xb8\xad\xe6\x96\x87",
                                            "\xf0\x9f\x8c\xb3",
                                            "\xed\x9f\xbf",
                                            "\xee\x80\x80",
                                            "\xf4\x8f\xbf\xbf",
                                            "a\0b"s};
    for (const std::string& text : valid) {
        INFO(text);
        CHECK_FALSE(find_invalid_utf8(text).has_value());
    }
    const std::vector<std::string> invalid = {"\x80",
                                              "\xc3",
                                              "\xc3(",
                                              "\xc0\x80",
                                              "\xc1\xbf",
                                              "\xe0\x80\x80",
                                              "\xed\xa0\x80",
                                              "\xe4\xb8",
                                              "\xf0\x80\x80\x80",
                                              "\xf4\x90\x80\x80",
                                              "\xf5\x80\x80\x80",
                                              "\xff",
                                              "\xf0\x9f\x8c"};
    for (const std::string& text : invalid) {
        INFO(quoted(text));
        CHECK(find_invalid_utf8(text) == 0);
        CHECK(find_invalid_utf8("eight bytes and five" + text) == 20);
        CHECK(find_invalid_utf8("\xc3\xbc" + text + "x") == 2);
    }
}
