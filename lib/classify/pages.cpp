#include "classify/pages.hpp"

namespace treeline::classify {

std::string fill_page(std::string_view frame, std::string_view style, std::string_view script) {
    std::string page(frame);
    const auto replace = [&](std::string_view mark, std::string_view text) {
        page.replace(page.find(mark), mark.size(), text);
    };
    replace("@SCRIPT@", script);
    replace("@STYLE@", style);
    return page;
}

}  // namespace treeline::classify
