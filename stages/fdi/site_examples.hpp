#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "classify/site_data.hpp"
#include "classify/tree_layout.hpp"
#include "example/example_reader.hpp"
#include "fdi/site.hpp"

namespace treeline::fdi {

inline constexpr std::uint32_t kExampleChunk = 100;  ///< examples in a file

/// Fills site.occurring with the first examples of each side that have a fragment, and writes those that are shown:
/// examples/N has number, label and trees (text, places, words). Labels end before `label_until`.
void read_examples(Site& site, const std::string& path, const example::ExampleReaderOptions& reading,
                   const std::string& label_until, const classify::SiteData& data,
                   base::ProgressObserver& progress);

/// Where the library's layout has the nodes, in post-order, and last the drawing's width: what the script draws from.
[[nodiscard]] std::string places_json(const std::vector<classify::DrawnNode>& nodes);

}  // namespace treeline::fdi
