#pragma once

#include <string>
#include <string_view>

namespace treeline::classify {

/// What stands before and after sections of to_html(): a page that needs no other file. `links` is markup for its head.
[[nodiscard]] std::string html_head(std::string_view title = "Explanations", std::string_view links = {});
[[nodiscard]] std::string html_foot();

}  // namespace treeline::classify
