#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace treeline::polynomial {

inline constexpr unsigned kMaxDegree = 4;

/// The kernel (x.y + 1)^d of binary vectors, d = 1..kMaxDegree: a function of the number of shared features.
class PolynomialKernel {
  public:
    /// Values are tabled for vectors of at most `longest` features.
    PolynomialKernel(unsigned degree, std::size_t longest);

    [[nodiscard]] unsigned degree() const { return degree_; }
    /// (shared + 1)^d; shared <= longest.
    [[nodiscard]] double value(std::size_t shared) const { return values_[shared]; }
    /// value(shared + 1) - value(shared): what one more shared feature adds; shared < longest.
    [[nodiscard]] double gain(std::size_t shared) const { return gains_[shared]; }
    /// gain() by number of shared features.
    [[nodiscard]] const double* gains() const { return gains_.data(); }

  private:
    unsigned degree_;
    std::vector<double> values_;
    std::vector<double> gains_;
};

/// c_d^k for k = 0..kMaxDegree: the weight of a conjunction of k features in the expansion of (x.y + 1)^d
/// (Kudo & Matsumoto 2003, lemma 1); 0 for k > d.
[[nodiscard]] std::array<double, kMaxDegree + 1> conjunction_coefficients(unsigned degree);

/// Number of conjunctions of at most `Order` out of `features` features, the empty one included.
template <unsigned Order>
[[nodiscard]] constexpr std::uint64_t conjunction_count(std::uint64_t features) {
    static_assert(Order <= 3);
    if constexpr (Order == 0) {
        return 1;
    } else if constexpr (Order == 1) {
        return 1 + features;
    } else if constexpr (Order == 2) {
        return 1 + features * (features + 1) / 2;
    } else {
        // features (features^2 + 5) is a multiple of 6: C(n,3) + C(n,2) + n = n (n^2 + 5) / 6.
        return 1 + features * (features * features + 5) / 6;
    }
}

[[nodiscard]] inline std::uint64_t conjunction_count(unsigned order, std::uint64_t features) {
    switch (order) {
        case 0: return conjunction_count<0>(features);
        case 1: return conjunction_count<1>(features);
        case 2: return conjunction_count<2>(features);
        default: return conjunction_count<3>(features);
    }
}

}  // namespace treeline::polynomial
