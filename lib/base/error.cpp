#include "base/error.hpp"

#include <cerrno>
#include <system_error>

namespace treeline::base {

namespace {

std::string_view remedy(int error_number) {
    switch (error_number) {
        case ENOSPC:
        case EDQUOT: return "; free some space or write elsewhere";
        case EACCES:
        case EPERM:
        case EROFS: return "; check the permissions of the file and of its folder";
        case ENOENT: return "; check the spelling and that the folder exists";
        case EISDIR: return "; name a file";
        case ENOTDIR: return "; name a folder";
        case EMFILE:
        case ENFILE: return "; raise the limit of open files (ulimit -n)";
        case ENOMEM: return "; allow less memory or fewer threads";
        default: return "";
    }
}

std::string system_message(std::string_view action, std::string_view path, int error_number) {
    std::string message = "cannot ";
    message.append(action).append(" '").append(path).append("': ");
    message.append(std::generic_category().message(error_number)).append(remedy(error_number));
    return message;
}

}  // namespace

std::string to_string(const Place& place) {
    std::string text = place.path == "-" ? "stdin" : place.path;
    if (place.line > 0) {
        text.append(":").append(std::to_string(place.line));
        if (place.column > 0) {
            text.append(":").append(std::to_string(place.column));
        }
    }
    return text;
}

InputError::InputError(Place place, std::string_view problem)
    : Error(to_string(place).append(": ").append(problem)), place_(std::move(place)), problem_(problem) {}

SystemError::SystemError(std::string_view action, std::string_view path, int error_number)
    : Error(system_message(action, path, error_number)), error_number_(error_number) {}

}  // namespace treeline::base
