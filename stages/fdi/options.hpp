#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "common/options.hpp"

namespace treeline::fdi {

enum class Format { kTsv, kJsonLines, kDot, kArrow };

/// What fdi is asked to do; each command reads the fields that concern it.
struct Options {
    std::string dictionary;
    std::string other;               ///< diff: the second dictionary
    std::vector<std::uint32_t> ids;  ///< show, draw, export
    std::uint32_t count = 20;        ///< top, find, diff: lines at most; 0 = all
    std::string
        label_class;         ///< top, find, export, draw, diff: relevance for this class; empty = the largest
    std::string model;       ///< browse, prune: a linear model
    std::string containing;  ///< find, stats: label pattern
    std::string production;  ///< find: labels of a parent and its children
    std::string pattern;     ///< find: a fragment with `*`
    std::string tree;        ///< find: fragments that occur in it
    Format format = Format::kTsv;  ///< export
    std::string output = "-";      ///< export, draw, browse, prune
    std::string examples;          ///< browse: where fragments are shown in their sentences
    stage::CommonOptions common;
};

}  // namespace treeline::fdi
