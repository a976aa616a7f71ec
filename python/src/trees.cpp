#include <nanobind/nanobind.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>
#include <vector>

#include "arrays.hpp"
#include "base/record_lines.hpp"
#include "bindings.hpp"
#include "corpus/conllu.hpp"
#include "corpus/dependency_tree.hpp"
#include "tree/bracket_writer.hpp"
#include "tree_texts.hpp"
#include "work.hpp"

namespace nb = nanobind;

namespace treeline::python {

namespace {

using corpus::DependencyOptions;

std::vector<std::string> conllu_trees(const std::string& path, const std::string& structure, bool lemmas,
                                      bool lower, bool drop_punctuation) {
    DependencyOptions options;
    options.structure = value_of(corpus::kDependencyStructureNames, "structure", structure);
    options.word = lemmas ? DependencyOptions::Word::kLemma : DependencyOptions::Word::kForm;
    options.lower = lower;
    options.drop_punctuation = drop_punctuation;
    std::vector<std::string> out;
    corpus::ConlluReader reader(path, base::OnError::kFail);
    corpus::DependencyTrees trees(options);
    corpus::DependencySentence sentence;
    tree::TreeText tree;
    while (reader.next(sentence)) {
        tree.clear();
        trees.make(sentence, tree);
        tree::append_tree(out.emplace_back(), tree);
    }
    return out;
}

/// Every tree as brackets in one line, after it has been parsed.
std::vector<std::string> parse_trees(nb::handle trees) {
    const TreeTexts texts(trees);
    TreeParser parser(texts);
    std::vector<std::string> out;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        tree::append_tree(out.emplace_back(), parser.parse(i).trees().front());
    }
    return out;
}

}  // namespace

void bind_trees(nb::module_& module) {
    module.def("to_brackets", &to_brackets, nb::arg("tree"));
    module.def("parse_trees", &parse_trees, nb::arg("trees"));
    module.def("conllu_trees", &conllu_trees, nb::arg("path"), nb::arg("structure"), nb::arg("lemmas"),
               nb::arg("lower"), nb::arg("drop_punctuation"), nb::call_guard<nb::gil_scoped_release>());
}

}  // namespace treeline::python
