/// Arbitrary bytes as a grammar: refused with InputError, or its trees are well-formed.

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.hpp"
#include "data/grammar.hpp"
#include "support/random_trees.hpp"

namespace {

struct MemoryFile {
    int number = ::memfd_create("grammar", 0);
    ~MemoryFile() { ::close(number); }
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(number); }
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    using namespace treeline;
    const MemoryFile file;
    if (::write(file.number, bytes, size) != static_cast<ssize_t>(size)) {
        std::abort();
    }
    try {
        const auto grammar = data::read_grammar(file.path());
        base::Random random(1);
        for (int i = 0; i < 5; ++i) {
            std::string text;
            grammar.append_tree(text, grammar.draw_class(random).kind, random);
            (void)test::tree_of(text);
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
