#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/progress.hpp"
#include "base/random.hpp"
#include "common/options.hpp"

namespace treeline::tdp {

struct SplitOptions {
    std::string input;
    std::string output;  ///< folder
    std::vector<std::string> parts{"train=8", "dev=1", "test=1"};
    bool stratify = true;  ///< by label
    std::uint32_t column =
        0;               ///< lines with the same text in this column stay together; 0 = lines by themselves
    std::string ending;  ///< of the files' names
};

/// Deals items to parts at random and in proportion: the share of every part is kept within a few items at
/// any time, not only at the end.
class Dealer {
  public:
    explicit Dealer(std::vector<double> weights);
    /// The part for the next item; add() counts what goes there.
    [[nodiscard]] std::size_t choose(base::Random& random) const;
    void add(std::size_t part) {
        ++counts_[part];
        ++total_;
    }

  private:
    std::vector<double> shares_;
    std::vector<std::uint64_t> counts_;
    std::uint64_t total_ = 0;
};

/// `NAME=WEIGHT` as a pair. Throws UsageError.
[[nodiscard]] std::pair<std::string, double> parse_part(const std::string& text);

/// Deals the lines of a file to PART files.
stage::Summary split(const SplitOptions& options, const stage::CommonOptions& common,
                     base::ProgressObserver& progress);

}  // namespace treeline::tdp
