#include "store/npy.hpp"

#include <bit>

namespace treeline::store {

namespace {

constexpr std::size_t kAlignment = 64;

template <typename Bits>
void append_little_endian(std::string& out, Bits bits) {
    for (std::size_t byte = 0; byte < sizeof bits; ++byte) {
        out += static_cast<char>(static_cast<unsigned char>(bits >> (8 * byte)));
    }
}

}  // namespace

std::string npy_header(NpyType type, std::span<const std::uint64_t> shape) {
    std::string sizes;
    for (const std::uint64_t size : shape) {
        sizes += std::to_string(size) + ", ";
    }
    // (3,) but (3, 4)
    sizes.resize(sizes.size() - (shape.size() == 1 ? 1 : 2));
    std::string dictionary = std::string("{'descr': '") + (type == NpyType::kFloat64 ? "<f8" : "<f4") +
                             "', 'fortran_order': False, 'shape': (" + sizes + "), }";
    constexpr std::size_t kBefore = 10;  // magic, version, length
    while ((kBefore + dictionary.size() + 1) % kAlignment != 0) {
        dictionary += ' ';
    }
    dictionary += '\n';
    std::string header("\x93NUMPY\x01\x00", 8);
    append_little_endian(header, static_cast<std::uint16_t>(dictionary.size()));
    return header + dictionary;
}

void append_npy(std::string& out, NpyType type, std::span<const double> values) {
    for (const double value : values) {
        if (type == NpyType::kFloat64) {
            append_little_endian(out, std::bit_cast<std::uint64_t>(value));
        } else {
            append_little_endian(out, std::bit_cast<std::uint32_t>(static_cast<float>(value)));
        }
    }
}

}  // namespace treeline::store
