#include "tfx/label_numbers.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <vector>

#include "base/error.hpp"
#include "base/record_lines.hpp"
#include "base/sealed_text.hpp"
#include "base/text.hpp"
#include "example/line_words.hpp"

namespace treeline::tfx {

LabelNumbers::LabelNumbers(const example::ClassSet& classes) {
    const auto& names = classes.names();
    const bool numbers = std::ranges::all_of(
        names, [](const std::string& name) { return example::label_number(name).has_value(); });
    for (std::size_t i = 0; i < names.size(); ++i) {
        add(numbers ? names[i] : std::to_string(i + 1), names[i]);
    }
}

LabelNumbers LabelNumbers::read(const std::string& path) {
    LabelNumbers result;
    result.path_ = path;
    std::set<double> used;
    base::SealedLines lines(path, base::SealedLines::By::kAnyone);
    const auto parse = [&](std::string_view line) {
        base::RecordLines::require_utf8(line);
        const std::size_t tab = line.find('\t');
        const auto number = base::parse_double(line.substr(0, tab));
        if (!number || tab == std::string_view::npos || tab + 1 == line.size()) {
            throw base::SyntaxError(0, "found " + base::quoted(line) + "; expected NUMBER<TAB>LABEL");
        }
        const auto label = line.substr(tab + 1);
        example::require_label(label, tab + 1);
        if (!used.insert(*number).second || result.numbers_.contains(example::class_key(label))) {
            throw base::SyntaxError(0, "the number " + base::quoted(line.substr(0, tab)) + " or the label " +
                                           base::quoted(label) + " is there twice");
        }
        result.add(line.substr(0, tab), label);
    };
    for (std::string_view line; lines.next(line);) {
        try {
            if (!base::is_blank(line)) {
                parse(line);
            }
        } catch (const base::SyntaxError& error) {
            throw base::InputError(lines.place(error.offset() + 1), error.what());
        }
    }
    return result;
}

void LabelNumbers::add(std::string_view number, std::string_view label) {
    numbers_.emplace(example::class_key(label), number);
    text_.append(number).append("\t").append(label).append("\n");
}

std::string_view LabelNumbers::number_of(std::string_view label) const {
    if (label.empty()) {
        throw base::Error("an example without a label; expected one, as LIBSVM lines have");
    }
    if (numbers_.empty() && path_.empty()) {
        if (!base::parse_double(label)) {
            throw base::Error(
                "the label " + base::quoted(label) +
                " is not a number, as LIBSVM lines need; --label-numbers FILE numbers labels, for "
                "training and test data alike");
        }
        return label;
    }
    const auto found = numbers_.find(example::class_key(label));
    if (found == numbers_.end()) {
        throw base::Error("the label " + base::quoted(label) + " has no number in '" + path_ + "'");
    }
    return found->second;
}

std::string LabelNumbers::to_text() const { return text_; }

void LabelNumbers::write(const std::string& path) const {
    base::SealedFile file(path);
    file.write(text_);
    file.commit();
}

LabelNumbers read_or_make_label_numbers(const std::string& path, const std::string& input,
                                        const example::ExampleReaderOptions& reading,
                                        std::string_view label_until, base::ProgressObserver& progress) {
    if (!std::filesystem::exists(path)) {
        if (!std::filesystem::is_regular_file(input)) {
            throw base::UsageError(
                "'" + path +
                "' is not there, and the input can be read only once; make it from a file of "
                "all labels first");
        }
        example::ExampleReader reader(input, reading);
        std::set<std::string> labels;
        example::Example example;
        while (reader.next(example, example::ExampleParts::kLabel)) {
            labels.emplace(example::cut_label(example.label, label_until));
        }
        const std::vector<std::string> list(labels.begin(), labels.end());
        const LabelNumbers made{example::ClassSet(list)};
        made.write(path);
        progress.note("numbered " + std::to_string(list.size()) + " labels in '" + path + "'");
    }
    return LabelNumbers::read(path);
}

}  // namespace treeline::tfx
