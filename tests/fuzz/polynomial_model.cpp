/// Arbitrary bytes as a polynomial model: refused with InputError, or read into a model that is written and
/// read back as the same one and classifies.

#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "polynomial/polynomial_classifier.hpp"
#include "store/polynomial_model_file.hpp"
#include "support/memory_file.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace treeline;
    const test::MemoryFile file(data, size);
    try {
        const auto model = store::read_polynomial_model(file.path());
        const std::string name = "/dev/shm/treeline-fuzz-" + std::to_string(::getpid()) + ".psl";
        store::write_polynomial_model(name, model);
        const auto copy = store::read_polynomial_model(name);
        ::unlink(name.c_str());
        if (copy.labels != model.labels || copy.offsets != model.offsets ||
            copy.coefficients != model.coefficients) {
            std::abort();
        }
        const polynomial::PolynomialClassifier classifier(model, 1 << 20);
        const auto scratch = classifier.make_scratch();
        std::vector<double> margins(model.outputs());
        for (std::size_t i = 0; i < model.size(); ++i) {
            classifier.margins(model.rows().row(i), margins, *scratch);
        }
    } catch (const base::InputError&) {
    }
    return 0;
}
