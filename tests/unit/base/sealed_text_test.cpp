#include "base/sealed_text.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

std::string read_all(const std::string& path, bool sealed) {
    base::SealedLines lines(path);
    std::string text;
    for (std::string_view line; lines.next(line);) {
        text.append(line).append("\n");
    }
    if (sealed) {
        lines.require_seal();
    }
    return text;
}

std::string sealed_text(const test::TemporaryFolder& folder) {
    base::SealedFile file(folder / "whole");
    file.write("one\ntwo");
    file.write(" words\n\n");
    file.commit();
    return test::slurp(folder / "whole");
}

}  // namespace

TEST_CASE("Sealed text reads back without its seal") {
    const test::TemporaryFolder folder;
    CHECK_THAT(sealed_text(folder), ContainsSubstring("one\ntwo words\n\n# digest "));
    CHECK(read_all(folder / "whole", true) == "one\ntwo words\n\n");
    CHECK(read_all(folder.file("own", "one\n"), false) == "one\n");
    CHECK_THROWS_AS(read_all(folder.file("own", "one\n"), true), base::InputError);
}

TEST_CASE("Every flipped bit and every cut of sealed text is found") {
    const test::TemporaryFolder folder;
    const std::string whole = sealed_text(folder);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        CAPTURE(i);
        CHECK_THROWS_AS(read_all(folder.file("cut", whole.substr(0, i)), true), base::InputError);
        for (unsigned bit = 0; bit < 8; ++bit) {
            std::string flipped = whole;
            flipped[i] = static_cast<char>(static_cast<unsigned char>(flipped[i]) ^ (1U << bit));
            CHECK_THROWS_AS(read_all(folder.file("flipped", flipped), true), base::InputError);
        }
    }
    CHECK_THROWS_AS(read_all(folder.file("longer", whole + "more\n"), true), base::InputError);
}

TEST_CASE("A last line without its end has been cut") {
    const test::TemporaryFolder folder;
    CHECK_THROWS_WITH(read_all(folder.file("cut", "0.25\n0.1"), false),
                      ContainsSubstring("the last line has no end"));
}
