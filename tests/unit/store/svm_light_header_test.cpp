#include "store/svm_light_header.hpp"

#include "base/error.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::store;

namespace {

std::string value(const SvmLightHeader& header, std::string_view name) {
    const auto& names = SvmLightHeader::names();
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (names[i] == "kernel parameter " + std::string(name)) {
            return header.values[i];
        }
    }
    return "?";
}

}  // namespace

TEST_CASE("every kernel comes back from its head") {
    const std::string text = GENERATE(
        "sst", "st(lambda=1)", "sst-bow(lambda=0.25)", "ptk(lambda=0.4,mu=0.1)", "uptk(norm=none)", "st-bow",
        "linear", "poly(d=2,s=0.5,c=0)", "linear(norm=none)", "0.6*sst+poly(d=3)", "sst+linear(norm=none)",
        "sst(norm=none)*poly", "0.5*sst*linear", "sst+ptk", "sst(pairs=all)+poly(pairs=all)", "2*sst",
        "sst+0.5*poly", "poly+sst", "sst*sst", "sst(lambda=0.123456789123)", "ptk(mu=0.1234567)",
        "linear*sst", "ptk(p=5)", "uptk(p=5,norm=none)", "ptk(p=5,terminal=5)", "ptk(gaps=span)");
    CAPTURE(text);
    const auto kernel = kernel::parse_kernel(text);
    const auto header = to_svm_light_header(kernel);
    CHECK(header.values.size() == SvmLightHeader::names().size());
    CHECK(to_string(from_svm_light_header(header)) == to_string(kernel));
}

TEST_CASE("kernels of SVM-light-TK are expressed in its own parameters") {
    auto header = to_svm_light_header(
        kernel::parse_kernel("0.6*ptk(lambda=0.2,mu=0.3,p=5)+poly(d=4,s=2,c=0,pairs=all)"));
    CHECK(value(header, "-u") == "empty");
    CHECK(value(header, "-F") == "3");
    CHECK(value(header, "-L") == "0.2");
    CHECK(value(header, "-M") == "0.300000");
    CHECK(value(header, "-T") == "0.6");
    CHECK(value(header, "-C") == "+");
    CHECK(value(header, "-S") == "1");
    CHECK(value(header, "-d") == "4");
    CHECK(value(header, "-s") == "2");
    CHECK(value(header, "-r") == "0");
    CHECK(value(header, "-N") == "3");
    CHECK(value(header, "-V") == "A");
    CHECK(value(header, "-W") == "S");
    header = to_svm_light_header(kernel::parse_kernel("st"));
    CHECK(value(header, "-F") == "0");
    CHECK(value(header, "-C") == "T");
    CHECK(value(header, "-N") == "3");
    CHECK(value(to_svm_light_header(kernel::parse_kernel("sst(norm=none)+linear")), "-N") == "2");
}

TEST_CASE("other kernels stand in the line of -u") {
    CHECK(value(to_svm_light_header(kernel::parse_kernel("st-bow")), "-u") == "treeline:st-bow(lambda=0.4)");
    CHECK(value(to_svm_light_header(kernel::parse_kernel("0.5*sst*linear")), "-u")
              .starts_with("treeline:0.5*"));
}

TEST_CASE("PTK of SVM-light-TK uses at most 5 children of a node") {
    auto header = to_svm_light_header(kernel::parse_kernel("sst"));
    for (const auto& [form, name] : {std::pair("3", "ptk"), std::pair("4", "uptk")}) {
        header.values[9] = form;
        CHECK(to_string(from_svm_light_header(header)) == std::string(name) + "(lambda=0.4,mu=0.4,p=5)");
    }
    header = to_svm_light_header(kernel::parse_kernel("ptk"));
    CHECK(value(header, "-u") == "treeline:ptk(lambda=0.4,mu=0.4)");
    CHECK(value(header, "-F") == "3");
    const auto computed = [](const char* text) {
        return to_string(svm_light_kernel(kernel::parse_kernel(text)));
    };
    CHECK(computed("ptk") == "ptk(lambda=0.4,mu=0.4,p=5)");
    CHECK(computed("ptk(p=5)") == "ptk(lambda=0.4,mu=0.4,p=5)");
    CHECK(computed("uptk(p=3,terminal=5,gaps=span)") == "uptk(lambda=0.4,mu=0.4,p=5)");
    CHECK(computed("st-bow") == "sst(lambda=0.4)");
    CHECK(computed("0.5*sst*linear") == "sst(lambda=0.4)*linear");
    CHECK(computed("sst") == "sst(lambda=0.4)");
}

TEST_CASE("heads that describe no kernel are refused") {
    struct Case {
        std::size_t field;
        std::string value;
    };
    const auto bad =
        GENERATE(Case{0, "2"}, Case{0, "x"}, Case{6, "0"}, Case{6, "1.5"}, Case{8, "X"}, Case{9, "7"},
                 Case{12, "4"}, Case{14, "Q"}, Case{5, "treeline:"}, Case{5, "treeline:sst("});
    CAPTURE(bad.field, bad.value);
    auto header = to_svm_light_header(kernel::parse_kernel("sst"));
    header.values[bad.field] = bad.value;
    CHECK_THROWS_AS(from_svm_light_header(header), base::UsageError);
}

TEST_CASE("plain SVM-light kernel types are vector kernels without normalization") {
    auto header = to_svm_light_header(kernel::parse_kernel("sst"));
    header.values[0] = "0";
    CHECK(to_string(from_svm_light_header(header)) == "linear(norm=none)");
    header.values[0] = "1";
    CHECK(to_string(from_svm_light_header(header)) ==
          to_string(kernel::parse_kernel("poly(d=3,s=1,c=1,norm=none)")));
}
