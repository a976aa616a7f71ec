#pragma once

#include <fmt/format.h>

#include <cstddef>
#include <string>

#include "base/data_error.hpp"
#include "base/progress.hpp"

/// What stages that learn have to say of their examples.
namespace treeline::stage {

/// What `make` makes of the examples of `path`; where they cannot be learned from (base::DataError), the message names
/// the file.
template <typename Make>
auto naming_input(const std::string& path, Make&& make) {
    try {
        return make();
    } catch (const base::DataError& error) {
        throw base::InputError({path}, error.what());
    }
}

/// Warns where nearly every example has a label of its own: it is rather a number or an id.
inline void warn_of_many_classes(std::size_t classes, std::size_t examples,
                                 base::ProgressObserver& progress) {
    constexpr std::size_t kFew = 20;
    if (classes > kFew && 2 * classes > examples) {
        progress.warn(
            fmt::format("{} classes in {} examples: is the label in another column, or a number rather than "
                        "a class?",
                        classes, examples));
    }
}

}  // namespace treeline::stage
