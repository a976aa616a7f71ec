#include "example/class_set.hpp"

#include <algorithm>
#include <cassert>
#include <tuple>

#include "base/data_error.hpp"
#include "base/text.hpp"

namespace treeline::example {

namespace {

constexpr std::string_view kRest = "rest";

std::string shortest(double number) { return base::format_double(number == 0 ? 0 : number); }

}  // namespace

std::optional<double> label_number(std::string_view label) {
    constexpr std::size_t kDistinctDigits = 15;
    return label.size() <= kDistinctDigits ? base::parse_double(label) : std::nullopt;
}

std::string class_key(std::string_view label) {
    const std::optional<double> number = label_number(label);
    return number ? shortest(*number) : std::string(label);
}

bool same_class(std::string_view a, std::string_view b) { return a == b || class_key(a) == class_key(b); }

std::string_view cut_label(std::string_view label, std::string_view until) {
    return until.empty() ? label : label.substr(0, label.find(until));
}

std::string rest_of(std::string_view positive) { return positive == kRest ? "others" : std::string(kRest); }

ClassSet::ClassSet(std::span<const std::string> labels) {
    struct Class {
        std::string key;
        std::string name;
        std::optional<double> number;
    };
    std::vector<Class> classes;
    for (const std::string& label : labels) {
        std::string key = class_key(label);
        const auto [entry, added] = numbers_.try_emplace(std::move(key), classes.size());
        if (added) {
            classes.push_back({entry->first, label, label_number(label)});
        } else if (Class& known = classes[entry->second]; known.name != label) {
            known.name = known.key;
        }
    }
    const auto is_one = [](const Class& one) { return one.number == 1.0 || one.number == -1.0; };
    // A lone class written "1" may as well belong to 0 and 1.
    signed_ = !classes.empty() && std::ranges::all_of(classes, is_one) &&
              !std::ranges::all_of(labels, [](const std::string& label) { return label == "1"; });
    const auto key = [&](const Class& one) {
        const double number = one.number.value_or(0);
        return std::tuple(!one.number, signed_ ? -number : number, std::string_view(one.key));
    };
    std::ranges::sort(classes, [&](const Class& a, const Class& b) { return key(a) < key(b); });
    for (const Class& one : classes) {
        numbers_[one.key] = static_cast<std::uint32_t>(names_.size());
        names_.push_back(!signed_ ? one.name : *one.number > 0 ? "+1" : "-1");
    }
}

std::optional<std::uint32_t> ClassSet::find(std::string_view label) const {
    const auto found = numbers_.find(class_key(label));
    return found == numbers_.end() ? std::nullopt : std::optional(found->second);
}

std::uint32_t ClassSet::positive() const {
    assert(size() == 2);
    return signed_ ? 0 : 1;
}

std::vector<std::string> ClassSet::model_names() const {
    std::vector<std::string> names = names_;
    if (size() == 2 && positive() == 1) {
        std::swap(names[0], names[1]);
    }
    return names;
}

void require_two_classes(const ClassSet& classes) {
    if (classes.size() == 0) {
        throw base::DataError("there are no training examples");
    }
    if (classes.size() == 1) {
        throw base::DataError("all training examples have the label " + base::quoted(classes.names()[0]) +
                              "; a classifier needs two classes");
    }
}

}  // namespace treeline::example
