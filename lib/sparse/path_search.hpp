#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/progress.hpp"
#include "evaluate/splits.hpp"
#include "sparse/sparse_path.hpp"

namespace treeline::sparse {

/// Which C are learned for, and which model is kept.
struct PathOptions {
    std::size_t steps = 0;          ///< values of C; 0 = none asked for
    bool search = false;            ///< keep the best by held-out examples, not the last
    std::size_t max_fragments = 0;  ///< end before a model with more features; 0 = no end
    std::size_t folds = 5;          ///< of a search without held-out examples
    std::uint64_t seed = 1;         ///< of the folds
    evaluate::Splitting splitting = evaluate::Splitting::kStratified;  ///< likewise
    std::optional<double> last = {};  ///< largest C; otherwise a multiple of the first

    [[nodiscard]] bool wanted() const { return steps > 0 || search || max_fragments > 0; }
};

/// The models of a path.
struct Path {
    std::vector<PathStep> steps;
    std::size_t chosen = 0;
    std::string how;                 ///< it was chosen
    std::string measure;             ///< what the quality is
    std::vector<double> costs;       ///< that were to be looked at,
    std::vector<double> validation;  ///< and what cross-validation says of the first of them
    bool interrupted =
        false;  ///< before its end; the model kept is from a step that was finished, if there is one
};

/// Values of C from the first that has a weight.
[[nodiscard]] std::vector<double> costs_of(const PathOptions& options, double first);

/// Goes along path.costs until they end or a model has too many features; judges by `held_out` where there is one, and otherwise
/// has the qualities of path.validation. Searching, it goes no further than the best C, or for a while beyond the best so far.
/// Throws base::Error if even the first model has too many features.
void follow(Path& path, const PathOptions& options, PathLearner& learner, HeldOut* held_out,
            base::ProgressObserver& progress);

}  // namespace treeline::sparse
