/// Arbitrary bytes as annotated sentences: bad lines are refused, and the examples of the others are
/// well-formed in every structure, pruned or not.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "corpus/argument_examples.hpp"
#include "corpus/proposition.hpp"
#include "support/memory_file.hpp"
#include "support/random_trees.hpp"

namespace {

using namespace treeline;

void check(const corpus::AnnotatedSentence& sentence) {
    corpus::SentenceTree tree;
    tree.assign(sentence.tree);
    for (const bool prune : {false, true}) {
        for (const auto structure : {corpus::ArgumentStructure::kAst1, corpus::ArgumentStructure::kAstM,
                                     corpus::ArgumentStructure::kSentence}) {
            corpus::ArgumentExamples examples({structure, {}, {}, prune});
            for (const auto& proposition : sentence.propositions) {
                if (examples.wants(tree, proposition)) {
                    examples.make(tree, proposition, [](const corpus::ArgumentExample& example) {
                        (void)test::tree_of(example.tree);
                    });
                }
            }
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const test::MemoryFile file(bytes, size);
    try {
        corpus::AnnotatedLineReader reader(file.path(), base::OnError::kSkip);
        for (corpus::AnnotatedSentence sentence; reader.next(sentence);) {
            check(sentence);
        }
    } catch (const base::InputError&) {  // a broken compressed stream
    }
    return 0;
}
