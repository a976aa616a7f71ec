#include "example/example_stream.hpp"

#include <utility>

namespace treeline::example {

LineBatcher::LineBatcher(std::string path, const ExampleStreamOptions& options)
    : lines_(std::move(path), options.reader.records, looks_like_example), options_(options) {}

std::unique_ptr<LineBatch> LineBatcher::next() {
    if (ended_) {
        return nullptr;
    }
    auto batch = std::make_unique<LineBatch>();
    try {
        fill(*batch);
    } catch (const base::InputError& error) {
        // The lines before it have their say first, so that the first bad example is the one that is told of.
        batch->failure = error;
        ended_ = true;
    }
    batch->format = options_.reader.format;
    return batch->lines.empty() && !batch->failure ? nullptr : std::move(batch);
}

void LineBatcher::fill(LineBatch& batch) {
    std::string_view line;
    while (batch.text.size() < options_.batch_bytes && batch.lines.size() < options_.batch_lines &&
           (batch.lines.empty() || lines_.has_line()) && lines_.next(line)) {
        require_label_first(options_.reader, line, lines_.place());
        options_.reader.format = format_of(options_.reader, line);
        if (options_.reader.format == ExampleFormat::kTreebank) {
            throw base::InputError(lines_.place(),
                                   "a tree over several lines; expected an example a line "
                                   "(tdp convert makes them)");
        }
        const std::uint64_t example = lines_.records() - 1;
        if (example % options_.shards == options_.shard) {
            batch.lines.push_back({example, lines_.line_number(), batch.text.size(), line.size()});
            batch.text += line;
        }
    }
}

BatchOutcome parse_batch(const std::string& path, const LineBatch& batch, const ExampleReaderOptions& options,
                         ExampleParser& parser, Example& example,
                         const std::function<void(const Example&, std::uint64_t)>& take) {
    BatchOutcome outcome{.bad = base::BadRecords(options.records.on_error)};
    const auto handle = [&](const LineBatch::Line& line) {
        const auto text = std::string_view(batch.text).substr(line.begin, line.size);
        try {
            base::RecordLines::require_utf8(text);
            parser.parse(text, batch.format, example);
            if (options.needs_labels) {
                require_labelled(example);
            }
            take(example, line.example);
            ++outcome.examples;
        } catch (const base::SyntaxError& error) {
            outcome.bad.refuse({{path, line.line, error.offset() + 1}, error.what()});
        } catch (const base::Error& error) {
            outcome.bad.refuse({{path, line.line}, error.what()});
        }
    };
    try {
        for (const LineBatch::Line& line : batch.lines) {
            handle(line);
        }
        outcome.failure = batch.failure;
    } catch (const base::InputError& error) {
        outcome.failure = error;
    }
    return outcome;
}

}  // namespace treeline::example
