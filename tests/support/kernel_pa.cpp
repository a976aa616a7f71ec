#include "support/kernel_pa.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace treeline::test {

std::size_t count_shared(std::span<const std::uint32_t> a, std::span<const std::uint32_t> b) {
    return static_cast<std::size_t>(std::count_if(a.begin(), a.end(), [&](std::uint32_t feature) {
        return std::find(b.begin(), b.end(), feature) != b.end();
    }));
}

polynomial::BinaryDataset random_binary_data(base::Random& random, std::size_t examples, std::size_t features,
                                             std::size_t longest, std::size_t classes) {
    polynomial::BinaryDatasetBuilder builder;
    std::vector<std::uint64_t> row;
    for (std::size_t i = 0; i < examples; ++i) {
        if (i == 0 || random.below(10) > 0) {
            std::set<std::uint64_t> chosen;
            const std::uint64_t size = random.below(longest + 1);
            while (chosen.size() < std::min<std::uint64_t>(size, features)) {
                const double u = random.uniform();
                chosen.insert(static_cast<std::uint64_t>(u * u * u * static_cast<double>(features)));
            }
            row.assign(chosen.begin(), chosen.end());
        }
        std::uint64_t sum = random.below(4) == 0 ? random.below(classes) : row.size();
        for (const std::uint64_t feature : row) {
            sum += feature * feature % 7;
        }
        builder.add(std::string(1, static_cast<char>('a' + sum % classes)), row);
    }
    return builder.finish();
}

PlainKernelPa plain_kernel_pa(const polynomial::BinaryDataset& data, std::span<const std::uint32_t> target,
                              std::size_t classes, const polynomial::PolynomialLearnerOptions& options) {
    PlainKernelPa model;
    model.outputs = classes == 2 ? 1 : classes;
    model.last.assign(data.size() * model.outputs, 0.0);
    model.mean.assign(model.last.size(), 0.0);
    const auto kernel = [&](std::size_t a, std::size_t b) {
        return std::pow(static_cast<double>(count_shared(data.row(a), data.row(b))) + 1,
                        options.margin.degree);
    };
    const auto norm = [&](std::size_t i) {
        return options.norm == polynomial::StepNorm::kKernel
                   ? kernel(i, i)
                   : std::fmax(1, static_cast<double>(data.row(i).size()));
    };
    for (std::uint64_t pass = 0; pass < options.iterations; ++pass) {
        for (std::size_t i = 0; i < data.size(); ++i) {
            std::vector<double> margins(model.outputs, 0.0);
            for (std::size_t s = 0; s < data.size(); ++s) {
                for (std::size_t o = 0; o < model.outputs; ++o) {
                    if (model.last[s * model.outputs + o] != 0) {
                        margins[o] += model.last[s * model.outputs + o] * kernel(s, i);
                    }
                }
            }
            double* own = &model.last[i * model.outputs];
            if (model.outputs == 1) {
                const double y = target[i] == 0 ? 1 : -1;
                own[0] += y * polynomial::step_size(options.update, options.c, y * margins[0], norm(i));
            } else {
                std::size_t rival = target[i] == 0 ? 1 : 0;
                for (std::size_t o = 0; o < model.outputs; ++o) {
                    if (o != target[i] && margins[o] > margins[rival]) {
                        rival = o;
                    }
                }
                const double step = polynomial::step_size(options.update, options.c,
                                                          margins[target[i]] - margins[rival], 2 * norm(i));
                own[target[i]] += step;
                own[rival] -= step;
            }
            for (std::size_t k = 0; k < model.last.size(); ++k) {
                model.mean[k] += model.last[k];
            }
        }
    }
    for (double& coefficient : model.mean) {
        coefficient /= static_cast<double>(data.size() * options.iterations);
    }
    return model;
}

}  // namespace treeline::test
