#include <arrow/api.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>

#include <filesystem>

#include "base/error.hpp"
#include "fragment/fragment.hpp"
#include "store/dictionary_builder.hpp"
#include "store/fragment_table.hpp"
#include "store/kernel_table.hpp"
#include "support/catch.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using namespace treeline::store;

namespace {

std::shared_ptr<arrow::Table> read_table(const std::string& path) {
    const auto file = arrow::io::ReadableFile::Open(path).ValueOrDie();
    const auto reader = arrow::ipc::RecordBatchFileReader::Open(file).ValueOrDie();
    arrow::RecordBatchVector batches;
    for (int i = 0; i < reader->num_record_batches(); ++i) {
        batches.push_back(reader->ReadRecordBatch(i).ValueOrDie());
        REQUIRE(batches.back()->ValidateFull().ok());
    }
    return arrow::Table::FromRecordBatches(reader->schema(), batches).ValueOrDie();
}

std::string encoded(NpyType type, const std::vector<double>& values) {
    std::string bytes;
    append_npy(bytes, type, values);
    return bytes;
}

}  // namespace

TEST_CASE("A kernel matrix is a list per row in Arrow", "[store][tables]") {
    const test::TemporaryFolder folder;
    const std::string path = folder / "matrix.arrow";
    const auto type = GENERATE(NpyType::kFloat64, NpyType::kFloat32);
    KernelTable table(path, type, 3);
    table.add(encoded(type, {1, 0.5, 0.25}));
    table.add(encoded(type, {0.5, 1, 0}));
    table.commit();

    const auto found = read_table(path);
    REQUIRE(found->num_rows() == 2);
    const auto number = type == NpyType::kFloat64 ? arrow::float64() : arrow::float32();
    CHECK(found->schema()->field(0)->type()->Equals(arrow::fixed_size_list(number, 3)));
    const auto row = found->GetColumnByName("values")->GetScalar(1).ValueOrDie();
    const auto& numbers = *static_cast<const arrow::FixedSizeListScalar&>(*row).value;
    CHECK(numbers.GetScalar(0).ValueOrDie()->ToString() == "0.5");
    CHECK(numbers.GetScalar(2).ValueOrDie()->ToString() == "0");
}

TEST_CASE("Kernel values of pairs are one column in Arrow, over several batches", "[store][tables]") {
    const test::TemporaryFolder folder;
    const std::string path = folder / "pairs.arrow";
    KernelTable table(path, NpyType::kFloat64, KernelTable::kPairs);
    constexpr std::int64_t kMany = 3000000;
    std::vector<double> values(kMany);
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = static_cast<double>(i);
    }
    table.add(encoded(NpyType::kFloat64, values));
    table.add(encoded(NpyType::kFloat64, {-1}));
    table.commit();

    const auto column = read_table(path)->GetColumnByName("value");
    REQUIRE(column->length() == kMany + 1);
    CHECK(column->GetScalar(kMany - 1).ValueOrDie()->ToString() == std::to_string(kMany - 1));
    CHECK(column->GetScalar(kMany).ValueOrDie()->ToString() == "-1");
}

TEST_CASE("A row too long for Arrow is refused, and nothing is left", "[store][tables]") {
    const test::TemporaryFolder folder;
    CHECK_THROWS_AS(KernelTable(folder / "long.arrow", NpyType::kFloat64, std::uint64_t{1} << 31),
                    base::UsageError);
    CHECK(!std::filesystem::exists(folder / "long.arrow"));
}

TEST_CASE("Fragments are rows in Arrow with their models", "[store][tables]") {
    const test::TemporaryFolder folder;
    tree::SymbolTable symbols;
    DictionaryInfo info;
    info.models = {{}, {}};
    info.models[0].name = "one";
    info.models[1].name = "two";
    DictionaryBuilder builder(folder / "d", info, symbols);
    const std::vector<ModelRelevance> both{{0, 1.5, 3}, {1, 0.5, 1}};
    const std::vector<ModelRelevance> single{{1, -1, 2}};
    builder.add(fragment::parse_fragment("(NP (DT) (NN cat))", symbols), both);
    builder.add(fragment::parse_fragment("(VP (VB))", symbols), single);
    builder.commit({});

    const Dictionary dictionary(folder / "d");
    FragmentTable table(folder / "f.arrow", dictionary);
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        table.add(entry, entry.record.relevance, "NUM");
        return true;
    });
    table.commit();

    const auto found = read_table(folder / "f.arrow");
    REQUIRE(found->num_rows() == 2);
    const auto cell = [&](const char* column, std::int64_t row) {
        return found->GetColumnByName(column)->GetScalar(row).ValueOrDie()->ToString();
    };
    CHECK(cell("fragment", 0) == "(NP (DT) (NN cat))");
    CHECK(cell("relevance", 0) == "1");
    CHECK(cell("class", 0) == "NUM");
    CHECK(cell("count", 0) == "4");
    CHECK(cell("fragment", 1) == "(VP (VB))");
    const auto models =
        std::static_pointer_cast<arrow::ListArray>(found->GetColumnByName("models")->chunk(0));
    CHECK(models->value_length(0) == 2);
    CHECK(models->value_length(1) == 1);
    const auto& fields = static_cast<const arrow::StructArray&>(*models->values());
    CHECK(static_cast<const arrow::StringArray&>(*fields.field(0)).GetString(2) == "two");
    CHECK(static_cast<const arrow::DoubleArray&>(*fields.field(1)).Value(1) == 0.5);
    CHECK(found->schema()->metadata()->Get("treeline.dictionary").ValueOrDie() == dictionary.digest());
}
