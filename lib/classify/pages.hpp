#pragma once

#include <string>
#include <string_view>

/// The texts of pages/, each under the name of its file: one visual language for everything that is looked at in a browser.
namespace treeline::classify {

[[nodiscard]] std::string_view treeline_css();  ///< type, colours, layout; the one owner of the palette
[[nodiscard]] std::string_view drawing_css();   ///< drawings of trees, in pages and as files
[[nodiscard]] std::string_view site_js();       ///< `site`: loading data from disk, numbers, elements
[[nodiscard]] std::string_view trees_js();      ///< `trees`: parsing, matching and drawing
[[nodiscard]] std::string_view browse_js();     ///< the pages of a dictionary
[[nodiscard]] std::string_view browse_html();   ///< their frame, with @STYLE@ and @SCRIPT@ to be filled in
[[nodiscard]] std::string_view path_js();       ///< models for growing C, from an object `path`
[[nodiscard]] std::string_view path_html();     ///< their frame, likewise
[[nodiscard]] std::string_view explain_js();    ///< explanations: filters, keys, where fragments are
[[nodiscard]] std::string_view explain_html();  ///< their frame, also with @TITLE@ and @BODY@
[[nodiscard]] std::string_view summary_js();    ///< all explanations of a test set, as a table
[[nodiscard]] std::string_view summary_html();  ///< their frame, likewise

/// All styles of a page.
[[nodiscard]] std::string page_style();

/// `frame` with the styles and the scripts in place, a page that needs no other file for them.
[[nodiscard]] std::string fill_page(std::string_view frame, std::string_view script);
/// `text` in the place of the first `mark`.
[[nodiscard]] std::string filled(std::string text, std::string_view mark, std::string_view with);

/// CSS with every var(--NAME) replaced by its value in light colours, for drawings outside of pages.
[[nodiscard]] std::string with_values(std::string_view css);

}  // namespace treeline::classify
