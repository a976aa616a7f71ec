#pragma once

#include <nanobind/nanobind.h>

#include <cstddef>
#include <deque>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "arrow_import.hpp"
#include "base/syntax_error.hpp"
#include "example/example.hpp"
#include "example/example_parser.hpp"
#include "example/example_set.hpp"
#include "tree/forest.hpp"
#include "work.hpp"

namespace treeline::python {

/// The trees that a Python caller gave, as bracket texts: strings in the memory of Python or of Arrow, other objects
/// written as brackets. Made and destroyed with the GIL; read without it.
///
/// A tree is a string `(S (NP (DT the) (NN cat)))`; an nltk.Tree, or anything that has label() and children to go over; a
/// tuple or list (label, children); anything with the attributes `label` and `children`.
class TreeTexts {
  public:
    /// A sequence of trees, or Arrow data of one column of strings. Throws TypeError and ValueError that name the
    /// item.
    explicit TreeTexts(nanobind::handle trees);
    /// The texts of an Arrow column.
    TreeTexts(const ArrowColumn& column, const std::string& what);

    [[nodiscard]] std::size_t size() const { return texts_.size(); }
    [[nodiscard]] std::string_view operator[](std::size_t number) const { return texts_[number]; }

  private:
    void read_sequence(nanobind::handle trees);

    std::vector<std::string_view> texts_;
    nanobind::object items_;
    std::deque<std::string> written_;
    std::unique_ptr<ArrowData> arrow_;
};

/// One tree, as brackets.
[[nodiscard]] std::string to_brackets(nanobind::handle tree);

/// Parses trees of texts; one a thread.
class TreeParser {
  public:
    explicit TreeParser(const TreeTexts& texts) : texts_(&texts) {}
    /// The example of one tree, without a label; valid until the next call. Throws base::InputError whose place is the item.
    example::Example& parse(std::size_t number);

  private:
    const TreeTexts* texts_;
    example::ExampleParser parser_;
    example::Example example_;
};

/// Labels and costs of examples; without labels all are empty, without costs all are 1.
struct Labels {
    std::vector<std::string> labels;
    std::vector<double> costs;
};

/// All trees as examples, in order.
void add_examples(const TreeTexts& texts, const Labels& labels, tree::Forest& forest,
                  example::ExampleSet& set, Listener& listener);

}  // namespace treeline::python
