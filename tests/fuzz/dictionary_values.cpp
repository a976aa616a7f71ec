#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "store/dictionary_format.hpp"
#include "store/tail_index.hpp"

namespace {

using namespace treeline::store;

/// What is decoded is encoded to the same bytes: values have one form only.
template <typename Decode, typename Encode>
void round_trip(std::string_view bytes, Decode&& decode, Encode&& encode) {
    try {
        if (encode(decode(bytes)) != bytes) {
            std::abort();
        }
    } catch (const FormatError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    round_trip(bytes, decode_label, encode_label);
    round_trip(bytes, decode_tail, encode_tail);
    round_trip(bytes, decode_number, encode_number);
    round_trip(bytes, decode_record, encode_record);
    round_trip(bytes, decode_ids, encode_ids);
    try {
        (void)decode_models(bytes);
    } catch (const FormatError&) {
    }
    // Bytes as a sequence over five labels.
    const LabelKind kinds[] = {LabelKind::kUp, LabelKind::kInner, LabelKind::kInner, LabelKind::kLeaf,
                               LabelKind::kLeaf};
    const treeline::tree::SymbolId symbols[5] = {};
    std::vector<std::uint32_t> sequence;
    for (const char c : bytes) {
        sequence.push_back(static_cast<unsigned char>(c) % 6U);
    }
    try {
        (void)fragment_of_sequence(sequence, kinds, symbols);
    } catch (const FormatError&) {
    }
    return 0;
}
