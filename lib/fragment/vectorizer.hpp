#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/names.hpp"
#include "example/example.hpp"
#include "fragment/matcher.hpp"

namespace treeline::fragment {

/// What the fragments of a tree are divided by: ||t|| = sqrt(K(t, t)) if the kernel is normalized; the length
/// of the vector over the dictionary's fragments; nothing.
enum class VectorNorm { kKernel, kExplicit, kNone };

inline constexpr base::NameTable<VectorNorm, 3> kVectorNormNames{{
    {VectorNorm::kKernel, "kernel"},
    {VectorNorm::kExplicit, "explicit"},
    {VectorNorm::kNone, "none"},
}};
/// What becomes of an example's flat features: they are left out, kept, or divided by their length.
enum class FlatFeatures { kNone, kRaw, kUnit };

inline constexpr base::NameTable<FlatFeatures, 3> kFlatFeaturesNames{{
    {FlatFeatures::kNone, "none"},
    {FlatFeatures::kRaw, "raw"},
    {FlatFeatures::kUnit, "unit"},
}};

struct VectorizerOptions {
    VectorNorm norm = VectorNorm::kKernel;
    FlatFeatures vectors = FlatFeatures::kUnit;
};

/// Examples as explicit vectors: the value of fragment f stands at index f, that of flat feature i (from 1)
/// at index fragments + i - 1. Each tree is normalized by itself; several trees of an example (which
/// only kernels with pairs=all have in one space), or several flat vectors, are added up. The values depend
/// on the example alone. Not thread-safe, one per thread.
class Vectorizer {
  public:
    /// `fragments`: the size of the dictionary, at least the dimension of the index. Both must outlive this.
    Vectorizer(const MatcherIndex& index, std::size_t fragments, const VectorizerOptions& options,
               std::size_t cache_bytes = Matcher::kCacheBytes);

    /// Appends the entries of the example's vector, ascending, without zeros. Throws base::Error where the
    /// example has no such vector.
    void vectorize(const example::Example& example, std::vector<std::uint32_t>& indices,
                   std::vector<float>& values);

  private:
    void add_tree(const tree::TreeText& tree);
    void add_vector(const example::SparseVector& vector);
    void merge();

    const MatcherIndex* index_;
    std::size_t fragments_;
    VectorizerOptions options_;
    Matcher matcher_;
    std::vector<Match> matches_;
    std::vector<Match> entries_;
};

}  // namespace treeline::fragment
