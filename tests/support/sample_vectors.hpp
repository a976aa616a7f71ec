#pragma once

#include <string>
#include <vector>

#include "base/progress.hpp"
#include "example/example_reader.hpp"
#include "fragment/matcher_index.hpp"
#include "fragment/vectorizer.hpp"
#include "kernel/description.hpp"
#include "store/dictionary.hpp"
#include "store/vectors.hpp"

namespace treeline::test {

/// One Arrow file with the examples of a file as vectors over a dictionary.
inline void make_sample_vectors(const std::string& path, const std::string& dictionary_path,
                                const std::string& examples_path) {
    const store::Dictionary dictionary(dictionary_path);
    fragment::MatcherIndex index(dictionary.info().kernel, dictionary.info().weight, dictionary.symbols());
    dictionary.for_each([&](const store::Dictionary::Entry& entry) {
        index.add(entry.id, entry.fragment);
        return true;
    });
    fragment::Vectorizer vectorizer(index, dictionary.size(), {});
    const auto sink = store::make_arrow_sink(
        path, {.kernel = kernel::to_string(kernel::BasicKernel(dictionary.info().kernel)),
               .norm = "kernel",
               .vectors = "unit",
               .fragments = dictionary.size(),
               .dictionary = dictionary.digest()});
    example::ExampleReader reader(examples_path);
    example::Example example;
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
    for (std::uint64_t id = 0; reader.next(example); ++id) {
        indices.clear();
        values.clear();
        vectorizer.vectorize(example, indices, values);
        sink->add({id, example.label, indices, values});
    }
    (void)sink->commit();
}

}  // namespace treeline::test
