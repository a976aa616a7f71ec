#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace treeline::base {

/// Owner of a POSIX file descriptor together with the path that its errors name. All calls repeat
/// after EINTR and throw SystemError. Standard input and output are borrowed, never closed.
class Descriptor {
  public:
    Descriptor() = default;
    /// `path` for reading; `-` is standard input. A folder throws.
    static Descriptor open_for_reading(const std::string& path);
    /// open(2) with `flags`; errors say "cannot `action` '`shown`'".
    static Descriptor open(std::string_view action, const std::string& path, int flags, std::string shown);
    static Descriptor standard_output();

    Descriptor(Descriptor&& other) noexcept
        : number_(std::exchange(other.number_, -1)), path_(std::move(other.path_)) {}
    Descriptor& operator=(Descriptor&& other) noexcept;
    ~Descriptor();

    /// Up to the size of `buffer` bytes; 0 at the end.
    std::size_t read_some(std::span<char> buffer);
    void write_all(std::string_view bytes);
    void sync();
    /// Throws where close(2) reports a delayed write error.
    void close();
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    Descriptor(int number, std::string path) : number_(number), path_(std::move(path)) {}
    void close_quietly() noexcept;

    int number_ = -1;
    std::string path_;
};

}  // namespace treeline::base
