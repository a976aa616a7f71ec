#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace treeline::example {

/// Numbers for features that have names, from 1 in order of first appearance.
class FeatureNames {
  public:
    std::uint32_t number(std::string_view name) {
        const auto [entry, added] =
            numbers_.try_emplace(std::string(name), static_cast<std::uint32_t>(names_.size() + 1));
        if (added) {
            names_.push_back(entry->first);
        }
        return entry->second;
    }
    /// Names of the features 1, 2, ...
    [[nodiscard]] const std::vector<std::string>& names() const { return names_; }

  private:
    std::map<std::string, std::uint32_t, std::less<>> numbers_;
    std::vector<std::string> names_;
};

}  // namespace treeline::example
