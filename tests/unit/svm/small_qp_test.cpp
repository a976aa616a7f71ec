#include "svm/small_qp.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/random.hpp"
#include "support/catch.hpp"

using treeline::base::Random;
using treeline::svm::SmallQp;

namespace {

/// Random h and H = G G' of the given rank.
struct RandomQp {
    std::vector<double> h;
    std::vector<std::vector<double>> products;

    RandomQp(Random& random, std::size_t size, std::size_t rank) {
        std::vector<std::vector<double>> g(size, std::vector<double>(rank));
        for (auto& row : g) {
            std::ranges::generate(row, [&] { return random.normal(); });
            h.push_back(random.uniform() * 2 - 0.2);
        }
        products.assign(size, std::vector<double>(size));
        for (std::size_t i = 0; i < size; ++i) {
            for (std::size_t j = 0; j < size; ++j) {
                for (std::size_t k = 0; k < rank; ++k) {
                    products[i][j] += g[i][k] * g[j][k];
                }
            }
        }
    }

    [[nodiscard]] double objective(const std::vector<double>& a) const {
        double value = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            value += h[i] * a[i];
            for (std::size_t j = 0; j < a.size(); ++j) {
                value -= products[i][j] * a[i] * a[j] / 2;
            }
        }
        return value;
    }

    void fill(SmallQp& qp) const {
        for (std::size_t i = 0; i < h.size(); ++i) {
            qp.add(h[i], std::span(products[i]).first(i + 1));
        }
    }
};

/// The nearest point with a >= 0 and sum a <= c.
void project(std::vector<double>& a, double c) {
    std::ranges::for_each(a, [](double& v) { v = std::max(v, 0.0); });
    double sum = 0;
    std::ranges::for_each(a, [&](double v) { sum += v; });
    if (sum <= c) {
        return;
    }
    auto sorted = a;
    std::ranges::sort(sorted, std::greater<>());
    double prefix = 0;
    double shift = 0;
    for (std::size_t k = 0; k < sorted.size(); ++k) {
        prefix += sorted[k];
        const double candidate = (prefix - c) / static_cast<double>(k + 1);
        if (sorted[k] > candidate) {
            shift = candidate;
        }
    }
    std::ranges::for_each(a, [&](double& v) { v = std::max(v - shift, 0.0); });
}

double projected_gradient_optimum(const RandomQp& qp, double c) {
    double trace = 0;
    for (std::size_t i = 0; i < qp.h.size(); ++i) {
        trace += qp.products[i][i];
    }
    std::vector<double> a(qp.h.size());
    for (int step = 0; step < 200000; ++step) {
        std::vector<double> next = a;
        for (std::size_t i = 0; i < a.size(); ++i) {
            double slope = qp.h[i];
            for (std::size_t j = 0; j < a.size(); ++j) {
                slope -= qp.products[i][j] * a[j];
            }
            next[i] += slope / trace;
        }
        project(next, c);
        const bool same = next == a;
        a.swap(next);
        if (same) {
            break;
        }
    }
    return qp.objective(a);
}

}  // namespace

TEST_CASE("the small QP reaches what projected gradients reach, within its stated gap") {
    Random random(7);
    for (int round = 0; round < 30; ++round) {
        const std::size_t size = 1 + random.below(6);
        const RandomQp problem(random, size, 1 + random.below(4));
        const double c = round % 3 == 0 ? 0.1 : 3.0;
        SmallQp qp;
        problem.fill(qp);
        const auto report = qp.solve(c, 1e-9);
        const std::vector<double> a(qp.solution().begin(), qp.solution().end());
        double sum = 0;
        for (const double value : a) {
            CHECK(value >= 0);
            sum += value;
        }
        CHECK(sum <= c * (1 + 1e-12));
        CHECK(report.gap <= 1e-9);
        CHECK(report.objective == Approx(problem.objective(a)).margin(1e-12));
        CHECK(projected_gradient_optimum(problem, c) <= report.objective + 1e-7);
        CHECK(report.objective <= projected_gradient_optimum(problem, c) + 1e-7);
    }
}

TEST_CASE("the gap of the small QP bounds the distance to its optimum") {
    Random random(11);
    for (int round = 0; round < 20; ++round) {
        const RandomQp problem(random, 40, 10);
        SmallQp exact;
        problem.fill(exact);
        const double optimum = exact.solve(2, 1e-10).objective;
        SmallQp rough;
        problem.fill(rough);
        const auto report = rough.solve(2, 0.05);
        CHECK(report.gap <= 0.05);
        CHECK(optimum - report.objective <= report.gap + 1e-9);
        CHECK(report.gap == Approx(report.norm2 / 2 + 2 * report.slack - report.objective).margin(1e-12));
        SmallQp stopped;
        problem.fill(stopped);
        const auto few = stopped.solve(2, 1e-10, 3);
        CHECK(few.steps == 3);
        CHECK(optimum - few.objective <= few.gap + 1e-9);
    }
}

TEST_CASE("variables of the small QP that leave do not change the others") {
    Random random(13);
    const RandomQp problem(random, 12, 5);
    SmallQp qp;
    problem.fill(qp);
    const double all = qp.solve(1, 1e-12).objective;
    std::vector<bool> keep(qp.size());
    for (std::size_t i = 0; i < keep.size(); ++i) {
        keep[i] = qp.solution()[i] > 0;
    }
    const auto kept = static_cast<std::size_t>(std::count(keep.begin(), keep.end(), true));
    REQUIRE(kept < keep.size());
    REQUIRE(kept > 0);
    qp.retain(keep);
    REQUIRE(qp.size() == kept);
    for (std::size_t i = 0, k = 0; i < keep.size(); ++i) {
        if (keep[i]) {
            CHECK(qp.offset(k) == problem.h[i]);
            CHECK(qp.product(k, k) == problem.products[i][i]);
            ++k;
        }
    }
    const auto again = qp.solve(1, 1e-12);
    CHECK(again.objective == Approx(all).epsilon(1e-10));
    CHECK(again.steps <= 5);
}

TEST_CASE("without anything to gain the small QP stays at 0") {
    SmallQp qp;
    CHECK(qp.solve(1, 1e-9).objective == 0);
    qp.add(-1, std::vector{2.0});
    const auto report = qp.solve(1, 1e-9);
    CHECK(report.objective == 0);
    CHECK(report.gap == 0);
    CHECK(qp.solution()[0] == 0);
}
