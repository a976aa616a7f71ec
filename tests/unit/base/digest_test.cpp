#include "base/digest.hpp"

#include <string>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;

TEST_CASE("digests are those of XXH3") {
    CHECK(digest_bytes("") == "99aa06d3014798d86001c324468d497f");
    CHECK(digest_bytes("treeline") == "f5a31fd9f6e98655c78097122ed3421e");
    CHECK(hash64("") == 0x2d06800538d394c2U);
    CHECK(hash64("treeline") == 0x28b48477b1e2e0afU);
    CHECK(hash64("treeline", 7) == 0x753c25d342845630U);
}

TEST_CASE("a digest does not depend on how the bytes come") {
    const std::string bytes(1'000'000, 'x');
    Digest digest;
    CHECK(digest.hex() == digest_bytes(""));
    for (std::size_t at = 0; at < bytes.size(); at += 4096) {
        digest.update(std::string_view(bytes).substr(at, 4096));
    }
    CHECK(digest.hex() == digest_bytes(bytes));
    CHECK(digest.hex() == digest_bytes(bytes));
    Digest moved = std::move(digest);
    moved.update("y");
    CHECK(moved.hex() == digest_bytes(bytes + "y"));

    const treeline::test::TemporaryFolder folder;
    CHECK(digest_file(folder.file("x", bytes)) == digest_bytes(bytes));
    CHECK_THROWS_AS(digest_file(folder / "missing"), SystemError);
}
