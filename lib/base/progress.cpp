#include "base/progress.hpp"

namespace treeline::base {

namespace {

class SilentObserver final : public ProgressObserver {
  public:
    void start(std::string_view, std::uint64_t) override {}
    void update(std::uint64_t) override {}
    void finish() override {}
    void note(std::string_view) override {}
};

}  // namespace

ProgressObserver& silent_observer() {
    static SilentObserver observer;
    return observer;
}

}  // namespace treeline::base
