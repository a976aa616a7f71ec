/// Arbitrary bytes as one line of every format: it is refused with SyntaxError or gives an example whose
/// parts are sound and whose SVM-light-TK line reads back as the same example.

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/text.hpp"
#include "example/example_parser.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

namespace {

using namespace treeline::tree;
using namespace treeline::example;
using treeline::test::shape_of;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

std::string line_of(const Example& example) {
    std::string line = "label cost:" + treeline::base::format_double(example.cost);
    for (const auto& tree : example.trees()) {
        line += " |BT| ";
        if (!tree.empty()) {
            append_tree(line, tree);
        }
    }
    line += example.trees().empty() ? "" : " |ET|";
    for (const auto& vector : example.vectors()) {
        line += &vector == example.vectors().data() ? "" : " |BV|";
        for (const auto& [index, value] : vector) {
            line += " " + std::to_string(index) + ":" + treeline::base::format_double(value);
        }
    }
    return line + " |EV|";
}

void check(const Example& example) {
    require(example.cost > 0 && std::isfinite(example.cost));
    for (const auto& vector : example.vectors()) {
        for (std::size_t i = 0; i < vector.size(); ++i) {
            require(vector[i].index > (i == 0 ? 0 : vector[i - 1].index) && std::isfinite(vector[i].value));
        }
    }
    const std::string line = line_of(example);
    Example copy;
    ExampleParser().parse(line, ExampleFormat::kSvmLightTk, copy);
    require(copy.cost == example.cost && copy.trees().size() == example.trees().size());
    for (std::size_t i = 0; i < copy.trees().size(); ++i) {
        require(shape_of(copy.trees()[i]) == shape_of(example.trees()[i]));
    }
    // One empty vector after trees is written as none.
    const bool none = example.vectors().size() == 1 && example.vectors()[0].empty();
    require(none || copy.vectors().size() == example.vectors().size());
    for (std::size_t i = 0; i < copy.vectors().size(); ++i) {
        require(copy.vectors()[i] == example.vectors()[i]);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view line(reinterpret_cast<const char*>(data), size);
    require(guess_format(line) != ExampleFormat::kAuto);
    ExampleParser parser;
    Example example;
    for (const auto format :
         {ExampleFormat::kSvmLightTk, ExampleFormat::kLabelTabTree, ExampleFormat::kTrees}) {
        try {
            parser.parse(line, format, example);
            require(example.label.empty() == (format == ExampleFormat::kTrees));
            check(example);
        } catch (const SyntaxError& error) {
            require(error.offset() <= line.size());
        }
    }
    return 0;
}
