#pragma once

#include <cstdint>
#include <string_view>

#include "example/example.hpp"
#include "example/feature_names.hpp"
#include "tree/bracket_reader.hpp"

namespace treeline::example {

/// Parses KeLP's lines: `label |BT:name| tree |ET| |BV:name| feature:value ... |EV| |BDV:name| number ...
/// |EDV| |BS:name| text |ES|`, representations in any order and number, names optional. Trees and vectors
/// come out in the order of the line; strings have no place in an Example and are counted. Several labels
/// stay one text, and may be none. Pairs of examples (`|<|`) are refused. Not thread-safe.
class KelpParser {
  public:
    /// With `names` features are numbered by their names; without they must be numbers from 1.
    explicit KelpParser(FeatureNames* names = nullptr) : names_(names) {}

    /// Throws base::SyntaxError.
    void parse(std::string_view line, Example& example);

    [[nodiscard]] std::uint64_t strings_left_out() const { return strings_; }

  private:
    void parse_sparse(std::string_view line, std::size_t begin, std::size_t end, SparseVector& vector);
    static void parse_dense(std::string_view line, std::size_t begin, std::size_t end, SparseVector& vector);

    FeatureNames* names_;
    tree::BracketReader brackets_;
    std::uint64_t strings_ = 0;
};

}  // namespace treeline::example
