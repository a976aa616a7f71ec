#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "example/example_set.hpp"
#include "fragment/matcher_index.hpp"
#include "fragment/vectorizer.hpp"
#include "linear/linear_problem.hpp"
#include "store/dictionary.hpp"
#include "store/vectors.hpp"

namespace treeline::classify {

/// Examples as explicit vectors, with the memory of their entries.
class ExplicitRows {
  public:
    [[nodiscard]] std::size_t size() const { return labels_.size(); }
    [[nodiscard]] linear::SparseRow row(std::size_t example) const;
    [[nodiscard]] const std::string& label(std::size_t example) const { return labels_[example]; }
    /// What a linear model is trained on; refers to the rows, which must outlive it.
    [[nodiscard]] linear::LinearProblem problem() const;

  private:
    friend class TreeSpace;
    /// Rows of a run of examples.
    struct Piece {
        std::vector<std::size_t> ends;
        std::vector<std::uint32_t> indices;
        std::vector<float> values;
    };
    std::size_t piece_size_ = 1;
    std::vector<Piece> pieces_;
    std::vector<std::string> labels_;
    std::vector<double> costs_;  ///< empty where all are 1
    std::uint64_t features_ = 0;
};

/// The space of explicit vectors over a dictionary: fragments ready for matching, and what is done with values.
/// Immutable and thread-safe once it is made.
class TreeSpace {
  public:
    /// Reads all fragments of the dictionary, which need not outlive it.
    explicit TreeSpace(const store::Dictionary& dictionary, const fragment::VectorizerOptions& options = {},
                       base::ProgressObserver& observer = base::silent_observer());

    [[nodiscard]] const fragment::MatcherIndex& index() const { return index_; }
    /// What the vectors mean, for files of vectors and linear models.
    [[nodiscard]] const store::VectorsInfo& info() const { return info_; }
    /// Makes vectors one by one; it refers to this space. One a thread.
    [[nodiscard]] fragment::Vectorizer make_vectorizer(
        std::size_t cache_bytes = fragment::Matcher::kCacheBytes) const {
        return {index_, static_cast<std::size_t>(info_.fragments), options_, cache_bytes};
    }

    /// All examples of a set whose trees are in `forest`; labels end before `label_until` (empty = whole labels).
    /// Parallel; the same for any number of threads. Throws base::Error where an example has no such vector.
    [[nodiscard]] ExplicitRows vectorize(const example::ExampleSet& examples, const tree::Forest& forest,
                                         const std::string& label_until = {}) const;

  private:
    fragment::MatcherIndex index_;
    fragment::VectorizerOptions options_;
    store::VectorsInfo info_;
};

/// How the vectors of a linear model were made, by what its file says. Throws InputError with `path` where it
/// says nothing.
[[nodiscard]] fragment::VectorizerOptions vectorizer_options(const std::string& path,
                                                             const store::VectorsInfo& info);

/// Throws InputError with `path` where what stands there was made with another dictionary than the model; both
/// are digests.
void require_same_dictionary(const std::string& path, const std::string& model, const std::string& other);

/// An example of a set as it was read; its texts live as long as the set and the forest.
void copy_example(const example::ExampleSet& examples, std::size_t number, const tree::Forest& forest,
                  example::Example& out);

}  // namespace treeline::classify
