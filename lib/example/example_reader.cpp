#include "example/example_reader.hpp"

#include <algorithm>
#include <utility>

#include "base/text.hpp"
#include "example/mistake.hpp"

namespace treeline::example {

ExampleFormat format_of(const ExampleReaderOptions& options, std::string_view line) {
    if (options.format != ExampleFormat::kAuto) {
        return options.format;
    }
    return options.columns.tree > 0 ? ExampleFormat::kLabelTabTree : guess_format(line);
}

void require_label_first(const ExampleReaderOptions& options, std::string_view line,
                         const base::Place& place) {
    if (options.format == ExampleFormat::kAuto && options.columns.tree == 0 && has_label_last(line)) {
        throw base::InputError(place, describe_label_last(options.columns.remedy));
    }
}

ExampleReader::ExampleReader(std::string path, ExampleReaderOptions options)
    : lines_(std::move(path), options.records, looks_like_example),
      options_(options),
      parser_(options.names, options.columns) {}

bool ExampleReader::next(Example& example, ExampleParts parts) {
    const bool skim = parts == ExampleParts::kLabel && options_.records.on_error == base::OnError::kFail;
    while (next_text()) {
        try {
            parse(example, skim);
            return true;
        } catch (const base::SyntaxError& error) {
            lines_.refuse(locate(error));
        }
    }
    return false;
}

void ExampleReader::parse(Example& example, bool skim) {
    if (!skim) {
        base::RecordLines::require_utf8(text_);
    }
    const bool one_line = options_.format != ExampleFormat::kTreebank;
    parser_.parse(text_, one_line ? options_.format : ExampleFormat::kTrees, example,
                  skim ? ExampleParts::kLabel : ExampleParts::kAll);
    if (options_.needs_labels) {
        require_labelled(example);
    }
}

bool ExampleReader::next_text() {
    const bool has_rest = options_.format == ExampleFormat::kTreebank && !base::is_blank(line_);
    // What a tree of a treebank left over of its line comes first.
    if (has_rest ? !lines_.begin_record() : !lines_.next(line_)) {
        return false;
    }
    column_base_ = has_rest ? column_base_ : 0;
    require_label_first(options_, line_, lines_.place());
    options_.format = format_of(options_, line_);
    line_starts_.assign(1, 0);
    first_line_ = lines_.line_number();
    first_column_base_ = column_base_;
    if (options_.format == ExampleFormat::kTreebank) {
        gather_tree();
    } else {
        text_ = line_;
    }
    return true;
}

void ExampleReader::gather_tree() {
    gathered_.clear();
    std::int64_t depth = 0;
    const auto next_line = [this] {
        line_ = {};
        column_base_ = 0;
        return lines_.next_line(line_);
    };
    do {
        const std::size_t end = skip_brackets(line_, depth);
        gathered_ += line_.substr(0, end);
        line_.remove_prefix(end);
        column_base_ += end;
        if (depth <= 0) {
            break;
        }
        gathered_ += '\n';
        line_starts_.push_back(gathered_.size());
    } while (next_line() && !base::is_blank(line_) && !starts_unlabelled(line_));
    text_ = gathered_;
}

base::InputError ExampleReader::locate(const base::SyntaxError& error) const {
    const auto after = std::ranges::upper_bound(line_starts_, error.offset());
    const auto line = static_cast<std::size_t>(after - line_starts_.begin()) - 1;
    const std::uint64_t base = line == 0 ? first_column_base_ : 0;
    return {{lines_.path(), first_line_ + line, base + error.offset() - line_starts_[line] + 1},
            error.what()};
}

void require_labelled(const Example& example) {
    if (example.label.empty()) {
        throw base::SyntaxError(0, "an example without a label; expected one, such as LABEL<TAB>tree");
    }
}

}  // namespace treeline::example
