#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "base/names.hpp"
#include "common/options.hpp"

namespace treeline::fdi {

enum class Format { kTsv, kJsonLines, kDot, kArrow };
inline constexpr base::NameTable<Format, 4> kFormatNames{{
    {Format::kTsv, "tsv"},
    {Format::kJsonLines, "jsonl"},
    {Format::kDot, "dot"},
    {Format::kArrow, "arrow"},
}};

/// What fdi is asked to do; each command reads the fields that concern it.
struct Options {
    std::string dictionary;
    std::string other;               ///< diff: the second dictionary
    std::vector<std::uint32_t> ids;  ///< draw, export
    std::vector<std::string> named;  ///< show: numbers of fragments, or fragments
    std::uint32_t count = 20;        ///< top, find, diff: lines at most; 0 = all
    std::string
        label_class;  ///< top, find, export, draw, diff: relevance for this class; empty = the largest
    std::uint32_t digits =
        4;              ///< top, show, find, diff: significant ones of numbers; 0 = all that tell them apart
    std::string model;  ///< browse, prune: a linear model
    std::string containing;        ///< find, stats: label pattern
    std::string production;        ///< find: labels of a parent and its children
    std::string pattern;           ///< find: a fragment with `*`
    std::string tree;              ///< find: fragments that occur in it
    Format format = Format::kTsv;  ///< export
    bool drawings = false;         ///< export: JSON lines have the fragment drawn, too
    std::string output = "-";      ///< export, draw, browse, prune
    std::string examples;          ///< browse: where fragments are shown in their sentences
    std::string label_until;  ///< browse: labels of the examples end before this text; empty = whole labels
    stage::CommonOptions common;
};

}  // namespace treeline::fdi
