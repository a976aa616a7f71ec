#include "base/input.hpp"

#include <bzlib.h>
#include <lzma.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <cerrno>
#include <string>
#include <vector>

#include "base/output.hpp"
#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline::base;
using Catch::Matchers::ContainsSubstring;
using treeline::test::slurp;
using treeline::test::TemporaryFolder;

namespace {

std::vector<std::string> lines_of(const std::string& path) {
    LineReader reader(path);
    std::vector<std::string> lines;
    for (std::string_view line; reader.next(line);) {
        lines.emplace_back(line);
    }
    REQUIRE(reader.line_number() == lines.size());
    return lines;
}

std::string gzip(const std::string& content) {
    const TemporaryFolder folder;
    write_whole_file(folder / "x.gz", content);
    return slurp(folder / "x.gz");
}

std::string zstd(const std::string& content) {
    std::string frame(ZSTD_compressBound(content.size()), '\0');
    frame.resize(ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 3));
    return frame;
}

std::string bzip2(const std::string& content) {
    auto size = static_cast<unsigned>(content.size() + content.size() / 100 + 600);
    std::string packed(size, '\0');
    REQUIRE(BZ2_bzBuffToBuffCompress(packed.data(), &size, const_cast<char*>(content.data()),
                                     static_cast<unsigned>(content.size()), 1, 0, 0) == BZ_OK);
    packed.resize(size);
    return packed;
}

std::string xz(const std::string& content) {
    std::string packed(lzma_stream_buffer_bound(content.size()), '\0');
    std::size_t size = 0;
    REQUIRE(lzma_easy_buffer_encode(0, LZMA_CHECK_CRC64, nullptr,
                                    reinterpret_cast<const std::uint8_t*>(content.data()), content.size(),
                                    reinterpret_cast<std::uint8_t*>(packed.data()), &size,
                                    packed.size()) == LZMA_OK);
    packed.resize(size);
    return packed;
}

/// Text that neither compresses to nothing nor fits into one buffer of a decoder.
std::string long_text() {
    Random random(1);
    std::string text;
    while (text.size() < 3'000'000) {
        text += std::to_string(random.next());
        text += random.below(5) == 0 ? '\n' : ' ';
    }
    return text;
}

/// Standard input read from `path` while it lives.
class RedirectedInput {
  public:
    explicit RedirectedInput(const std::string& path) : saved_(::dup(STDIN_FILENO)) {
        REQUIRE(std::freopen(path.c_str(), "rb", stdin) != nullptr);
    }
    ~RedirectedInput() {
        ::dup2(saved_, STDIN_FILENO);
        ::close(saved_);
    }

  private:
    int saved_;
};

}  // namespace

TEST_CASE("bzip2 and xz are read, also in pieces, and damage is an error") {
    const TemporaryFolder folder;
    const std::string text = long_text();
    for (const auto& [name, packed] : {std::pair("bzip2", bzip2(text)), std::pair("xz", xz(text))}) {
        CAPTURE(name);
        CHECK(read_whole_file(folder.file("x", packed)) == text);
        CHECK(read_whole_file(folder.file("x", packed + packed)) == text + text);
        CHECK(read_whole_file(folder.file("x", std::string(name) == "xz" ? xz("") : bzip2(""))).empty());
        for (const std::size_t size : {packed.size() - 1, packed.size() / 2, std::size_t{12}}) {
            CHECK_THROWS_WITH(read_whole_file(folder.file("x", packed.substr(0, size))),
                              ContainsSubstring(std::string("truncated ") + name + " data"));
        }
        std::string damaged = packed;
        damaged[packed.size() / 2] = static_cast<char>(damaged[packed.size() / 2] ^ 0x20);
        CHECK_THROWS_WITH(read_whole_file(folder.file("x", damaged)),
                          ContainsSubstring(std::string("corrupt ") + name + " data"));
        CHECK_THROWS_WITH(read_whole_file(folder.file("x", packed + "more")), ContainsSubstring(name));
    }
    CHECK(read_whole_file(folder.file("x", "BZh9 is a label")) == "BZh9 is a label");
    CHECK_THROWS_WITH(InputStream(folder.file("x", "PK\x03\x04more")), ContainsSubstring("zip data"));
}

TEST_CASE("lines end with LF or CR LF and the last one need not end") {
    const TemporaryFolder folder;
    const std::vector<std::string> two = {"a", "b"};
    CHECK(lines_of(folder.file("lf", "a\nb\n")) == two);
    CHECK(lines_of(folder.file("crlf", "a\r\nb\r\n")) == two);
    CHECK(lines_of(folder.file("open", "a\nb")) == two);
    CHECK(lines_of(folder.file("mark",
                               "\xef\xbb\xbf"
                               "a\nb\n")) == two);
    CHECK(lines_of(folder.file("blank", "\n\r\n\n")) == std::vector<std::string>{"", "", ""});
    CHECK(lines_of(folder.file("inner", "a\rb\r\r\n")) == std::vector<std::string>{"a\rb\r"});
    CHECK(lines_of(folder.file("empty", "")).empty());
}

TEST_CASE("NUL bytes are passed on") {
    const TemporaryFolder folder;
    const std::string bytes("a\0b\n\0\n", 6);
    CHECK(lines_of(folder.file("nul", bytes)) ==
          std::vector<std::string>{std::string("a\0b", 3), std::string(1, '\0')});
}

TEST_CASE("a line of 50 MB is one line, plain and compressed") {
    const TemporaryFolder folder;
    const std::string line(50'000'000, 'x');
    for (const char* name : {"x", "x.gz", "x.zst"}) {
        write_whole_file(folder / name, "before\n" + line + "\nafter");
        const auto lines = lines_of(folder / name);
        REQUIRE(lines.size() == 3);
        CHECK(lines[0] == "before");
        CHECK((lines[1] == line));
        CHECK(lines[2] == "after");
    }
}

TEST_CASE("places count lines from 1") {
    const TemporaryFolder folder;
    LineReader reader(folder.file("x", "a\nb\n"));
    std::string_view line;
    REQUIRE(reader.next(line));
    REQUIRE(reader.next(line));
    CHECK(to_string(reader.place(7)) == (folder / "x") + ":2:7");
    CHECK_FALSE(reader.next(line));
    CHECK_FALSE(reader.next(line));
    CHECK(reader.line_number() == 2);
}

TEST_CASE("compression is recognized by content, not by name") {
    const TemporaryFolder folder;
    const std::string text = long_text();
    CHECK((read_whole_file(folder.file("plain.gz", text)) == text));
    CHECK((read_whole_file(folder.file("gzip.txt", gzip(text))) == text));
    CHECK((read_whole_file(folder.file("zstd.txt", zstd(text))) == text));
}

TEST_CASE("a compressed nothing is nothing") {
    const TemporaryFolder folder;
    CHECK(read_whole_file(folder.file("a", gzip(""))).empty());
    CHECK(read_whole_file(folder.file("b", zstd(""))).empty());
    CHECK(read_whole_file(folder.file("c", "")).empty());
}

TEST_CASE("concatenated members and frames are read through") {
    const TemporaryFolder folder;
    CHECK(read_whole_file(folder.file("a", gzip("one ") + gzip("") + gzip("two"))) == "one two");
    CHECK(read_whole_file(folder.file("b", zstd("one ") + zstd("") + zstd("two"))) == "one two");
    const std::string skippable("\x53\x2a\x4d\x18\x03\0\0\0abc", 11);
    CHECK(read_whole_file(folder.file("c", skippable + zstd("one"))) == "one");
}

TEST_CASE("a compressed stream cut anywhere is an error, never a short read") {
    const TemporaryFolder folder;
    const auto compress = GENERATE(&gzip, &zstd);
    const std::string whole = compress("a few words, a few words and a few words more");
    for (std::size_t length = 4; length < whole.size(); ++length) {
        INFO("length " << length);
        CHECK_THROWS_AS(read_whole_file(folder.file("cut", whole.substr(0, length))), InputError);
    }
    const std::string large = compress(long_text());
    for (const std::size_t missing : {1, 8, 9, 100'000}) {
        const std::string path = folder.file("large", large.substr(0, large.size() - missing));
        CHECK_THROWS_WITH(read_whole_file(path), ContainsSubstring("truncated"));
        CHECK_THROWS_AS(lines_of(path), InputError);
    }
}

TEST_CASE("a compressed stream with a changed byte is an error") {
    const TemporaryFolder folder;
    const std::string text = long_text();
    std::string damaged = gzip(text);
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x40);
    CHECK_THROWS_WITH(read_whole_file(folder.file("x.gz", damaged)), ContainsSubstring("corrupt gzip data"));
    write_whole_file(folder / "x.zst", text);
    damaged = slurp(folder / "x.zst");
    damaged[damaged.size() / 2] = static_cast<char>(damaged[damaged.size() / 2] ^ 0x40);
    CHECK_THROWS_WITH(read_whole_file(folder.file("y.zst", damaged)), ContainsSubstring("corrupt zstd data"));
}

TEST_CASE("bytes after the end of the compressed data are an error") {
    const TemporaryFolder folder;
    CHECK_THROWS_WITH(read_whole_file(folder.file("a", gzip("x") + "garbage")),
                      ContainsSubstring("after the end"));
    CHECK_THROWS_AS(read_whole_file(folder.file("b", zstd("x") + "garbage")), InputError);
    CHECK_THROWS_AS(read_whole_file(folder.file("c", zstd("x") + "g")), InputError);
}

TEST_CASE("a folder or a missing file is a system error with the path") {
    const TemporaryFolder folder;
    try {
        InputStream stream(folder.path());
        FAIL("a folder was opened");
    } catch (const SystemError& error) {
        CHECK(error.error_number() == EISDIR);
        CHECK_THAT(error.what(), ContainsSubstring(folder.path()));
    }
    CHECK_THROWS_AS(InputStream(folder / "missing"), SystemError);
    CHECK_THROWS_AS(LineReader(folder / "missing/file"), SystemError);
}

TEST_CASE("the name - is standard input, compressed or not") {
    const TemporaryFolder folder;
    const RedirectedInput plain(folder.file("plain", "a\nb\n"));
    CHECK(lines_of("-") == std::vector<std::string>{"a", "b"});
    const RedirectedInput compressed(folder.file("compressed", gzip("c\n")));
    LineReader reader("-");
    std::string_view line;
    REQUIRE(reader.next(line));
    CHECK(line == "c");
    CHECK(to_string(reader.place()) == "stdin:1");
}

TEST_CASE("a whole file above its limit is refused") {
    const TemporaryFolder folder;
    const std::string path = folder.file("x", "12345");
    CHECK(read_whole_file(path, 5) == "12345");
    CHECK_THROWS_AS(read_whole_file(path, 4), InputError);
    CHECK_THROWS_AS(read_whole_file(folder.file("bomb", gzip(std::string(10'000'000, 'x'))), 1000),
                    InputError);
}

TEST_CASE("a moved stream goes on where it was") {
    const TemporaryFolder folder;
    InputStream first(folder.file("x", "abcdef"));
    std::string half(3, '\0');
    REQUIRE(first.read(half) == 3);
    InputStream second(std::move(first));
    REQUIRE(second.read(half) == 3);
    CHECK(half == "def");
    CHECK(second.read(half) == 0);
}
