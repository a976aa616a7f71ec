#include "example/example_stream.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace treeline::example {

LineBatcher::LineBatcher(std::string path, const ExampleStreamOptions& options)
    : lines_(std::move(path)), options_(options) {}

std::unique_ptr<LineBatch> LineBatcher::next() {
    auto batch = std::make_unique<LineBatch>();
    std::string_view line;
    while (batch->text.size() < options_.batch_bytes && batch->lines.size() < options_.batch_lines &&
           (batch->lines.empty() || lines_.has_line()) &&
           (options_.reader.limit == 0 || examples_ < options_.reader.limit) && lines_.next(line)) {
        if (line.starts_with('#') || std::ranges::all_of(line, tree::is_space)) {
            continue;
        }
        if (options_.reader.format == ExampleFormat::kAuto) {
            options_.reader.format = guess_format(line);
        }
        if (options_.reader.format == ExampleFormat::kTreebank) {
            throw base::InputError(lines_.place(),
                                   "a tree over several lines; expected an example a line "
                                   "(tdp convert makes them)");
        }
        if (examples_ % options_.shards == options_.shard) {
            batch->lines.push_back({examples_, lines_.line_number(), batch->text.size(), line.size()});
            batch->text += line;
        }
        ++examples_;
    }
    batch->format = options_.reader.format;
    return batch->lines.empty() ? nullptr : std::move(batch);
}

BatchOutcome parse_batch(const std::string& path, const LineBatch& batch, OnError on_error,
                         ExampleParser& parser, Example& example,
                         const std::function<void(const Example&, std::uint64_t)>& take) {
    BatchOutcome outcome;
    const auto refuse = [&](base::InputError error) {
        if (on_error == OnError::kFail) {
            outcome.failure = std::move(error);
        } else {
            ++outcome.skipped;
            outcome.skip_messages.emplace_back(error.what());
        }
    };
    for (const LineBatch::Line& line : batch.lines) {
        const auto text = std::string_view(batch.text).substr(line.begin, line.size);
        try {
            if (const auto bad = base::find_invalid_utf8(text)) {
                throw tree::SyntaxError(*bad, "not valid UTF-8; convert the file, for example with iconv");
            }
            parser.parse(text, batch.format, example);
            take(example, line.example);
            ++outcome.examples;
        } catch (const tree::SyntaxError& error) {
            refuse({{path, line.line, error.offset() + 1}, error.what()});
        } catch (const base::Error& error) {
            refuse({{path, line.line}, error.what()});
        }
        if (outcome.failure) {
            break;
        }
    }
    return outcome;
}

}  // namespace treeline::example
