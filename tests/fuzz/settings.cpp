/// Arbitrary bytes as a file for --config: refused with an error of the parser, or options in effect.

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "common/binding.hpp"
#include "common/training.hpp"
#include "support/memory_file.hpp"

using namespace treeline;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const test::MemoryFile memory(data, size);
    CLI::App app;
    stage::TrainingOptions options;
    stage::bind_training(app, options);
    try {
        app.parse(std::vector<std::string>{memory.path(), "--config"});  // taken from the back
        stage::validate(options);
    } catch (const CLI::Error&) {
    } catch (const base::UsageError&) {
    }
    return 0;
}
