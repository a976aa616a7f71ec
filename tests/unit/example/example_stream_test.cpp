#include "example/example_stream.hpp"

#include <sys/stat.h>

#include <fstream>
#include <thread>

#include "base/error.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::tree;
using namespace treeline::example;
using Catch::Matchers::ContainsSubstring;

namespace {

/// `number label` of each example in order of delivery.
std::vector<std::string> stream(const std::string& path, ExampleStreamOptions options, std::size_t threads,
                                ReadReport* report = nullptr) {
    std::vector<std::string> seen;
    struct Worker {
        void operator()(const Example& example, std::uint64_t number, std::vector<std::string>& out) const {
            out.push_back(std::to_string(number) + ' ' + std::string(example.label));
        }
    };
    options.batch_lines = 7;
    base::run_with_threads(threads, [&] {
        const ReadReport found = stream_examples<std::vector<std::string>>(
            path, options, [] { return Worker{}; },
            [&](const std::vector<std::string>& batch) {
                seen.insert(seen.end(), batch.begin(), batch.end());
            });
        if (report != nullptr) {
            *report = found;
        }
    });
    return seen;
}

std::string some_lines(int count) {
    std::string text = "# a comment\n\n";
    for (int i = 0; i < count; ++i) {
        text += "L" + std::to_string(i % 3) + " |BT| (A (B b)) |ET|\n" + (i % 10 == 0 ? "\n" : "");
    }
    return text;
}

}  // namespace

TEST_CASE("Examples come in the order of the file, whatever the number of threads") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a", some_lines(1000));
    const auto one = stream(path, {}, 1);
    REQUIRE(one.size() == 1000);
    CHECK(one[4] == "4 L1");
    CHECK(stream(path, {}, 3) == one);
}

TEST_CASE("Shards share the examples and keep their numbers") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a", some_lines(100));
    ExampleStreamOptions options;
    options.shards = 3;
    std::vector<std::string> all;
    for (options.shard = 0; options.shard < 3; ++options.shard) {
        const auto part = stream(path, options, 2);
        CHECK(part.front() == std::to_string(options.shard) + " L" + std::to_string(options.shard));
        all.insert(all.end(), part.begin(), part.end());
    }
    CHECK(all.size() == 100);
}

TEST_CASE("The first bad line in the file fails, or all are skipped and counted") {
    const test::TemporaryFolder folder;
    std::string text = some_lines(200);
    text.insert(text.find("L1"), "bad (\n");
    text += "worse )\n";
    const std::string path = folder.file("a", text);
    CHECK_THROWS_WITH(stream(path, {}, 2), ContainsSubstring("a:5:"));
    ExampleStreamOptions options;
    options.reader.records.on_error = base::OnError::kSkip;
    ReadReport report;
    const auto seen = stream(path, options, 2, &report);
    CHECK(seen.size() == 200);
    CHECK(seen[1] == "2 L1");
    CHECK(report.bad.skipped() == 2);
    CHECK(report.examples == 200);
    REQUIRE(report.bad.messages().size() == 2);
}

TEST_CASE("Lines of a pipe are handed on as they come") {
    const test::TemporaryFolder folder;
    const std::string pipe = folder / "pipe";
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    std::ofstream writer;
    const auto write = [&] { writer << "A\t(S (N n))\n" << std::flush; };
    std::thread opener([&] {
        writer.open(pipe);
        write();
    });
    LineBatcher batcher(pipe, {});
    opener.join();
    for (int i = 0; i < 3; ++i) {
        if (i > 0) {
            write();
        }
        const auto batch = batcher.next();
        REQUIRE(batch != nullptr);
        CHECK(batch->lines.size() == 1);
        CHECK(batch->lines[0].example == static_cast<std::uint64_t>(i));
    }
    writer.close();
    CHECK(batcher.next() == nullptr);
}

TEST_CASE("Trees over several lines are refused") {
    const test::TemporaryFolder folder;
    const std::string path = folder.file("a", "(S (N n)\n  (V v))\n");
    CHECK_THROWS_WITH(stream(path, {}, 1), ContainsSubstring("several lines"));
}
