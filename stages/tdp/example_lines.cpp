#include "tdp/example_lines.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::tdp {

bool ExampleLines::next(std::string_view& line) {
    if (!lines_.next(line)) {
        return false;
    }
    if (format_ == example::ExampleFormat::kAuto) {
        format_ = example::guess_format(line);
    }
    if (format_ == example::ExampleFormat::kTreebank) {
        throw base::InputError(
            lines_.place(), "a tree over several lines; expected an example a line (tdp convert makes them)");
    }
    if (line.starts_with('#')) {
        throw base::InputError(lines_.place(1),
                               "a label that starts with '#', as comments do; expected another label, or a "
                               "space after '#' in a comment");
    }
    return true;
}

std::string_view ExampleLines::label(std::string_view line) const {
    if (format_ == example::ExampleFormat::kTrees) {
        return {};
    }
    if (format_ == example::ExampleFormat::kLabelTabTree) {
        return line.substr(0, line.find('\t'));
    }
    const auto begin = std::ranges::find_if_not(line, base::is_space);
    const auto end = std::find_if(begin, line.end(), base::is_space);
    return {begin, end};
}

std::string_view ExampleLines::column(std::string_view line, std::uint32_t column) const {
    for (std::uint32_t i = 1;; ++i) {
        const std::size_t end = std::min(line.find('\t'), line.size());
        if (i == column) {
            return line.substr(0, end);
        }
        if (end == line.size()) {
            throw base::InputError(lines_.place(), "the line has " + std::to_string(i) +
                                                       " columns; expected " + std::to_string(column));
        }
        line.remove_prefix(end + 1);
    }
}

}  // namespace treeline::tdp
