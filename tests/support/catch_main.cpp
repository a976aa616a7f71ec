#define CATCH_CONFIG_RUNNER
#include <cstdlib>
#include <iostream>

#include "support/catch.hpp"
#include "support/data.hpp"

/// Exit code that ctest counts as "skipped".
constexpr int kSkipped = 77;

int main(int argc, char** argv) {
    if (std::getenv("TREELINE_TEST_NEEDS_DATA") != nullptr && treeline::test::data_folder().empty()) {
        std::cout << "skipped: no data folder; set TREELINE_DATA\n";
        return kSkipped;
    }
    return Catch::Session().run(argc, argv);
}
