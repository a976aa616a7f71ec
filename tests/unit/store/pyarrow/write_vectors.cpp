/// write_vectors FOLDER: random vectors as FOLDER/vectors.arrow, numbers.arrow (labels as numbers),
/// compressed.arrow and as the text vectors.svm, for read_vectors.py to compare.

#include <map>
#include <string>
#include <vector>

#include "base/random.hpp"
#include "store/vectors.hpp"

int main(int argc, char** argv) {
    using namespace treeline;
    if (argc != 2) {
        return 2;
    }
    const std::string folder = argv[1];
    const store::VectorsInfo info{.kernel = "sst(lambda=0.4)",
                                  .norm = "kernel",
                                  .vectors = "unit",
                                  .fragments = 1000,
                                  .dictionary = "0123456789abcdef0123456789abcdef"};
    std::map<std::string, std::uint64_t, std::less<>> numbers;
    std::vector<std::unique_ptr<store::VectorSink>> sinks;
    sinks.push_back(store::make_arrow_sink(folder + "/vectors.arrow", info));
    sinks.push_back(
        store::make_arrow_sink(folder + "/numbers.arrow", info, {.labels = store::LabelColumn::kNumber}));
    sinks.push_back(store::make_arrow_sink(folder + "/compressed.arrow", info, {.compress = true}));
    sinks.push_back(store::make_libsvm_sink(folder + "/vectors.svm", numbers));
    base::Random random(1);
    for (std::uint64_t id = 0; id < 70000; ++id) {
        // Labels that turn up in the second batch only.
        const std::string label = std::to_string(random.below(id < 66000 ? 3 : 6));
        std::vector<std::uint32_t> indices;
        std::vector<float> values;
        for (std::uint32_t index = 0; index < 1000;
             index += 1 + static_cast<std::uint32_t>(random.below(400))) {
            indices.push_back(index);
            values.push_back(static_cast<float>(random.normal()));
        }
        for (const auto& sink : sinks) {
            sink->add({id, label, indices, values});
        }
    }
    for (const auto& sink : sinks) {
        (void)sink->commit();
    }
}
