#include "explicit_vectors.hpp"

#include <tbb/enumerable_thread_specific.h>

#include <atomic>

#include "base/parallel.hpp"

namespace treeline::python {

namespace {

/// Trees that one thread takes at a time.
constexpr std::size_t kTextsAtATime = 512;

}  // namespace

VectorRows vectorize(const classify::TreeSpace& space, const TreeTexts& texts, Listener& listener) {
    struct Worker {
        TreeParser parser;
        fragment::Vectorizer vectorizer;
    };
    // What a vectorizer has matched serves the pieces after it: one a thread, not one a piece.
    tbb::enumerable_thread_specific<Worker> workers([&] {
        return Worker{TreeParser(texts), space.make_vectorizer()};
    });
    std::vector<VectorRows> pieces((texts.size() + kTextsAtATime - 1) / kTextsAtATime);
    std::atomic<std::uint64_t> done = 0;
    listener.start("trees", texts.size());
    base::parallel_pieces(texts.size(), kTextsAtATime, [&](std::size_t begin, std::size_t end) {
        Worker& worker = workers.local();
        VectorRows& piece = pieces[begin / kTextsAtATime];
        for (std::size_t i = begin; i < end; ++i) {
            worker.vectorizer.vectorize(worker.parser.parse(i), piece.indices, piece.values);
            piece.ends.push_back(static_cast<std::int64_t>(piece.indices.size()));
        }
        listener.update(done += end - begin);
    });
    VectorRows all;
    std::size_t entries = 0;
    for (const VectorRows& piece : pieces) {
        entries += piece.indices.size();
    }
    all.ends.reserve(texts.size() + 1);
    all.indices.reserve(entries);
    all.values.reserve(entries);
    for (VectorRows& piece : pieces) {
        const auto before = static_cast<std::int64_t>(all.indices.size());
        for (std::size_t i = 1; i < piece.ends.size(); ++i) {
            all.ends.push_back(before + piece.ends[i]);
        }
        all.indices.insert(all.indices.end(), piece.indices.begin(), piece.indices.end());
        all.values.insert(all.values.end(), piece.values.begin(), piece.values.end());
        piece = {};
    }
    listener.finish();
    return all;
}

}  // namespace treeline::python
