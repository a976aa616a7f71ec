#include "kernel/kernel_sums.hpp"

#include <vector>

#include "base/parallel.hpp"
#include "kernel/example_kernel.hpp"
#include "support/catch.hpp"
#include "support/random_examples.hpp"

using namespace treeline;
using kernel::KernelSums;
using kernel::WeightedExample;

TEST_CASE("sums by node weights are the sums over the pairs, for every kernel") {
    const std::string text =
        GENERATE(as<std::string>(), "st", "sst", "st-bow", "sst-bow", "ptk", "uptk", "ptk(p=1,terminal=3)",
                 "uptk(terminal=4,gaps=span)", "sst(norm=none)", "linear", "linear(norm=none)",
                 "sst(pairs=all)", "0.3*sst+0.7*linear", "sst*linear", "poly(d=2)", "ptk+sst*poly(d=2)");
    CAPTURE(text);
    const auto precision = GENERATE(kernel::Precision::kSingle, kernel::Precision::kDouble);
    const double tolerance = precision == kernel::Precision::kSingle ? 1e-5 : 1e-9;
    const test::RandomExamples data(17, 150, 3);
    const auto kernel = kernel::parse_kernel(text);
    kernel::KernelSpace space(kernel, data.forest, data.set, precision);
    const auto all = data.all();
    space.prepare(all);
    KernelSums sums(space);
    // In several appendings, so that there are several blocks.
    for (std::size_t begin = 0; begin < 120;) {
        const std::size_t size = std::min<std::size_t>(begin == 0 ? 80 : 13, 120 - begin);
        sums.append(std::span(all).subspan(begin, size));
        begin += size;
    }
    REQUIRE(sums.targets().size() == 120);

    base::Random random(23);
    std::vector<WeightedExample> x;
    for (std::size_t i = 0; i < 70; ++i) {
        x.push_back({static_cast<std::uint32_t>(random.below(all.size())), random.normal()});
    }
    std::vector<double> weights(120);
    std::ranges::generate(weights, [&] { return random.normal(); });
    std::vector<double> at_targets(120, 5);
    sums.at_targets(x, at_targets);
    std::vector<double> at_examples(all.size(), 5);
    sums.at_examples(weights, all, at_examples);

    kernel::ExampleKernel pairs(kernel, data.forest);
    for (std::size_t t = 0; t < 120; t += 7) {
        double expected = 0;
        for (const auto& item : x) {
            expected += item.weight * pairs.value(data.set, item.example, data.set, t);
        }
        CHECK(at_targets[t] == Approx(expected).epsilon(tolerance).margin(tolerance));
    }
    for (std::size_t k = 0; k < all.size(); k += 7) {
        double expected = 0;
        for (std::size_t t = 0; t < 120; ++t) {
            expected += weights[t] * pairs.value(data.set, k, data.set, t);
        }
        CHECK(at_examples[k] == Approx(expected).epsilon(tolerance).margin(tolerance));
    }
}

TEST_CASE("sums by node weights are the same bytes for any number of threads") {
    const test::RandomExamples data(29, 2000);
    const auto kernel = kernel::parse_kernel(GENERATE(as<std::string>(), "sst", "ptk", "sst+linear"));
    const auto all = data.all();
    std::vector<WeightedExample> x;
    base::Random random(31);
    for (const std::uint32_t example : all) {
        x.push_back({example, random.normal()});
    }
    std::vector<std::vector<double>> found;
    for (const std::size_t threads : {1, 2, 4}) {
        base::run_with_threads(threads, [&] {
            kernel::KernelSpace space(kernel, data.forest, data.set);
            space.prepare(all);
            KernelSums sums(space);
            sums.append(all);
            auto& values = found.emplace_back(2 * all.size());
            sums.at_targets(x, std::span(values).first(all.size()));
            std::vector<double> weights(all.size(), 0.25);
            sums.at_examples(weights, all, std::span(values).subspan(all.size()));
        });
    }
    CHECK(found[0] == found[1]);
    CHECK(found[0] == found[2]);
}
