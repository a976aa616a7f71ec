#include "example/classes.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::example {

Classes::Classes(const example::ExampleSet& examples, std::span<const std::uint32_t> subset,
                 const ClassOptions& options) {
    std::vector<bool> seen(examples.label_names().size());
    std::vector<std::string> labels;
    const auto cut = [&](std::uint32_t example) {
        return cut_label(examples.label_text(example), options.label_until);
    };
    for (const std::uint32_t example : subset) {
        const auto label = raw(examples.label(example));
        if (!seen[label]) {
            seen[label] = true;
            labels.emplace_back(cut(example));
        }
    }
    set_ = ClassSet(labels);
    require_two_classes(set_);
    constexpr std::uint32_t kUnknown = 0xffffffffU;
    std::vector<std::uint32_t> by_label(seen.size(), kUnknown);
    for (const std::uint32_t example : subset) {
        std::uint32_t& known = by_label[raw(examples.label(example))];
        if (known == kUnknown) {
            known = *set_.find(cut(example));
        }
        members_.push_back(known);
    }
    ask(options.positive);
}

void Classes::ask(const std::string& wanted) {
    const auto& names = set_.names();
    const auto against_others = [&](std::uint32_t positive) {
        questions_.push_back({names[positive], names.size() == 2 ? names[1 - positive] : ""});
        positives_.push_back(positive);
    };
    if (!wanted.empty()) {
        const auto positive = set_.find(wanted);
        if (!positive) {
            throw base::UsageError("no example has the label " + base::quoted(wanted) +
                                   " that is to be the positive one");
        }
        against_others(*positive);
    } else if (names.size() == 2) {
        against_others(set_.positive());
    } else {
        for (std::uint32_t number = 0; number < names.size(); ++number) {
            against_others(number);
        }
    }
}

std::vector<double> Classes::labels(std::size_t question) const {
    std::vector<double> labels(members_.size());
    std::ranges::transform(members_, labels.begin(),
                           [&](std::uint32_t number) { return number == positives_[question] ? 1.0 : -1.0; });
    return labels;
}

}  // namespace treeline::example
