/// Arbitrary bytes as annotated sentences: bad lines are refused, and the examples of the others are
/// well-formed in every structure, pruned or not.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "data/argument_examples.hpp"
#include "data/proposition.hpp"
#include "support/random_trees.hpp"

namespace {

using namespace treeline;

struct MemoryFile {
    int number = ::memfd_create("lines", 0);
    ~MemoryFile() { ::close(number); }
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(number); }
};

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
    const MemoryFile file;
    if (::write(file.number, bytes, size) != static_cast<ssize_t>(size)) {
        std::abort();
    }
    try {
        data::AnnotatedLineReader reader(file.path(), tree::OnError::kSkip);
        for (data::AnnotatedSentence sentence; reader.next(sentence);) {
            check(sentence);
        }
    } catch (const base::InputError&) {  // a broken compressed stream
    }
    return 0;
}
