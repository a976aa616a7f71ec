#include "linear/symmetric_matrix.hpp"

#include <algorithm>
#include <cmath>

#include "base/parallel.hpp"

// The inner loop for processors with wider registers; no fused products, so that the bytes are the same.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) && \
    !defined(__SANITIZE_THREAD__)
#define TREELINE_WIDE_CLONES __attribute__((target_clones("avx2", "default")))
#else
#define TREELINE_WIDE_CLONES
#endif

namespace treeline::linear {

namespace {

constexpr std::size_t kPanel = 48;  ///< columns that are eliminated together
constexpr std::size_t kRows = 16;   ///< rows that a thread takes at a time

/// target[j] -= sum_k factors[k] panel[k * width + j] for j < count, four k at a time.
TREELINE_WIDE_CLONES
void subtract_products(double* target, const double* factors, std::size_t depth, const double* panel,
                       std::size_t width, std::size_t count) {
    std::size_t k = 0;
    for (; k + 4 <= depth; k += 4) {
        const double a = factors[k];
        const double b = factors[k + 1];
        const double c = factors[k + 2];
        const double d = factors[k + 3];
        const double* __restrict p = panel + k * width;
        const double* __restrict q = p + width;
        const double* __restrict r = q + width;
        const double* __restrict s = r + width;
        double* __restrict t = target;
        for (std::size_t j = 0; j < count; ++j) {
            t[j] -= (a * p[j] + b * q[j]) + (c * r[j] + d * s[j]);
        }
    }
    for (; k < depth; ++k) {
        const double a = factors[k];
        const double* p = panel + k * width;
        for (std::size_t j = 0; j < count; ++j) {
            target[j] -= a * p[j];
        }
    }
}

}  // namespace

bool SymmetricMatrix::factorize() {
    std::vector<double> panel;
    for (std::size_t begin = 0; begin < size_; begin += kPanel) {
        const std::size_t end = std::min(size_, begin + kPanel);
        const std::size_t depth = end - begin;
        for (std::size_t j = begin; j < end; ++j) {
            double* own = row(j).data();
            for (std::size_t i = begin; i < j; ++i) {
                const double* other = row(i).data();
                for (std::size_t k = begin; k < i; ++k) {
                    own[i] -= own[k] * other[k];
                }
                own[i] /= other[i];
                own[j] -= own[i] * own[i];
            }
            if (!(own[j] > 0)) {
                return false;
            }
            own[j] = std::sqrt(own[j]);
        }
        const std::size_t rest = size_ - end;
        panel.resize(depth * rest);  // the panel below, transposed
        base::parallel_pieces(rest, kRows, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                double* own = row(end + i).data();
                for (std::size_t j = begin; j < end; ++j) {
                    const double* other = row(j).data();
                    double sum = own[j];
                    for (std::size_t k = begin; k < j; ++k) {
                        sum -= own[k] * other[k];
                    }
                    own[j] = sum / other[j];
                    panel[(j - begin) * rest + i] = own[j];
                }
            }
        });
        base::parallel_pieces(rest, kRows, [&](std::size_t first, std::size_t last) {
            for (std::size_t i = first; i < last; ++i) {
                double* own = row(end + i).data();
                subtract_products(own + end, own + begin, depth, panel.data(), rest, i + 1);
            }
        });
    }
    return true;
}

void SymmetricMatrix::solve(std::span<double> x) {
    for (std::size_t i = 0; i < size_; ++i) {
        const double* own = row(i).data();
        for (std::size_t k = 0; k < i; ++k) {
            x[i] -= own[k] * x[k];
        }
        x[i] /= own[i];
    }
    for (std::size_t i = size_; i-- > 0;) {
        const double* own = row(i).data();
        x[i] /= own[i];
        for (std::size_t k = 0; k < i; ++k) {
            x[k] -= own[k] * x[i];
        }
    }
}

}  // namespace treeline::linear
