/// Arbitrary bytes as annotated sentences: bad lines are refused, and the examples of the others are
/// well-formed in every structure, pruned or not.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "data/argument_examples.hpp"
#include "data/proposition.hpp"
#include "support/memory_file.hpp"
#include "support/random_trees.hpp"

namespace {

using namespace treeline;

void check(const data::AnnotatedSentence& sentence) {
    data::SentenceTree tree;
    tree.assign(sentence.tree);
    for (const bool prune : {false, true}) {
        for (const auto structure : {data::ArgumentStructure::kAst1, data::ArgumentStructure::kAstM,
                                     data::ArgumentStructure::kSentence}) {
            data::ArgumentExamples examples({structure, {}, {}, prune});
            for (const auto& proposition : sentence.propositions) {
                if (examples.wants(tree, proposition)) {
                    examples.make(tree, proposition, [](const data::ArgumentExample& example) {
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
        data::AnnotatedLineReader reader(file.path(), tree::OnError::kSkip);
        for (data::AnnotatedSentence sentence; reader.next(sentence);) {
            check(sentence);
        }
    } catch (const base::InputError&) {  // a broken compressed stream
    }
    return 0;
}
