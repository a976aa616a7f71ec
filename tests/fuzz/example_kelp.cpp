/// Arbitrary bytes as KeLP lines: refused with SyntaxError, or read into an example that is written and read
/// back as the same, and that no normalization breaks.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "base/error.hpp"
#include "corpus/normalization.hpp"
#include "example/example_writer.hpp"
#include "example/kelp_parser.hpp"
#include "support/random_trees.hpp"

namespace {

using namespace treeline;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check_normalization(tree::TreeText tree) {
    using Unary = corpus::Normalization::Unary;
    using Brackets = corpus::Normalization::Brackets;
    for (const auto& normalization :
         {corpus::Normalization{true, true, true, false, Unary::kJoin, Brackets::kEscape},
          corpus::Normalization{true, false, false, true, Unary::kTop, Brackets::kKeep},
          corpus::Normalization{false, true, false, false, Unary::kBottom, Brackets::kUnescape}}) {
        tree::TreeText copy{tree.nodes, {}};
        corpus::Normalizer(normalization).apply(copy);
        std::string text;
        tree::append_tree(text, copy);
        require(test::shape_of(test::tree_of(text)) == test::shape_of(copy));
    }
}

void check(const example::Example& example) {
    std::string line;
    try {
        example::ExampleWriter({.format = example::ExampleFormat::kKelp, .label = "none"})
            .append(line, example);
    } catch (const base::Error&) {
        return;  // a label with a bar
    }
    line.pop_back();
    example::Example copy;
    example::KelpParser().parse(line, copy);
    require(copy.label == (example.label.empty() ? "none" : example.label));
    require(copy.trees().size() == example.trees().size() &&
            copy.vectors().size() == example.vectors().size());
    for (std::size_t i = 0; i < copy.trees().size(); ++i) {
        require(test::shape_of(copy.trees()[i]) == test::shape_of(example.trees()[i]));
        check_normalization(example.trees()[i]);
    }
    for (std::size_t i = 0; i < copy.vectors().size(); ++i) {
        require(copy.vectors()[i] == example.vectors()[i]);
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    std::string_view rest(reinterpret_cast<const char*>(bytes), size);
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        example::Example example;
        example::FeatureNames names;
        for (example::FeatureNames* numbering : {static_cast<example::FeatureNames*>(nullptr), &names}) {
            try {
                example::KelpParser(numbering).parse(line, example);
                check(example);
            } catch (const tree::SyntaxError& error) {
                require(error.offset() <= line.size());
            }
        }
    }
    return 0;
}
