#include "classify/pages.hpp"

namespace treeline::classify {

std::string page_style() { return std::string(treeline_css()).append(drawing_css()); }

std::string filled(std::string text, std::string_view mark, std::string_view with) {
    if (const std::size_t at = text.find(mark); at != std::string::npos) {
        text.replace(at, mark.size(), with);
    }
    return text;
}

std::string fill_page(std::string_view frame, std::string_view script) {
    return filled(filled(std::string(frame), "@SCRIPT@", script), "@STYLE@", page_style());
}

std::string with_values(std::string_view css) {
    constexpr std::string_view kStart = "var(";
    std::string text;
    for (std::size_t at = css.find(kStart); at != std::string_view::npos; at = css.find(kStart)) {
        const std::size_t end = css.find(')', at);
        const std::string name = std::string(css.substr(at + kStart.size(), end - at - kStart.size())) + ": ";
        const std::string_view all = treeline_css();
        const std::size_t value = all.find(name) + name.size();  // light colours stand first
        text.append(css.substr(0, at)).append(all.substr(value, all.find(';', value) - value));
        css.remove_prefix(end + 1);
    }
    return text.append(css);
}

}  // namespace treeline::classify
