#include "store/predictions.hpp"

#include <arrow/api.h>
#include <arrow/io/api.h>
#include <arrow/ipc/api.h>

#include <filesystem>
#include <vector>

#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;

namespace {

void write(const std::string& path, PredictionFormat format) {
    PredictionWriter writer(path, format, {.classes = {"HUM", "NUM", "a\tb"}, .values = 3});
    const std::vector<double> first{0.5, -1, 0.25};
    const std::vector<double> second{-2, 1e-300, -0.125};
    PredictionBatch batch(format);
    batch.add({0, "NUM", "HUM", first, {}});
    writer.write(batch);
    PredictionBatch other(format);
    other.add({7, "", "a\tb", second, {}});
    writer.write(other);
    writer.write(PredictionBatch(format));
    writer.commit();
}

}  // namespace

TEST_CASE("predictions have a heading, numbers, labels and named values") {
    const test::TemporaryFolder folder;
    write(folder / "p.tsv", PredictionFormat::kTsv);
    CHECK(test::slurp(folder / "p.tsv") ==
          "example\tgold\tpredicted\tvalue:HUM\tvalue:NUM\tvalue:a b\n"
          "0\tNUM\tHUM\t0.5\t-1\t0.25\n"
          "7\t\ta b\t-2\t1e-300\t-0.125\n");
}

TEST_CASE("of two classes there is one value, and a probability each") {
    const test::TemporaryFolder folder;
    {
        PredictionWriter writer(folder / "p.tsv", PredictionFormat::kTsv,
                                {.classes = {"yes", "no"}, .values = 1, .probabilities = true});
        PredictionBatch batch;
        const std::vector<double> value{2};
        const std::vector<double> probabilities{0.75, 0.25};
        batch.add({3, "no", "yes", value, probabilities});
        writer.write(batch);
        CHECK_FALSE(std::filesystem::exists(folder / "p.tsv"));
        writer.commit();
    }
    CHECK(test::slurp(folder / "p.tsv") ==
          "example\tgold\tpredicted\tvalue:yes\tprobability:yes\tprobability:no\n"
          "3\tno\tyes\t2\t0.75\t0.25\n");
}

TEST_CASE("Arrow files hold the same columns") {
    const test::TemporaryFolder folder;
    write(folder / "p.arrow", PredictionFormat::kArrow);
    const auto file = arrow::io::ReadableFile::Open(folder / "p.arrow").ValueOrDie();
    const auto reader = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie();
    const auto table = reader->ToTable().ValueOrDie();
    REQUIRE(table->num_rows() == 2);
    CHECK(table->schema()->field_names() ==
          std::vector<std::string>{"example", "gold", "predicted", "value:HUM", "value:NUM", "value:a\tb"});
    const auto cell = [&](int column, std::int64_t row) {
        return table->column(column)->GetScalar(row).ValueOrDie()->ToString();
    };
    CHECK(cell(0, 1) == "7");
    CHECK(cell(1, 0) == "NUM");
    CHECK(cell(1, 1) == "null");
    CHECK(cell(2, 1) == "a\tb");
    CHECK(cell(3, 0) == "0.5");
    CHECK(cell(5, 1) == "-0.125");
}
