#include "base/record_lines.hpp"

#include <string>
#include <utility>

#include "base/text.hpp"

namespace treeline::base {

RecordLines::RecordLines(std::string path, RecordOptions options, LooksLikeRecord looks_like_record)
    : lines_(std::move(path)),
      options_(options),
      looks_like_record_(looks_like_record),
      bad_(options.on_error) {}

bool RecordLines::next(std::string_view& line) {
    while (!is_full() && lines_.next(line)) {
        const bool comment =
            line.starts_with('#') && (looks_like_record_ == nullptr || !looks_like_record_(line));
        if (!comment && !is_blank(line)) {
            return begin_record();
        }
    }
    return false;
}

bool RecordLines::begin_record() {
    if (is_full()) {
        return false;
    }
    ++records_;
    return true;
}

void RecordLines::require_utf8(std::string_view text) {
    if (const auto bad = find_invalid_utf8(text)) {
        if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
            throw SyntaxError(0, std::string(kIsUtf16));
        }
        throw SyntaxError(*bad, "not valid UTF-8; convert the file, for example with iconv");
    }
}

}  // namespace treeline::base
