#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <unordered_map>

#include "fragment/fragment.hpp"
#include "store/dictionary.hpp"

namespace treeline::classify {

/// What the features of explicit vectors stand for: fragments of a dictionary, and flat features after them.
/// Those asked for are kept. Thread-safe.
class FeatureCatalog {
  public:
    /// Indices below `fragments` are fragments. `dictionary` names them; without one (null) they are numbers. It
    /// must outlive this.
    FeatureCatalog(const store::Dictionary* dictionary, std::uint64_t fragments)
        : dictionary_(dictionary), fragments_(fragments) {}

    struct Feature {
        std::string name;             ///< the fragment's text, `fragment N`, or `feature N` for a flat one
        fragment::Fragment fragment;  ///< labels of the dictionary's symbols; empty where it is not known
    };
    /// Valid as long as this.
    [[nodiscard]] const Feature& get(std::uint32_t index) const;

  private:
    [[nodiscard]] Feature make(std::uint32_t index) const;

    const store::Dictionary* dictionary_;
    std::uint64_t fragments_;
    mutable std::mutex mutex_;
    mutable std::unordered_map<std::uint32_t, Feature> known_;
};

}  // namespace treeline::classify
