#include "base/error.hpp"

#include <cerrno>
#include <string>

#include "support/catch.hpp"

using namespace treeline::base;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a place leaves out what is not known") {
    CHECK(to_string(Place{"train.dat", 17, 42}) == "train.dat:17:42");
    CHECK(to_string(Place{"train.dat", 17, 0}) == "train.dat:17");
    CHECK(to_string(Place{"train.dat", 0, 0}) == "train.dat");
    CHECK(to_string(Place{"-", 3, 0}) == "stdin:3");
}

TEST_CASE("an input error starts with its place and keeps the problem apart") {
    const InputError error({"train.dat", 17, 42}, "unbalanced ')'");
    CHECK(std::string(error.what()) == "train.dat:17:42: unbalanced ')'");
    CHECK(error.problem() == "unbalanced ')'");
    CHECK(error.place().column == 42);
}

TEST_CASE("every error knows its exit code") {
    CHECK(Error("x").exit_code() == ExitCode::kFailed);
    CHECK(UsageError("x").exit_code() == ExitCode::kUsage);
    CHECK(InputError({}, "x").exit_code() == ExitCode::kBadInput);
    CHECK(SystemError("read", "x", EIO).exit_code() == ExitCode::kFailed);
}

TEST_CASE("a system error names the action, the path, the reason and the remedy") {
    CHECK_THAT(SystemError("write", "out.dat", ENOSPC).what(),
               ContainsSubstring("cannot write 'out.dat': No space left on device; free some space"));
    CHECK_THAT(SystemError("read", "x", ENOENT).what(), ContainsSubstring("check the spelling"));
    CHECK_THAT(SystemError("create", "x", EACCES).what(), ContainsSubstring("permissions"));
    CHECK(SystemError("read", "x", EIO).error_number() == EIO);
}
