/// Arbitrary bytes as CoNLL-U: bad sentences are refused, and the trees of the others have one node for every
/// word in the structures that say so.

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "corpus/conllu.hpp"
#include "corpus/dependency_tree.hpp"
#include "support/memory_file.hpp"
#include "support/random_trees.hpp"
#include "tree/bracket_writer.hpp"

namespace {

using namespace treeline;
using corpus::DependencyStructure;

void require(bool condition) {
    if (!condition) {
        std::abort();
    }
}

void check(const corpus::DependencySentence& sentence) {
    tree::TreeText tree;
    std::size_t roots = 0;
    for (const auto& word : sentence.words) {
        roots += word.head == 0 ? 1 : 0;
    }
    for (const auto structure : {DependencyStructure::kGrct, DependencyStructure::kLct,
                                 DependencyStructure::kLoct, DependencyStructure::kPlain}) {
        corpus::DependencyTrees({.structure = structure, .lower = true}).make(sentence, tree);
        if (structure == DependencyStructure::kLoct) {
            require(tree.nodes.size() == sentence.words.size() + (roots > 1 ? 1 : 0));
        }
        std::string text;
        tree::append_tree(text, tree);
        require(test::shape_of(test::tree_of(text)) == test::shape_of(tree));
    }
    corpus::DependencyTrees({.kelp_labels = true, .drop_punctuation = true}).make(sentence, tree);
    std::string text;
    tree::append_tree(text, tree);
    (void)test::tree_of(text);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const test::MemoryFile file(bytes, size);
    try {
        corpus::ConlluReader reader(file.path(), base::OnError::kSkip);
        for (corpus::DependencySentence sentence; reader.next(sentence);) {
            check(sentence);
        }
    } catch (const base::InputError&) {  // a broken compressed stream
    }
    return 0;
}
