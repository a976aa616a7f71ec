#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "base/syntax_error.hpp"
#include "fragment/fragment.hpp"

/// Any bytes: what is read as a fragment is written and read back as the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace treeline;
    tree::SymbolTable symbols;
    fragment::Fragment fragment;
    try {
        fragment = fragment::parse_fragment({reinterpret_cast<const char*>(data), size}, symbols);
    } catch (const base::SyntaxError&) {
        return 0;
    }
    if (fragment::parse_fragment(fragment::to_text(fragment, symbols), symbols) != fragment) {
        std::abort();
    }
    if (fragment::measure(fragment).nodes != fragment.size() ||
        fragment::skip_subtree(fragment, 0) != fragment.size()) {
        std::abort();
    }
    return 0;
}
