/// Arbitrary bytes as a grammar: refused with InputError, or its trees are well-formed.

#include <cstddef>
#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "corpus/grammar.hpp"
#include "support/memory_file.hpp"
#include "support/random_trees.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace treeline;
    const test::MemoryFile file(bytes, size);
    try {
        const auto grammar = corpus::read_grammar(file.path());
        base::Random random(1);
        constexpr std::size_t kMostNodes = 10000;  // a tree as large as the grammar says takes its time
        for (int i = 0; i < 5 && grammar.nodes() <= kMostNodes; ++i) {
            std::string text;
            grammar.append_tree(text, grammar.draw_class(random).kind, random);
            (void)test::tree_of(text);
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
