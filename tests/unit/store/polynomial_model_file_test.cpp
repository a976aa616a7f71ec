#include "store/polynomial_model_file.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "polynomial/polynomial_learner.hpp"
#include "support/catch.hpp"
#include "support/kernel_pa.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kSmall =
    "treeline-polynomial-model 1\ndegree 2\nlabels 2\n+1\n-1\nfeatures 3\n7\n2\n18446744073709551615\n"
    "support 3\n0.5 7 2\n-1e-3 18446744073709551615\n2\nend\n";
const std::string kThree =
    "treeline-polynomial-model 1\ndegree 4\nlabels 3\nx\ny\nz\nfeatures 2\n1\n2\nsupport 2\n0:1,2:-1 "
    "1\n1:0.25 1 2\nend\n";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to);
}

}  // namespace

TEST_CASE("a model file is read as it is described") {
    const test::TemporaryFolder folder;
    const auto model = store::read_polynomial_model(folder.file("m", kSmall));
    CHECK(model.degree == 2);
    CHECK(model.labels == std::vector<std::string>{"+1", "-1"});
    CHECK(model.coefficients == std::vector<double>{0.5, -1e-3, 2});
    CHECK(model.features == std::vector<std::uint32_t>{0, 1, 2});
    CHECK(model.offsets == std::vector<std::uint64_t>{0, 2, 3, 3});
    CHECK(model.ranking.index(2) == 18446744073709551615U);
    const auto three = store::read_polynomial_model(folder.file("t", kThree));
    CHECK(three.coefficients == std::vector<double>{1, 0, -1, 0, 0.25, 0});
    const auto one =
        store::read_polynomial_model(folder.file("p", replaced(kSmall, "labels", "positive B-NP\nlabels")));
    CHECK(one.positive == "B-NP");
}

TEST_CASE("a written model is read back whole") {
    const std::size_t classes = GENERATE(2U, 5U);
    const test::TemporaryFolder folder;
    base::Random random(4);
    polynomial::PolynomialLearnerOptions options;
    options.margin.degree = 3;
    const auto model =
        polynomial::train_polynomial(test::random_binary_data(random, 200, 90, 9, classes), options);
    store::write_polynomial_model(folder / "m.zst", model);
    const auto copy = store::read_polynomial_model(folder / "m.zst");
    CHECK(copy.degree == model.degree);
    CHECK(copy.labels == model.labels);
    CHECK(copy.coefficients == model.coefficients);
    CHECK(copy.offsets == model.offsets);
    store::write_polynomial_model(folder / "a", copy);
    store::write_polynomial_model(folder / "b", model);
    CHECK(test::slurp(folder / "a") == test::slurp(folder / "b"));
}

TEST_CASE("a model file cut anywhere is refused") {
    const test::TemporaryFolder folder;
    const std::string& text = GENERATE(kSmall, kThree);
    for (std::size_t size = 0; size + 1 < text.size(); ++size) {
        CHECK_THROWS_AS(store::read_polynomial_model(folder.file("m", text.substr(0, size))),
                        base::InputError);
    }
}

TEST_CASE("broken model files are refused at the line") {
    const test::TemporaryFolder folder;
    const auto message = [&](const std::string& text) {
        try {
            (void)store::read_polynomial_model(folder.file("m", text));
        } catch (const base::InputError& error) {
            return std::string(error.what());
        }
        return std::string("accepted");
    };
    CHECK_THAT(message(replaced(kSmall, "model 1", "model 3")), ContainsSubstring("m:1:1: "));
    CHECK_THAT(message(replaced(kSmall, "degree 2", "degree 9")), ContainsSubstring("expected 1 to 4"));
    CHECK_THAT(message(replaced(kSmall, "labels 2", "labels 1")), ContainsSubstring("at least two"));
    CHECK_THAT(message(replaced(kSmall, "\n-1\n", "\n+1\n")), ContainsSubstring("twice"));
    CHECK_THAT(message(replaced(kSmall, "\n2\n1844", "\n7\n1844")), ContainsSubstring("'7' is there twice"));
    CHECK_THAT(message(replaced(kSmall, "0.5 7 2", "0.5 2 7")), ContainsSubstring("m:11:7: "));
    CHECK_THAT(message(replaced(kSmall, "0.5 7 2", "0.5 7 3")),
               ContainsSubstring("expected an index of the list"));
    CHECK_THAT(message(replaced(kSmall, "0.5 7 2", "nan 7 2")), ContainsSubstring("expected a coefficient"));
    CHECK_THAT(message(replaced(kSmall, "support 3", "support 99999999999")), ContainsSubstring("m:14:"));
    CHECK_THAT(message(kSmall + "x\n"), ContainsSubstring("after the end"));
    CHECK_THAT(message(replaced(kThree, "2:-1", "3:-1")), ContainsSubstring("number below 3"));
    CHECK_THAT(message(replaced(kThree, "0:1,2:-1", "0:1,")), ContainsSubstring("NUMBER:COEFFICIENT"));
}
