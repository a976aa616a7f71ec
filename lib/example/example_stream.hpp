#pragma once

#include <tbb/enumerable_thread_specific.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "base/pipeline.hpp"
#include "base/record_lines.hpp"
#include "example/example.hpp"
#include "example/example_parser.hpp"
#include "example/example_reader.hpp"
#include "example/example_set.hpp"

/// Examples of a file too large to keep: read, worked on in parallel and delivered in order, with a bounded
/// number of batches in flight.
namespace treeline::example {

struct ExampleStreamOptions {
    ExampleReaderOptions reader;  ///< kTreebank is refused: its trees have no lines of their own; no names
    std::uint32_t shard = 0;      ///< keep the examples whose number modulo `shards` is this
    std::uint32_t shards = 1;
    std::size_t batch_bytes = std::size_t{1} << 18;
    std::size_t batch_lines = 4096;
};

/// Records of an input. Examples are numbered from 0 in the order of the file, whether they are kept, skipped or
/// of another shard.
struct LineBatch {
    struct Line {
        std::uint64_t example = 0;  ///< its number
        std::uint64_t line = 0;     ///< in the file, from 1
        std::size_t begin = 0;      ///< in text
        std::size_t size = 0;
    };
    std::string text;
    std::vector<Line> lines;
    ExampleFormat format = ExampleFormat::kAuto;
    std::optional<base::InputError> failure;  ///< what stopped the reading after these lines
};

/// Cuts a file into batches. A batch ends early where the next line would have to be waited for, as in a
/// pipe.
class LineBatcher {
  public:
    LineBatcher(std::string path, const ExampleStreamOptions& options);
    /// Null at the end.
    [[nodiscard]] std::unique_ptr<LineBatch> next();

  private:
    void fill(LineBatch& batch);

    base::RecordLines lines_;
    ExampleStreamOptions options_;
    bool ended_ = false;
};

/// What became of the lines of a batch. `failure` stands for the first line that could not be read, after which
/// none was.
struct BatchOutcome {
    std::uint64_t examples = 0;
    base::BadRecords bad{};
    std::optional<base::InputError> failure{};
};

/// Parses the lines of a batch of the file `path` and hands each to `take` with its number. What `take` throws
/// as base::Error is a fault of the example, too.
BatchOutcome parse_batch(const std::string& path, const LineBatch& batch, const ExampleReaderOptions& options,
                         ExampleParser& parser, Example& example,
                         const std::function<void(const Example&, std::uint64_t)>& take);

/// Streams the examples of `path` through workers, one a thread, made by make_worker() as the threads turn
/// up. worker(example, number, result) is called for the examples of a batch, in order, and adds to the
/// batch's Result; deliver(Result&) gets the results in order of the batches, from one thread at a time.
/// Deterministic as far as the workers are. Throws what the first bad example throws.
template <typename Result, typename MakeWorker, typename Deliver>
ReadReport stream_examples(const std::string& path, const ExampleStreamOptions& options,
                           MakeWorker make_worker, Deliver deliver) {
    struct Thread {
        Thread(MakeWorker& make, TableColumns columns) : worker(make()), parser(nullptr, columns) {}
        decltype(make_worker()) worker;
        ExampleParser parser;
        Example example;
    };
    struct Done {
        Result result;
        BatchOutcome outcome;
    };
    LineBatcher batcher(path, options);
    tbb::enumerable_thread_specific<std::unique_ptr<Thread>> threads;
    ReadReport report{.bad = base::BadRecords(options.reader.records.on_error)};
    const auto work = [&](const LineBatch& batch) {
        std::unique_ptr<Thread>& thread = threads.local();
        if (thread == nullptr) {
            thread = std::make_unique<Thread>(make_worker, options.reader.columns);
        }
        auto done = std::make_shared<Done>();
        done->outcome = parse_batch(path, batch, options.reader, thread->parser, thread->example,
                                    [&](const Example& example, std::uint64_t number) {
                                        thread->worker(example, number, done->result);
                                    });
        return done;
    };
    const auto hand_over = [&](Done& done) {
        if (done.outcome.failure) {
            throw *done.outcome.failure;
        }
        report.examples += done.outcome.examples;
        report.bad.append(done.outcome.bad);
        deliver(done.result);
    };
    base::parallel_pipeline<LineBatch, Done>(
        base::current_threads() * 3, [&] { return batcher.next(); }, work, hand_over);
    return report;
}

}  // namespace treeline::example
