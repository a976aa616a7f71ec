#include "kernel/description.hpp"

#include "base/error.hpp"
#include "base/random.hpp"
#include "support/catch.hpp"

using namespace treeline;
using namespace treeline::kernel;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("Descriptions are printed in full and read back") {
    struct Case {
        std::string_view text;
        std::string_view canonical;
    };
    const auto check = GENERATE(values<Case>({
        {"sst", "sst(lambda=0.4)"},
        {"st", "st(lambda=0.4)"},
        {"st-bow", "st-bow(lambda=0.4)"},
        {"sst-bow()", "sst-bow(lambda=0.4)"},
        {"ptk", "ptk(lambda=0.4,mu=0.4)"},
        {"uptk(mu=0.1)", "uptk(lambda=0.4,mu=0.1)"},
        {"ptk(p=0,terminal=1,gaps=skipped)", "ptk(lambda=0.4,mu=0.4)"},
        {"ptk(gaps=span,terminal=5.0,p=5)", "ptk(lambda=0.4,mu=0.4,p=5,terminal=5,gaps=span)"},
        {"linear", "linear"},
        {"linear(norm=none)", "linear(norm=none)"},
        {"poly", "poly(d=3,s=1,c=1)"},
        {"poly(c=0,d=2,s=0.5)", "poly(d=2,s=0.5,c=0)"},
        {"sst(lambda=1,norm=none,pairs=all)", "sst(lambda=1,norm=none,pairs=all)"},
        {"sst(norm=self,pairs=aligned)", "sst(lambda=0.4)"},
        {"0.6*sst+poly(d=3)", "0.6*sst(lambda=0.4)+poly(d=3,s=1,c=1)"},
        {" 0.6 * sst ( lambda = 0.25 ) + linear ", "0.6*sst(lambda=0.25)+linear"},
        {"sst*poly", "sst(lambda=0.4)*poly(d=3,s=1,c=1)"},
        {"2*sst*3*linear", "6*sst(lambda=0.4)*linear"},
        {"sst*2", "2*sst(lambda=0.4)"},
        {"1*sst", "sst(lambda=0.4)"},
        {"1e+2*sst+1e-7*linear", "100*sst(lambda=0.4)+1e-07*linear"},
        {"sst(lambda=0.1)+sst(lambda=0.9)", "sst(lambda=0.1)+sst(lambda=0.9)"},
    }));
    const auto description = parse_kernel(check.text);
    CHECK(to_string(description) == check.canonical);
    CHECK(parse_kernel(check.canonical) == description);
}

TEST_CASE("What a description means") {
    const auto description =
        parse_kernel("0.6*ptk(lambda=0.2,mu=0.3,norm=none,pairs=all)*linear+poly(d=2,s=3,c=4)");
    REQUIRE(description.terms.size() == 2);
    CHECK(description.terms[0].weight == 0.6);
    CHECK(std::get<TreeKernel>(description.terms[0].factors[0]) == TreeKernel{.kind = TreeKernelKind::kPtk,
                                                                              .lambda = 0.2,
                                                                              .mu = 0.3,
                                                                              .normalize = false,
                                                                              .pairing = Pairing::kAll});
    CHECK(std::get<VectorKernel>(description.terms[0].factors[1]) == VectorKernel{});
    CHECK(std::get<VectorKernel>(description.terms[1].factors[0]) ==
          VectorKernel{.kind = VectorKernelKind::kPolynomial, .degree = 2, .scale = 3, .constant = 4});
    CHECK(description.uses_trees());
    CHECK(description.uses_vectors());
    CHECK_FALSE(parse_kernel("sst+st").uses_vectors());
    CHECK_FALSE(parse_kernel("linear").uses_trees());
}

TEST_CASE("Random descriptions survive printing and reading") {
    base::Random random(31);
    for (int i = 0; i < 500; ++i) {
        KernelDescription description;
        for (std::uint64_t terms = 1 + random.below(3); terms > 0; --terms) {
            KernelTerm term{.weight = random.below(2) == 0 ? 1 : 10 * random.uniform() + 1e-3, .factors = {}};
            for (std::uint64_t factors = 1 + random.below(3); factors > 0; --factors) {
                const bool normalize = random.below(2) == 0;
                const Pairing pairing = random.below(2) == 0 ? Pairing::kAll : Pairing::kAligned;
                if (random.below(2) == 0) {
                    TreeKernel kernel{.kind = static_cast<TreeKernelKind>(random.below(6)),
                                      .lambda = 1 - random.uniform(),
                                      .normalize = normalize,
                                      .pairing = pairing};
                    if (kernel.family().matches_by_label()) {
                        kernel.mu = 1 - random.uniform();
                        kernel.longest = static_cast<std::uint32_t>(random.below(8));
                        kernel.terminal = random.below(2) == 0 ? 1 : 10 * random.uniform() + 1e-3;
                        kernel.gaps = random.below(2) == 0 ? GapRule::kSpan : GapRule::kSkipped;
                    }
                    term.factors.emplace_back(kernel);
                } else {
                    VectorKernel kernel{.normalize = normalize, .pairing = pairing};
                    if (random.below(2) == 0) {
                        kernel.kind = VectorKernelKind::kPolynomial;
                        kernel.degree = static_cast<std::uint32_t>(1 + random.below(1000));
                        kernel.scale = random.normal();
                        kernel.constant = random.normal();
                    }
                    term.factors.emplace_back(kernel);
                }
            }
            description.terms.push_back(term);
        }
        INFO(to_string(description));
        CHECK(parse_kernel(to_string(description)) == description);
    }
}

TEST_CASE("Bad descriptions are refused with the place and what was expected") {
    struct Case {
        std::string_view text;
        std::string_view message;
    };
    const auto check = GENERATE(values<Case>({
        {"", "column 1: expected a kernel (st sst st-bow sst-bow ptk uptk linear poly) or a weight"},
        {"  ", "column 3: expected a kernel"},
        {"tree", "column 1: 'tree': unknown kernel; expected one of st sst"},
        {"SST", "'SST': unknown kernel"},
        {"sst+", "column 5: expected a kernel"},
        {"+sst", "column 1: expected a kernel"},
        {"sst**linear", "column 5: expected a kernel"},
        {"0.6", "column 4: expected '*' and a kernel after the weight"},
        {"sst+0.6", "expected '*' and a kernel after the weight"},
        {"0*sst", "'0': a weight must be above 0"},
        {"-1*sst", "'-1': a weight must be above 0"},
        {"1e200*1e200*sst", "the weights multiply to a number too large or too small"},
        {"1e-200*1e-200*sst", "the weights multiply to a number too large or too small"},
        {"nan*sst", "'nan': unknown kernel"},
        {"inf*sst", "'inf': unknown kernel"},
        {"sst linear", "column 5: expected '+', '*' or the end"},
        {"sst)", "column 4: expected '+', '*' or the end"},
        {"sst(", "column 5: expected NAME=VALUE"},
        {"sst(lambda", "column 11: expected NAME=VALUE"},
        {"sst(lambda)", "column 11: expected NAME=VALUE"},
        {"sst(lambda=0.4", "column 15: expected ',' or ')'"},
        {"sst(lambda=0.4,)", "column 16: expected NAME=VALUE"},
        {"sst(lambda=)", "column 12: expected a number"},
        {"sst(lambda=a)", "column 12: 'a': expected a number"},
        {"sst(lambda=0)", "'0': expected a number above 0 and at most 1"},
        {"sst(lambda=1.01)", "'1.01': expected a number above 0 and at most 1"},
        {"sst(lambda=-0.4)", "'-0.4': expected a number above 0 and at most 1"},
        {"sst(lambda=nan)", "'nan': expected a number"},
        {"sst(lambda=0.4,lambda=0.5)", "column 16: 'lambda': given twice"},
        {"sst(mu=0.4)", "column 5: 'mu': unknown parameter; expected one of lambda, norm, pairs"},
        {"ptk(nu=0.4)",
         "'nu': unknown parameter; expected one of lambda, mu, p, terminal, gaps, norm, pairs"},
        {"ptk(mu=2)", "'2': expected a number above 0 and at most 1"},
        {"ptk(p=-1)", "'-1': expected a whole number up to 1000000; 0 stands for any length"},
        {"ptk(terminal=0)", "'0': expected a number above 0"},
        {"ptk(gaps=none)", "'none': expected gaps=skipped or gaps=span"},
        {"sst(p=5)", "'p': unknown parameter; expected one of lambda, norm, pairs"},
        {"sst(d=3)", "'d': unknown parameter; expected one of lambda, norm, pairs"},
        {"linear(d=3)", "'d': unknown parameter; expected one of norm, pairs"},
        {"poly(lambda=0.4)", "'lambda': unknown parameter; expected one of d, s, c, norm, pairs"},
        {"poly(d=0)", "'0': expected a whole number from 1 to 1000"},
        {"poly(d=2.5)", "'2.5': expected a whole number from 1 to 1000"},
        {"poly(d=1001)", "'1001': expected a whole number from 1 to 1000"},
        {"poly(c=x)", "'x': expected a number"},
        {"sst(norm=l2)", "'l2': expected norm=none or norm=self"},
        {"sst(pairs=some)", "'some': expected pairs=aligned or pairs=all"},
        {"sst\tlinear", "unknown kernel"},
    }));
    INFO(check.text);
    CHECK_THROWS_AS(parse_kernel(check.text), base::UsageError);
    CHECK_THROWS_WITH(parse_kernel(check.text), ContainsSubstring(std::string(check.message)) &&
                                                    ContainsSubstring("for example \"sst(lambda=0.4)\""));
}

TEST_CASE("A stage that needs one tree kernel says so") {
    CHECK(require_single_tree_kernel(parse_kernel("ptk(mu=0.1)"), "mining").mu == 0.1);
    for (const auto* text : {"sst+linear", "sst*sst", "poly"}) {
        CHECK_THROWS_WITH(require_single_tree_kernel(parse_kernel(text), "mining"),
                          ContainsSubstring("mining needs a single tree kernel"));
    }
}
