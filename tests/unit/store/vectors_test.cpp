#include "store/vectors.hpp"

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>

#include "base/digest.hpp"
#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/input.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;
using Catch::Matchers::ContainsSubstring;

namespace {

struct Row {
    std::uint64_t id;
    std::string label;
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
    bool operator==(const Row&) const = default;
};

VectorsInfo some_info() {
    VectorsInfo info;
    info.kernel = "sst(lambda=0.4)";
    info.norm = "kernel";
    info.fragments = 1000;
    info.dictionary = "00112233445566778899aabbccddeeff";
    return info;
}

std::vector<Row> random_rows(std::size_t count, std::size_t labels, std::uint64_t seed) {
    base::Random random(seed);
    std::vector<Row> rows;
    for (std::size_t i = 0; i < count; ++i) {
        Row row{i, "L" + std::to_string(random.below(1 + std::min(labels, 1 + i * labels / count))), {}, {}};
        for (std::uint32_t index = 0; index < 40; index += 1 + static_cast<std::uint32_t>(random.below(30))) {
            row.indices.push_back(index);
            row.values.push_back(static_cast<float>(random.uniform()));
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

void write(const std::string& path, const std::vector<Row>& rows, const VectorsInfo& info = some_info(),
           const VectorsWriterOptions& options = {}) {
    const auto sink = make_arrow_sink(path, info, options);
    for (const Row& row : rows) {
        sink->add({row.id, row.label, row.indices, row.values});
    }
    const auto file = sink->commit();
    CHECK(file.digest == base::digest_file(path));
    CHECK(file.bytes == std::filesystem::file_size(path));
}

std::vector<Row> read(const std::vector<VectorsFile>& files) {
    std::vector<Row> rows;
    VectorsReader reader(files);
    VectorRow row;
    while (reader.next(row)) {
        rows.push_back({row.id,
                        std::string(row.label),
                        {row.indices.begin(), row.indices.end()},
                        {row.values.begin(), row.values.end()}});
    }
    return rows;
}

}  // namespace

TEST_CASE("Vectors read back as written, over several batches with labels that come late") {
    const test::TemporaryFolder folder;
    const auto rows = random_rows(150000, 20, 3);
    VectorsWriterOptions options;
    options.compress = GENERATE(false, true);
    write(folder / "a.arrow", rows, some_info(), options);
    const auto files = open_vectors(folder / "a.arrow");
    REQUIRE(files.size() == 1);
    CHECK(files[0].info() == some_info());
    CHECK(files[0].batch_count() == 3);
    CHECK(read(files) == rows);
}

TEST_CASE("Batches of a file that was just opened are read by several threads") {
    const test::TemporaryFolder folder;
    const bool compress = GENERATE(false, true);
    write(folder / "x.arrow", random_rows(4 * kBatchRows, 3, 7), some_info(), {.compress = compress});
    for (int round = 0; round < 30; ++round) {
        const VectorsFile file(folder / "x.arrow");
        std::atomic<std::size_t> rows = 0;
        base::run_with_threads(4, [&] {
            base::parallel_pieces(file.batch_count(), 1, [&](std::size_t number, std::size_t) {
                rows += file.batch(number).size();
            });
        });
        REQUIRE(rows == 4 * kBatchRows);
    }
}

TEST_CASE("The same rows give the same bytes") {
    const test::TemporaryFolder folder;
    const auto rows = random_rows(70000, 3, 5);
    write(folder / "a.arrow", rows);
    write(folder / "b.arrow", rows);
    CHECK(base::digest_file(folder / "a.arrow") == base::digest_file(folder / "b.arrow"));
}

TEST_CASE("Numbers as labels") {
    const test::TemporaryFolder folder;
    VectorsWriterOptions options;
    options.labels = LabelColumn::kNumber;
    write(folder / "a.arrow", {{0, "+1", {2}, {1}}, {1, "-0.5", {}, {}}, {2, "1", {}, {}}}, some_info(),
          options);
    CHECK(read(open_vectors(folder / "a.arrow")) ==
          std::vector<Row>{{0, "1", {2}, {1}}, {1, "-0.5", {}, {}}, {2, "1", {}, {}}});
    const auto sink = make_arrow_sink(folder / "b.arrow", some_info(), options);
    CHECK_THROWS_WITH(sink->add({0, "NUM", {}, {}}), ContainsSubstring("'NUM' is not a number"));
}

TEST_CASE("A folder of parts is read in the order of ids, and only if it is whole") {
    const test::TemporaryFolder folder;
    const auto rows = random_rows(1000, 4, 7);
    for (std::uint32_t shard = 0; shard < 3; ++shard) {
        std::vector<Row> part;
        for (std::size_t i = shard; i < rows.size(); i += 3) {
            part.push_back(rows[i]);
        }
        VectorsInfo info = some_info();
        info.shard = shard;
        info.shards = 3;
        write(folder / part_name(shard, 3, ".arrow"), part, info);
    }
    CHECK_THROWS_WITH(open_vectors(folder.path()), ContainsSubstring("_SUCCESS"));
    base::write_whole_file(folder / std::string(base::formats::kSuccessFile), "");
    CHECK(read(open_vectors(folder.path())) == rows);

    VectorsInfo other = some_info();
    other.shard = 1;
    other.shards = 3;
    other.dictionary = "another";
    write(folder / part_name(1, 3, ".arrow"), {}, other);
    CHECK_THROWS_WITH(open_vectors(folder.path()), ContainsSubstring("does not belong"));
    std::filesystem::remove(folder / part_name(1, 3, ".arrow"));
    CHECK_THROWS_WITH(open_vectors(folder.path()), ContainsSubstring("2 parts; expected 3"));
}

TEST_CASE("A file without rows is a file") {
    const test::TemporaryFolder folder;
    write(folder / "a.arrow", {});
    CHECK(read(open_vectors(folder / "a.arrow")).empty());
}

TEST_CASE("What was not committed is not there") {
    const test::TemporaryFolder folder;
    {
        const auto sink = make_arrow_sink(folder / "a.arrow", some_info());
        sink->add({0, "a", {}, {}});
    }
    CHECK_FALSE(std::filesystem::exists(folder / "a.arrow"));
}

TEST_CASE("Damaged files are refused, never half-read") {
    const test::TemporaryFolder folder;
    const auto rows = random_rows(300, 4, 11);
    write(folder / "a.arrow", rows);
    const std::string bytes = base::read_whole_file(folder / "a.arrow");
    const auto try_read = [&](const std::string& damaged) {
        {
            std::ofstream file(folder / "b.arrow", std::ios::binary);
            file << damaged;
        }
        try {
            return read(open_vectors(folder / "b.arrow"));
        } catch (const base::Error&) {
            return std::vector<Row>{};
        }
    };
    for (const std::size_t size : {std::size_t{0}, std::size_t{7}, bytes.size() / 2, bytes.size() - 1}) {
        CHECK(try_read(bytes.substr(0, size)).empty());
    }
    CHECK(try_read("not an arrow file at all").empty());
    // A flipped byte may change a value, but must not crash.
    base::Random random(13);
    for (int round = 0; round < 500; ++round) {
        std::string damaged = bytes;
        damaged[random.below(damaged.size())] ^= static_cast<char>(1 + random.below(255));
        const auto found = try_read(damaged);
        CHECK((found.empty() || found.size() == rows.size()));
    }
}

TEST_CASE("Indices that do not ascend and values that are not finite are refused, wherever they are") {
    const test::TemporaryFolder folder;
    const auto rows = random_rows(9, 2, 17);
    const auto problem_of = [&](std::vector<Row> changed, Row row, std::size_t place) {
        changed.insert(changed.begin() + static_cast<std::ptrdiff_t>(place), std::move(row));
        write(folder / "a.arrow", changed);
        try {
            (void)read(open_vectors(folder / "a.arrow"));
        } catch (const base::InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    for (const std::size_t length : {1, 2, 5, 8, 19}) {
        Row row{77, "L0", {}, std::vector<float>(length, 0.5F)};
        for (std::uint32_t i = 0; i < length; ++i) {
            row.indices.push_back(2 * i);
        }
        const std::size_t place = length % (rows.size() + 1);
        CHECK(problem_of(rows, row, place).empty());
        for (std::size_t i = 0; i < length; ++i) {
            Row odd = row;
            odd.values[i] = i % 2 == 0 ? std::numeric_limits<float>::infinity() : std::nanf("");
            CHECK_THAT(problem_of(rows, odd, place), ContainsSubstring("row 77: a value that is not finite"));
            if (i > 0) {
                Row falling = row;
                falling.indices[i] = falling.indices[i - 1];
                CHECK_THAT(problem_of(rows, falling, place), ContainsSubstring("row 77: index"));
            }
        }
    }
}

TEST_CASE("Text has indices from 1, and numbers for labels") {
    const test::TemporaryFolder folder;
    std::map<std::string, std::uint64_t, std::less<>> numbers;
    const auto sink = make_libsvm_sink(folder / "a.svm", numbers);
    const std::vector<std::uint32_t> indices{0, 7};
    const std::vector<float> values{0.5F, 0.1F};
    sink->add({0, "+1", indices, values});
    sink->add({1, "NUM", indices, values});
    sink->add({2, "HUM", {}, {}});
    sink->add({3, "NUM", {}, {}});
    (void)sink->commit();
    CHECK(base::read_whole_file(folder / "a.svm") ==
          "+1 1:0.5 8:0.10000000149011612\n1 1:0.5 8:0.10000000149011612\n2\n1\n");
    CHECK(numbers.at("HUM") == 2);
}
