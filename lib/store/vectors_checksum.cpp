#include "store/vectors_checksum.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/digest.hpp"

namespace treeline::store {

namespace {

template <typename T>
std::string_view bytes_of(std::span<const T> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

}  // namespace

std::string digest_of(const VectorsInfo& info, const VectorsBatch& batch, std::span<const double> numbers) {
    base::Digest digest;
    digest.update(fmt::format("{}\n{}\n{}\n{}\n{}\n{}\n{}\n", info.kernel, info.norm, info.vectors,
                              info.fragments, info.dictionary, info.shard, info.shards));
    digest.update(bytes_of(batch.ids));
    if (numbers.empty() && !batch.label_codes.empty()) {
        digest.update(bytes_of(batch.label_codes));
        const auto largest = static_cast<std::size_t>(*std::ranges::max_element(batch.label_codes));
        for (std::size_t name = 0; name <= largest; ++name) {
            digest.update(batch.label_names[name]);
            digest.update("\n");
        }
    }
    digest.update(bytes_of(numbers));
    digest.update(bytes_of(batch.offsets));
    digest.update(bytes_of(batch.indices));
    digest.update(bytes_of(batch.values));
    digest.update(bytes_of(batch.weights));
    return digest.hex();
}

}  // namespace treeline::store
