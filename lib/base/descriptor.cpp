#include "base/descriptor.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "base/error.hpp"

namespace treeline::base {

namespace {

template <typename Call>
auto repeat_if_interrupted(Call call) {
    auto result = call();
    while (result < 0 && errno == EINTR) {
        result = call();
    }
    return result;
}

}  // namespace

Descriptor Descriptor::open_for_reading(const std::string& path) {
    Descriptor file = path == "-" ? Descriptor(STDIN_FILENO, "stdin") : open("read", path, O_RDONLY, path);
    struct stat status {};
    if (::fstat(file.number_, &status) != 0) {
        throw SystemError("read", file.path_, errno);
    }
    if (S_ISDIR(status.st_mode)) {
        throw SystemError("read", file.path_, EISDIR);
    }
    return file;
}

Descriptor Descriptor::open(std::string_view action, const std::string& path, int flags, std::string shown) {
    const int number =
        repeat_if_interrupted([&] { return ::open(path.c_str(), flags | O_CLOEXEC, mode_t{0666}); });
    if (number < 0) {
        throw SystemError(action, shown, errno);
    }
    return {number, std::move(shown)};
}

Descriptor Descriptor::standard_output() { return {STDOUT_FILENO, "stdout"}; }

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
    if (this != &other) {
        close_quietly();
        number_ = std::exchange(other.number_, -1);
        path_ = std::move(other.path_);
    }
    return *this;
}

Descriptor::~Descriptor() { close_quietly(); }

std::size_t Descriptor::read_some(std::span<char> buffer) {
    const auto got = repeat_if_interrupted([&] { return ::read(number_, buffer.data(), buffer.size()); });
    if (got < 0) {
        throw SystemError("read", path_, errno);
    }
    return static_cast<std::size_t>(got);
}

void Descriptor::write_all(std::string_view bytes) {
    while (!bytes.empty()) {
        const auto put = repeat_if_interrupted([&] { return ::write(number_, bytes.data(), bytes.size()); });
        if (put < 0) {
            throw SystemError("write", path_, errno);
        }
        bytes.remove_prefix(static_cast<std::size_t>(put));
    }
}

void Descriptor::sync() {
    if (repeat_if_interrupted([&] { return ::fsync(number_); }) != 0) {
        throw SystemError("write", path_, errno);
    }
}

void Descriptor::close() {
    const int number = std::exchange(number_, -1);
    if (number > STDERR_FILENO && ::close(number) != 0 && errno != EINTR) {
        throw SystemError("write", path_, errno);
    }
}

void Descriptor::close_quietly() noexcept {
    if (number_ > STDERR_FILENO) {
        ::close(number_);
    }
}

}  // namespace treeline::base
