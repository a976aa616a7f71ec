#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "fragment/weight.hpp"
#include "kernel/description.hpp"

/// Keys and values of the fragment dictionary, byte by byte as FORMATS.md has them. Knows nothing of RocksDB.
/// Decoders take any bytes: what is not a value of the format throws FormatError.
namespace treeline::store {

/// Bytes that are not what the format says.
class FormatError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Column families in the order in which the content digest takes them.
enum class Family : std::size_t { kLabels, kArcs, kTails, kFragments, kRoots, kProductions, kMeta };
inline constexpr std::array<std::string_view, 7> kFamilyNames{"labels", "arcs",        "tails", "fragments",
                                                              "roots",  "productions", "meta"};

/// A label of the index: each element of a sequence is one.
enum class LabelKind : std::uint8_t { kUp = 0, kInner = 1, kLeaf = 2 };
struct IndexLabel {
    LabelKind kind = LabelKind::kUp;
    std::string text;  ///< empty for kUp
    bool operator==(const IndexLabel&) const = default;
};
inline constexpr std::uint32_t kUpLabel = 0;  ///< its number

/// A tail of a sequence: its first label, and which of that label's tails. number 0 is the tail that ends
/// there.
struct Tail {
    std::uint32_t label = 0;
    std::uint32_t number = 0;
    bool operator==(const Tail&) const = default;
};

/// What a model says about a fragment.
struct ModelRelevance {
    std::uint32_t model = 0;  ///< number in the dictionary's list of models
    double relevance = 0;
    std::uint64_t count = 0;  ///< nodes of the model's trees at which the fragment occurs
    bool operator==(const ModelRelevance&) const = default;
};

/// What is known about a fragment; `models` ascend.
struct FragmentRecord {
    Tail root;
    std::uint32_t nodes = 0;
    std::uint32_t expanded = 0;  ///< s(f)
    std::uint32_t depth = 0;
    double relevance = 0;  ///< of the class for which it is largest by amount, see ClassRelevance
    std::vector<ModelRelevance> models;
    bool operator==(const FragmentRecord&) const = default;

    [[nodiscard]] std::uint64_t count() const;
};

/// Big-endian numbers: keys sort by them.
void append_key(std::string& out, std::uint32_t number);
[[nodiscard]] std::vector<std::uint32_t> decode_key(std::string_view key);

[[nodiscard]] std::string encode_label(const IndexLabel& label);
[[nodiscard]] IndexLabel decode_label(std::string_view value);

[[nodiscard]] std::string encode_tail(const Tail& tail);
[[nodiscard]] Tail decode_tail(std::string_view value);

[[nodiscard]] std::string encode_number(std::uint64_t number);
[[nodiscard]] std::uint64_t decode_number(std::string_view value);

[[nodiscard]] std::string encode_record(const FragmentRecord& record);
[[nodiscard]] FragmentRecord decode_record(std::string_view value);

/// Ascending numbers.
[[nodiscard]] std::string encode_ids(const std::vector<std::uint32_t>& ids);
[[nodiscard]] std::vector<std::uint32_t> decode_ids(std::string_view value);

/// One model that fragments were mined from.
struct DictionaryModel {
    std::string name;    ///< of its file
    std::string digest;  ///< of its file
    std::string label;   ///< positive class
    std::uint64_t support_vectors = 0;
    std::uint64_t mined = 0;  ///< fragments listed for it
    double least = 0;         ///< |relevance| of the last of them
    double norm = 0;          ///< ||w||
    double retained = 0;      ///< ||w_D|| of the fragments listed
    bool operator==(const DictionaryModel&) const = default;
};

/// Head of a dictionary.
struct DictionaryInfo {
    kernel::TreeKernel kernel;
    fragment::WeightScheme weight = fragment::WeightScheme::kExact;
    std::string miner = "exact";
    std::vector<DictionaryModel> models;
    bool operator==(const DictionaryInfo&) const = default;
};

[[nodiscard]] std::string encode_models(const std::vector<DictionaryModel>& models);
[[nodiscard]] std::vector<DictionaryModel> decode_models(std::string_view json);

}  // namespace treeline::store
