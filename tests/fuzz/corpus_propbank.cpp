/// Arbitrary bytes as PropBank lines of one tree: a line is refused with SyntaxError, a pointer that leads
/// out of the tree with Error, or the arguments lie within the sentence.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "corpus/propbank.hpp"
#include "support/random_trees.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace treeline;
    auto text = test::tree_of(
        "(S (NP (NP (DT the) (NN man)) (SBAR (WHNP (WDT who)) (S (-NONE- *T*) (VP (VB ran))))) (VP (VB "
        "won)))");
    corpus::SentenceTree tree;
    tree.assign(text);
    corpus::Normalizer normalizer({.strip_traces = true});
    normalizer.apply(text);
    std::string_view rest(reinterpret_cast<const char*>(bytes), size);
    while (!rest.empty()) {
        const auto line = rest.substr(0, rest.find('\n'));
        rest.remove_prefix(std::min(rest.size(), line.size() + 1));
        try {
            for (const auto& argument :
                 corpus::resolve(corpus::parse_propbank_line(line).groups, tree, normalizer.kept_words())) {
                if (argument.begin >= argument.end || argument.end > tree.words() || argument.role.empty()) {
                    std::abort();
                }
            }
        } catch (const tree::SyntaxError& error) {
            if (error.offset() > line.size()) {
                std::abort();
            }
        } catch (const base::Error&) {
        }
    }
    return 0;
}
