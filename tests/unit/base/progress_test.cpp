#include "base/progress.hpp"

#include "support/catch.hpp"

using namespace treeline::base;

TEST_CASE("the silent observer takes everything and is one object") {
    ProgressObserver& observer = silent_observer();
    observer.start("work", 10);
    observer.update(5);
    observer.note("remark");
    observer.finish();
    CHECK(&observer == &silent_observer());
}
