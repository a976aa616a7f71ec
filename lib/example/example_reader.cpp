#include "example/example_reader.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.hpp"

namespace treeline::example {
namespace {

constexpr std::size_t kKeptMessages = 10;

[[nodiscard]] bool is_blank(std::string_view line) { return std::ranges::all_of(line, tree::is_space); }

}  // namespace

ExampleReader::ExampleReader(std::string path, ExampleReaderOptions options)
    : lines_(std::move(path)), options_(options) {}

bool ExampleReader::next(Example& example, ExampleParts parts) {
    const bool skim = parts == ExampleParts::kLabel && options_.on_error == OnError::kFail;
    while ((options_.limit == 0 || examples_ < options_.limit) && next_text()) {
        try {
            if (const auto bad = skim ? std::nullopt : base::find_invalid_utf8(text_)) {
                throw tree::SyntaxError(*bad, "not valid UTF-8; convert the file, for example with iconv");
            }
            const bool line_format = options_.format != ExampleFormat::kTreebank;
            parser_.parse(text_, line_format ? options_.format : ExampleFormat::kTrees, example,
                          skim ? ExampleParts::kLabel : ExampleParts::kAll);
            ++examples_;
            return true;
        } catch (const tree::SyntaxError& error) {
            const auto located = locate(error);
            if (options_.on_error == OnError::kFail) {
                throw located;
            }
            ++skipped_;
            if (skip_messages_.size() < kKeptMessages) {
                skip_messages_.emplace_back(located.what());
            }
        }
    }
    return false;
}

bool ExampleReader::next_line() {
    line_ = {};
    column_base_ = 0;
    return lines_.next(line_);
}

bool ExampleReader::next_text() {
    // What a tree of a treebank left over of its line comes first.
    while (is_blank(line_) || options_.format != ExampleFormat::kTreebank) {
        if (!next_line()) {
            return false;
        }
        if (!is_blank(line_) && !line_.starts_with('#')) {
            break;
        }
        line_ = {};
    }
    if (options_.format == ExampleFormat::kAuto) {
        options_.format = guess_format(line_);
    }
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
    } while (next_line() && !is_blank(line_) && !starts_unlabelled(line_));
    text_ = gathered_;
}

base::InputError ExampleReader::locate(const tree::SyntaxError& error) const {
    const auto after = std::ranges::upper_bound(line_starts_, error.offset());
    const auto line = static_cast<std::size_t>(after - line_starts_.begin()) - 1;
    const std::uint64_t base = line == 0 ? first_column_base_ : 0;
    return {{lines_.path(), first_line_ + line, base + error.offset() - line_starts_[line] + 1},
            error.what()};
}

}  // namespace treeline::example
