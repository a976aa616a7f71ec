#pragma once

/// Catch2 2 and 3 under the spellings of version 3: TEST_CASE and friends, Approx, and the matchers
/// ContainsSubstring, StartsWith, EndsWith, WithinRel and WithinAbs in Catch::Matchers.

#if __has_include(<catch2/catch_all.hpp>)

#include <catch2/catch_all.hpp>

using Catch::Approx;

#else

#include <catch2/catch.hpp>

namespace Catch {
using Detail::Approx;
namespace Matchers {
inline auto ContainsSubstring(const std::string& text) { return Contains(text); }
}  // namespace Matchers
}  // namespace Catch

#endif
