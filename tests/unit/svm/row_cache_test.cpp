#include "svm/row_cache.hpp"

#include "support/catch.hpp"
#include "unit/svm/training_sample.hpp"

using namespace treeline;

TEST_CASE("cached rows are kernel rows, whatever has been added, kept or thrown out") {
    const test::TrainingSample sample(3, 60);
    const auto kernel = kernel::parse_kernel("sst+0.5*linear");
    const auto expected = sample.matrix(kernel);
    const std::uint64_t bytes = GENERATE(0, 2000, 1 << 20);
    svm::RowCache<double> cache({kernel, sample.forest, sample.examples, sample.subset}, bytes);
    base::Random random(bytes + 1);
    std::vector<std::uint32_t> order = sample.subset;
    random.shuffle(std::span(order));
    std::size_t begin = 0;
    for (const std::size_t end : {20U, 23U, 24U, 40U, 60U}) {
        cache.add_targets(std::span(order).subspan(begin, end - begin));
        begin = end;
        cache.prefetch(std::span(order).first(7));
        for (int i = 0; i < 30; ++i) {
            const auto a = static_cast<std::uint32_t>(random.below(60));
            const auto b = static_cast<std::uint32_t>(random.below(60));
            const double* row_a = cache.row(a);
            const double* row_b = cache.row(b);
            for (std::size_t t = 0; t < end; ++t) {
                CHECK(row_a[t] == Approx(expected[a][order[t]]).margin(1e-12));
                CHECK(row_b[t] == Approx(expected[b][order[t]]).margin(1e-12));
            }
        }
        CHECK(cache.position(order[end - 1]) == end - 1);
        CHECK((end == 60 || cache.position(order[59]) == cache.kNone));
    }
    CHECK(cache.computed_values() > 0);
}

TEST_CASE("an example that is asked for twice is computed once") {
    const test::TrainingSample sample(4, 40);
    const auto kernel = kernel::parse_kernel("sst-bow");
    svm::RowCache<float> cache({kernel, sample.forest, sample.examples, sample.subset}, 1 << 20);
    cache.add_targets(sample.subset);
    std::vector<std::uint32_t> twice = sample.subset;
    twice.insert(twice.end(), sample.subset.begin(), sample.subset.end());
    cache.prefetch(twice);
    CHECK(cache.computed_values() == 40 * 40);
}
