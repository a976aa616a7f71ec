#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "polynomial/polynomial_model.hpp"

namespace treeline::polynomial {

/// A conjunction of features of an example and its weight: what it adds to a margin.
struct Contribution {
    std::vector<std::uint32_t> features;  ///< ranks, ascending; empty for the constant part
    double weight = 0;
};

/// Margins under a model by kernel splitting (Goldberg & Elhadad 2008; Yoshinaga & Kitsuregawa 2009): the
/// weights of conjunctions whose rarest feature many support vectors have are computed beforehand, the kernel
/// is used for the others. Which is which is decided feature by feature, by cost, within `memory` bytes of
/// weights. Reading is thread-safe, with a Scratch for each thread.
class PolynomialClassifier {
  public:
    /// Working memory of a thread.
    class Scratch {
      public:
        virtual ~Scratch() = default;
    };

    /// `model` must outlive it.
    PolynomialClassifier(const PolynomialModel& model, std::uint64_t memory);
    ~PolynomialClassifier();

    [[nodiscard]] std::unique_ptr<Scratch> make_scratch() const;
    /// Margins of a row of ascending ranks for every output of the model.
    void margins(std::span<const std::uint32_t> row, std::span<double> out, Scratch& scratch) const;
    /// Margins of many rows, one row's after the other's. Parallel; the same for any number of threads.
    [[nodiscard]] std::vector<double> margins(std::span<const std::vector<std::uint32_t>> rows) const;
    /// The conjunctions of a row that add most, in absolute value, to the margin of `output`; at most
    /// `count`, largest first.
    [[nodiscard]] std::vector<Contribution> explain(std::span<const std::uint32_t> row, std::size_t output,
                                                    std::size_t count) const;

    class Implementation;

  private:
    std::unique_ptr<Implementation> implementation_;
    std::size_t outputs_;
};

}  // namespace treeline::polynomial
