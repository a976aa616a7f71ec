#include "base/sealed_text.hpp"

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "base/format_names.hpp"

namespace treeline::base {

namespace {

constexpr const char* kRemedy = "; copy or make the file again";

/// Whether the last byte of a file is a line end. Compressed data, which cannot be cut unnoticed, and what is no file are not
/// looked at.
bool ends_with_line(const std::string& path) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(path, error) || std::filesystem::is_empty(path, error)) {
        return true;
    }
    std::ifstream file(path, std::ios::binary);
    const int first = file.get();
    file.seekg(-1, std::ios::end);
    const bool is_text = first != 0x1f && first != 0x28;  // gzip, zstd
    return !is_text || file.get() == '\n';
}

}  // namespace

SealedFile::SealedFile(std::string path) : file_(std::move(path)) {}

void SealedFile::write(std::string_view text) {
    digest_.update(text);
    file_.write(text);
}

void SealedFile::commit() {
    file_.write(std::string(formats::kSeal) + digest_.hex() + "\n");
    file_.commit();
}

SealedLines::SealedLines(std::string path, By by)
    : lines_(std::move(path)), by_(by), whole_(ends_with_line(lines_.path())) {}

bool SealedLines::next(std::string_view& line) {
    if (!whole_) {
        throw InputError({lines_.path()},
                         std::string("the last line has no end: the file has been cut") + kRemedy +
                             (by_ == By::kAnyone ? ", or end that line if you wrote it yourself" : ""));
    }
    if (sealed_ || !lines_.next(line)) {
        return false;
    }
    if (line.starts_with(formats::kSeal)) {
        check(line.substr(formats::kSeal.size()));
        return false;
    }
    digest_.update(line);
    digest_.update("\n");
    return true;
}

void SealedLines::check(std::string_view seal) {
    if (seal != digest_.hex()) {
        throw InputError(
            {lines_.path()},
            std::string("damaged: the digest in its last line is not that of its text") + kRemedy +
                (by_ == By::kAnyone ? ", or remove that line if you changed the text yourself" : ""));
    }
    sealed_ = true;
    if (std::string_view more; lines_.next(more)) {
        throw InputError(lines_.place(), std::string("a line after the digest that ends the file") + kRemedy);
    }
}

void SealedLines::require_seal() const {
    if (!sealed_) {
        throw InputError(
            {lines_.path(), lines_.line_number() + 1, 0},
            std::string("the file ends; expected '") + std::string(formats::kSeal) + "...'" + kRemedy);
    }
}

}  // namespace treeline::base
