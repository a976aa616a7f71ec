#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "store/class_relevance.hpp"
#include "store/dictionary.hpp"

namespace treeline::fdi {

/// What "relevance" means in a look-up: that for the class which --class names, otherwise for the class for which it is
/// largest. The dictionary must outlive it.
class Relevance {
  public:
    /// `label` is empty for "whichever is largest". Throws base::UsageError for a class that no model is of.
    Relevance(const store::Dictionary& dictionary, const std::string& label);

    [[nodiscard]] double value(const store::FragmentRecord& record) const;
    /// The class that it is the relevance for.
    [[nodiscard]] const std::string& label(const store::FragmentRecord& record) const;

    /// Numbers of the fragments by |relevance|, the largest first; fragments that no model of the class lists are left
    /// out. The first `count`, 0 = all.
    [[nodiscard]] std::vector<std::uint32_t> ranked(std::size_t count) const;
    /// The same for some fragments that are given in ascending order.
    [[nodiscard]] std::vector<std::uint32_t> ranked(const std::vector<std::uint32_t>& ids,
                                                    std::size_t count) const;

  private:
    const store::Dictionary& dictionary_;
    store::ClassRelevance classes_;
    std::optional<std::uint32_t> which_;
};

}  // namespace treeline::fdi
