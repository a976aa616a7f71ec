#pragma once

#include "classify/site_data.hpp"
#include "fdi/site.hpp"

namespace treeline::fdi {

/// Writes what finds fragments by their labels:
///
///   labels        all labels, whether they are leaves, and the file of their postings
///   postings/N    by number of the label, the fragments that have it
///   index/N       by token, the fragments that have it; N = FNV-1a of the token's UTF-8, modulo index_files()
///
/// A token is a production `P label`, followed by its children, or an edge `E label` with one child; a child is `w` (a leaf) or `n` and
/// its label, each after a tab. Labels, and so tokens, that no fragment has are not there. The scripts of the pages look
/// patterns up in these.
void write_index(const Site& site, const classify::SiteData& data);

/// More files for larger dictionaries, so that each stays small.
[[nodiscard]] std::uint32_t index_files(const Site& site);

}  // namespace treeline::fdi
