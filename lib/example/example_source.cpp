#include "example/example_source.hpp"

#include <algorithm>

#include "base/text.hpp"

namespace treeline::example {

namespace {

example::ExampleFormat format_of(DataFormat format) {
    switch (format) {
        case DataFormat::kTreebank: return example::ExampleFormat::kTreebank;
        case DataFormat::kTrees: return example::ExampleFormat::kTrees;
        case DataFormat::kLabelTabTree: return example::ExampleFormat::kLabelTabTree;
        case DataFormat::kSvmLightTk:
        case DataFormat::kLibsvm: return example::ExampleFormat::kSvmLightTk;
        case DataFormat::kAuto:
        case DataFormat::kKelp: break;
    }
    return example::ExampleFormat::kAuto;
}

}  // namespace

ExampleSource::ExampleSource(const std::string& path, DataFormat format, example::OnError on_error,
                             FeatureNames* names)
    : kelp_(names), bad_(on_error) {
    if (format == DataFormat::kKelp) {
        lines_.emplace(path);
    } else {
        reader_.emplace(path,
                        example::ExampleReaderOptions{.format = format_of(format), .on_error = on_error});
    }
}

bool ExampleSource::next(example::Example& example) {
    if (reader_) {
        return reader_->next(example);
    }
    std::string_view line;
    while (lines_->next(line)) {
        if (line.starts_with('#') || std::ranges::all_of(line, tree::is_space)) {
            continue;
        }
        try {
            if (const auto bad = base::find_invalid_utf8(line)) {
                throw tree::SyntaxError(*bad, "not valid UTF-8; convert the file, for example with iconv");
            }
            kelp_.parse(line, example);
            return true;
        } catch (const tree::SyntaxError& error) {
            bad_.refuse({lines_->place(error.offset() + 1), error.what()});
        }
    }
    return false;
}

base::Place ExampleSource::place() const {
    return reader_ ? base::Place{reader_->path(), reader_->line_number(), 0} : lines_->place();
}

std::uint64_t ExampleSource::skipped() const { return reader_ ? reader_->skipped() : bad_.skipped(); }

const std::vector<std::string>& ExampleSource::skip_messages() const {
    return reader_ ? reader_->skip_messages() : bad_.messages();
}

}  // namespace treeline::example
