#include "example/classes.hpp"

#include <algorithm>
#include <map>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::example {

std::string_view cut_label(std::string_view label, std::string_view until) {
    return until.empty() ? label : label.substr(0, label.find(until));
}

std::string class_name(std::string_view label, const ClassOptions& options) {
    label = cut_label(label, options.label_until);
    const auto number = base::parse_double(label);
    if (!number) {
        return std::string(label);
    }
    const std::string text = base::format_double(*number);
    return text == "1" ? "+1" : text;
}

Classes::Classes(const example::ExampleSet& examples, std::span<const std::uint32_t> subset,
                 const ClassOptions& options) {
    constexpr std::uint32_t kUnknown = 0xffffffffU;
    std::vector<std::uint32_t> by_label(examples.label_names().size(), kUnknown);
    std::map<std::string, std::uint32_t> numbers;
    for (const std::uint32_t example : subset) {
        std::uint32_t& known = by_label[raw(examples.label(example))];
        if (known == kUnknown) {
            const std::string name = class_name(examples.label_text(example), options);
            const auto [entry, fresh] = numbers.try_emplace(name, static_cast<std::uint32_t>(names_.size()));
            if (fresh) {
                names_.push_back(name);
            }
            known = entry->second;
        }
        members_.push_back(known);
    }
    if (!options.positive.empty()) {
        const std::string positive = class_name(options.positive, {});
        if (!numbers.contains(positive)) {
            throw base::UsageError("no example has the label " + base::quoted(positive) +
                                   " that is to be the positive one");
        }
        const bool two = names_.size() == 2;
        questions_.push_back({positive, two ? names_[names_[0] == positive ? 1 : 0] : ""});
    } else if (names_.size() == 2) {
        const auto first = base::parse_double(names_[0]);
        const auto second = base::parse_double(names_[1]);
        const bool swap = first && second && *second > *first;
        questions_.push_back({names_[swap ? 1 : 0], names_[swap ? 0 : 1]});
    } else {
        for (const auto& [name, number] : numbers) {
            questions_.push_back({name, ""});
        }
    }
    if (names_.size() < 2) {
        throw base::UsageError(names_.empty()
                                   ? "there are no training examples"
                                   : "all training examples have the label " + base::quoted(names_[0]) +
                                         "; a classifier needs two classes");
    }
}

std::vector<double> Classes::labels(std::size_t question) const {
    const auto positive = std::ranges::find(names_, questions_[question].positive) - names_.begin();
    std::vector<double> labels(members_.size());
    std::ranges::transform(members_, labels.begin(),
                           [&](std::uint32_t number) { return number == positive ? 1.0 : -1.0; });
    return labels;
}

}  // namespace treeline::example
