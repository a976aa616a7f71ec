#include "classify/feature_catalog.hpp"

namespace treeline::classify {

const FeatureCatalog::Feature& FeatureCatalog::get(std::uint32_t index) const {
    const std::lock_guard lock(mutex_);
    const auto found = known_.find(index);
    return found != known_.end() ? found->second : known_.emplace(index, make(index)).first->second;
}

FeatureCatalog::Feature FeatureCatalog::make(std::uint32_t index) const {
    if (index >= fragments_) {
        return {"feature " + std::to_string(index - fragments_ + 1), {}};
    }
    if (dictionary_ == nullptr) {
        return {"fragment " + std::to_string(index), {}};
    }
    fragment::Fragment fragment = dictionary_->get(index).fragment;
    std::string name = fragment::to_text(fragment, dictionary_->symbols());
    return {std::move(name), std::move(fragment)};
}

}  // namespace treeline::classify
