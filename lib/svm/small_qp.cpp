#include "svm/small_qp.hpp"

#include <algorithm>
#include <cassert>
#include <limits>
#include <numeric>

namespace treeline::svm {

void SmallQp::add(double offset, std::span<const double> products) {
    assert(products.size() == size() + 1);
    for (std::size_t i = 0; i < size(); ++i) {
        products_[i].push_back(products[i]);
    }
    products_.emplace_back(products.begin(), products.end());
    offsets_.push_back(offset);
    alpha_.push_back(0);
}

void SmallQp::retain(const std::vector<bool>& keep) {
    const auto compact = [&](auto& items) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < keep.size(); ++i) {
            if (keep[i]) {
                std::swap(items[kept++], items[i]);
            }
        }
        items.resize(kept);
    };
    compact(products_);
    std::ranges::for_each(products_, compact);
    compact(offsets_);
    compact(alpha_);
}

std::vector<double> SmallQp::gradient() const {
    std::vector<double> gradient(offsets_);
    for (std::size_t j = 0; j < size(); ++j) {
        if (alpha_[j] != 0) {
            for (std::size_t i = 0; i < size(); ++i) {
                gradient[i] -= alpha_[j] * products_[j][i];
            }
        }
    }
    return gradient;
}

SmallQp::Report SmallQp::solve(double c, double gap, std::uint64_t max_steps) {
    // The rest c - sum a is a variable like the others, with h = 0 and H = 0, so its gradient is always 0.
    const std::size_t rest = size();
    const double used = std::accumulate(alpha_.begin(), alpha_.end(), 0.0);
    if (used > c) {
        std::ranges::for_each(alpha_, [&](double& a) { a *= c / used; });
    }
    double unused = std::max(0.0, c - used);
    Report report;
    std::vector<double> gradient = this->gradient();
    bool exact = true;  // gradient is free of what the updates rounded away
    for (;;) {
        std::size_t up = rest;
        double steepest = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            if (gradient[i] > steepest) {
                steepest = gradient[i];
                up = i;
            }
        }
        report.gap = unused * steepest;
        std::size_t down = rest;
        double best = 0;
        const double up_product = up == rest ? 0 : products_[up][up];
        const auto consider = [&](std::size_t j, double available, double slope, double product,
                                  double cross) {
            if (available > 0 && slope < steepest) {
                const double difference = steepest - slope;
                const double curvature = std::max(up_product + product - 2 * cross, 1e-300);
                const double gain = difference * difference / curvature;
                if (gain > best) {
                    best = gain;
                    down = j;
                }
            }
        };
        for (std::size_t j = 0; j < size(); ++j) {
            report.gap += alpha_[j] * (steepest - gradient[j]);
            consider(j, alpha_[j], gradient[j], products_[j][j], up == rest ? 0 : products_[up][j]);
        }
        if (up != rest) {
            consider(rest, unused, 0, 0, 0);
        }
        report.slack = steepest;
        if (report.gap <= gap || best == 0 || report.steps >= max_steps) {
            if (exact) {
                break;
            }
            gradient = this->gradient();
            exact = true;
            continue;
        }

        const double down_product = down == rest ? 0 : products_[down][down];
        const double cross = up == rest || down == rest ? 0 : products_[up][down];
        const double curvature = up_product + down_product - 2 * cross;
        double& source = down == rest ? unused : alpha_[down];
        double& sink = up == rest ? unused : alpha_[up];
        const double slope = steepest - (down == rest ? 0 : gradient[down]);
        const double step = curvature * source > slope ? slope / curvature : source;
        source = step == source ? 0 : source - step;
        sink += step;
        for (std::size_t i = 0; i < size(); ++i) {
            gradient[i] +=
                step * ((down == rest ? 0 : products_[down][i]) - (up == rest ? 0 : products_[up][i]));
        }
        exact = false;
        ++report.steps;
    }
    for (std::size_t i = 0; i < size(); ++i) {
        report.norm2 += alpha_[i] * (offsets_[i] - gradient[i]);
        report.objective += alpha_[i] * (offsets_[i] + gradient[i]) / 2;
    }
    return report;
}

}  // namespace treeline::svm
