#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <span>
#include <vector>

#include "fragment/fragment.hpp"
#include "tree/symbols.hpp"

namespace treeline::fragment {

/// One growth decision; what the numbers mean is the miner's (see growth.hpp). A fragment found is kept as
/// its decisions and spelled out only where its text is needed.
struct Step {
    std::uint32_t where = 0;
    std::uint32_t what = 0;
};

/// What a candidate has to reach. Fragments are ranked by |relevance| descending, then by size ascending,
/// then by text.
struct Limit {
    double relevance = 0;              ///< at least this,
    std::uint32_t size = 0xffffffffU;  ///< and at most this size where |relevance| is just that

    /// True if nothing of at most `bound` and at least `size` can be listed.
    [[nodiscard]] bool excludes(double bound, std::uint32_t at_least_size) const {
        return bound < relevance || (bound == relevance && at_least_size > size);
    }
};

/// The best `top` candidates seen, or all that reach a threshold: what is kept does not depend on the order
/// in which they come. Thread-safe through Batch. Memory: at most twice `top` candidates.
class TopList {
  public:
    struct Candidate {
        double relevance = 0;
        std::uint64_t count = 0;
        std::uint32_t size = 0;
        std::uint32_t step_count = 0;
        std::size_t first_step = 0;
    };
    using Speller = std::function<void(std::span<const Step>, Fragment&)>;

    /// top = 0: no limit in number. More than `memory` bytes throws base::Error that says what would help.
    /// Without a speller the list is for relevances alone: which of equal ones are kept is left open.
    TopList(std::size_t top, double threshold, std::size_t memory, Speller speller,
            const tree::SymbolTable& symbols);

    /// Candidates gathered by one thread, handed over now and then.
    class Batch {
      public:
        explicit Batch(TopList& list) : list_(&list), limit_(list.limit()) {}
        [[nodiscard]] const Limit& limit() const { return limit_; }
        void offer(double relevance, std::uint64_t count, std::uint32_t size, std::span<const Step> steps);
        /// Hands over and learns of the limit that others have raised; to be called at the end, too.
        void flush();
        /// Like Limit::excludes; remembers that something was excluded.
        [[nodiscard]] bool excludes(double bound, std::uint32_t at_least_size) {
            const bool excluded = limit_.excludes(bound, at_least_size);
            pruned_ = pruned_ || excluded;
            return excluded;
        }

      private:
        TopList* list_;
        Limit limit_;
        bool pruned_ = false;
        std::vector<Candidate> candidates_;
        std::vector<Step> steps_;
    };

    [[nodiscard]] Limit limit() const;
    /// Sets the least relevance before anything is offered.
    void raise(double relevance) { limit_.relevance = std::max(limit_.relevance, relevance); }
    /// True if something was left out, or not looked at, because it could not reach the limit.
    [[nodiscard]] bool pruned() const { return pruned_; }
    /// The relevance of the last of the best `top`, if there are so many.
    [[nodiscard]] std::optional<double> last_relevance();

    /// The list in its order; `visit` gets each fragment with its relevance and count. The list is spent
    /// afterwards.
    struct Entry {
        FragmentView fragment;
        double relevance;
        std::uint64_t count;
    };
    void finish(const std::function<void(const Entry&)>& visit);
    [[nodiscard]] std::size_t size() const { return candidates_.size(); }

    /// Upper bound of the memory that the best `top` fragments need while they are looked for.
    [[nodiscard]] static std::size_t bytes_needed(std::size_t top);

  private:
    void take(std::span<const Candidate> candidates, std::span<const Step> steps);
    void cut();
    void order_ties(std::vector<Candidate>::iterator begin, std::vector<Candidate>::iterator end,
                    std::size_t keep) const;
    void spell(const Candidate& candidate, Fragment& out) const;

    std::size_t top_;
    std::size_t memory_;
    Speller speller_;
    const tree::SymbolTable* symbols_;

    mutable std::mutex mutex_;
    Limit limit_;
    bool pruned_ = false;
    std::vector<Candidate> candidates_;
    std::vector<Step> steps_;
};

}  // namespace treeline::fragment
