#pragma once

#include <string>
#include <string_view>

/// The texts of pages/, each under the name of its file: one visual language for everything that is looked at in a browser.
namespace treeline::classify {

[[nodiscard]] std::string_view treeline_css();  ///< type, colours, layout
[[nodiscard]] std::string_view trees_js();      ///< `trees`: parsing, matching and drawing
[[nodiscard]] std::string_view browse_js();     ///< the pages of a dictionary
[[nodiscard]] std::string_view browse_html();   ///< their frame, with @STYLE@ and @SCRIPT@ to be filled in
[[nodiscard]] std::string_view path_js();       ///< models for growing C, from an object `path`
[[nodiscard]] std::string_view path_html();     ///< their frame, likewise

/// `frame` with the style and the scripts in place, a page that needs no other file for them.
[[nodiscard]] std::string fill_page(std::string_view frame, std::string_view style, std::string_view script);

}  // namespace treeline::classify
