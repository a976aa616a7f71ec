#include "tfx/tfx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "common/manifest.hpp"
#include "common/reading.hpp"
#include "example/class_set.hpp"
#include "example/example_stream.hpp"
#include "fragment/matcher_index.hpp"
#include "store/dictionary.hpp"
#include "tfx/label_numbers.hpp"
#include "tfx/part_folder.hpp"

namespace treeline::tfx {

namespace {

constexpr std::size_t kLeastCache = std::size_t{2} << 20;
constexpr std::size_t kBatchBytes = std::size_t{4} << 20;  // of a batch in flight with its rows

/// Rows of one batch of lines.
struct Rows {
    struct Row {
        std::uint64_t id;
        std::size_t label_end;
        std::size_t end;
        double weight;
    };
    std::vector<Row> rows;
    std::string labels;
    std::vector<std::uint32_t> indices;
    std::vector<float> values;
    bool has_costs = false;
};

fragment::MatcherIndex build_index(const store::Dictionary& dictionary, base::ProgressObserver& progress) {
    fragment::MatcherIndex index(dictionary.info().kernel, dictionary.info().weight);
    progress.start("dictionary", dictionary.size());
    dictionary.for_each([&](const store::Dictionary::Entry& entry) {
        index.add(entry.id, entry.fragment, dictionary.symbols());
        return true;
    });
    progress.finish();
    return index;
}

base::Manifest plan(const Options& options, const ShardRange& range, const store::Dictionary& dictionary) {
    std::vector<std::string> inputs{options.input, options.dictionary};
    if (!options.label_numbers.empty()) {
        inputs.push_back(options.label_numbers);
    }
    return stage::plan_manifest(
        "tfx",
        {{"dictionary-digest", dictionary.digest()},
         {"format", options.format == Format::kArrow ? "arrow" : "libsvm"},
         {"norm", fragment::to_string(options.vectorizer.norm)},
         {"vectors", fragment::to_string(options.vectorizer.vectors)},
         {"labels", options.writer.labels == store::LabelColumn::kText ? "text" : "number"},
         {"compress", options.writer.compress},
         {"costs", options.writer.weights},
         {"on-error", options.common.on_error == stage::OnError::kFail ? "fail" : "skip"},
         {"label-until", options.label_until},
         {"limit", stage::value_of(options.limit)},
         {"shards", stage::value_of(range.count)}},
        inputs);
}

/// Memory for what each worker keeps, after everything else has its share.
std::size_t cache_bytes(const Options& options, std::size_t index_bytes, std::size_t parts) {
    const std::size_t threads = base::current_threads();
    const std::size_t fixed = index_bytes + parts * store::kWriterBytes + threads * 3 * kBatchBytes;
    const std::size_t least = fixed + threads * kLeastCache;
    if (least > options.common.memory) {
        throw base::UsageError(
            fmt::format("--memory {} is too little: {} part(s) at a time on {} thread(s) need {}",
                        base::format_size(options.common.memory), parts, threads, base::format_size(least)));
    }
    return std::min(fragment::Matcher::kCacheBytes, (options.common.memory - fixed) / threads);
}

/// The part of each shard that is made here, with its counts.
struct Part {
    std::uint32_t shard = 0;
    std::unique_ptr<store::VectorSink> sink;
    std::int64_t rows = 0;
    std::int64_t entries = 0;
};

}  // namespace

ShardRange shard_range(const Options& options) {
    if (options.shard.empty()) {
        return {0, options.shards, options.shards};
    }
    const std::size_t slash = options.shard.find('/');
    const auto which = base::parse_unsigned(std::string_view(options.shard).substr(0, slash));
    const auto count = slash == std::string::npos
                           ? std::nullopt
                           : base::parse_unsigned(std::string_view(options.shard).substr(slash + 1));
    if (!which || !count || *which < 1 || *which > *count ||
        *count > std::numeric_limits<std::uint32_t>::max()) {
        throw base::UsageError("--shard " + base::quoted(options.shard) +
                               "; expected i/N with 1 <= i <= N, such as 2/4");
    }
    const auto shard = static_cast<std::uint32_t>(*which - 1);
    return {shard, shard + 1, static_cast<std::uint32_t>(*count)};
}

void validate(const Options& options) {
    (void)shard_range(options);
    if (options.shards == 0) {
        throw base::UsageError("--shards 0; expected at least 1");
    }
    if (options.output == "-") {
        throw base::UsageError("--output is a folder of parts; stdout cannot be one");
    }
    if (!options.label_numbers.empty() && options.format != Format::kLibsvm) {
        throw base::UsageError("--label-numbers is for --format libsvm");
    }
    if (options.format == Format::kLibsvm && (options.writer.compress || options.writer.weights)) {
        throw base::UsageError("--compress and --costs are for --format arrow");
    }
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    const ShardRange range = shard_range(options);
    const store::Dictionary dictionary(options.dictionary);
    const bool arrow = options.format == Format::kArrow;
    const base::RecordOptions records{.on_error = options.common.on_error, .limit = options.limit};
    LabelNumbers numbers;
    if (!options.label_numbers.empty()) {
        numbers = read_or_make_label_numbers(options.label_numbers, options.input, records,
                                             options.label_until, progress);
    }
    PartFolder folder(options.output, plan(options, range, dictionary), range.count,
                      arrow ? ".arrow" : ".svm");
    folder.prepare(options.common.force);

    std::vector<Part> parts;
    for (std::uint32_t shard = range.first; shard < range.last; ++shard) {
        if (folder.is_made(shard)) {
            progress.note("'" + folder.part_path(shard) + "' is up to date");
        } else {
            parts.push_back({.shard = shard, .sink = nullptr});
        }
    }
    if (parts.empty()) {
        folder.finish();
        return {};
    }

    const fragment::MatcherIndex index = build_index(dictionary, progress);
    const std::size_t cache = cache_bytes(options, index.bytes(), parts.size());
    std::map<std::string, std::uint64_t, std::less<>> none;
    std::vector<Part*> part_of(range.count, nullptr);
    for (Part& part : parts) {
        part_of[part.shard] = &part;
        const store::VectorsInfo info{
            .kernel = kernel::to_string(kernel::BasicKernel(dictionary.info().kernel)),
            .norm = fragment::to_string(options.vectorizer.norm),
            .vectors = fragment::to_string(options.vectorizer.vectors),
            .fragments = dictionary.size(),
            .dictionary = dictionary.digest(),
            .shard = part.shard,
            .shards = range.count};
        part.sink = arrow ? store::make_arrow_sink(folder.part_path(part.shard), info, options.writer)
                          : store::make_libsvm_sink(folder.part_path(part.shard), none);
    }

    example::ExampleStreamOptions stream;
    stream.reader.records = records;
    if (parts.size() == 1) {
        stream.shard = parts.front().shard;
        stream.shards = range.count;
    }
    struct Worker {
        fragment::Vectorizer vectorizer;
        std::string_view label_until;
        const LabelNumbers* numbers;  // of LIBSVM text
        void operator()(const example::Example& example, std::uint64_t number, Rows& rows) {
            const auto label = example::cut_label(example.label, label_until);
            const auto written = numbers == nullptr ? label : numbers->number_of(label);
            vectorizer.vectorize(example, rows.indices, rows.values);
            rows.labels += written;
            rows.has_costs = rows.has_costs || example.cost != 1;
            rows.rows.push_back({number, rows.labels.size(), rows.indices.size(), example.cost});
        }
    };
    std::uint64_t done = 0;
    bool has_costs = false;
    progress.start("trees", 0);
    const example::ReadReport report = example::stream_examples<Rows>(
        options.input, stream,
        [&] {
            return Worker{{index, dictionary.size(), options.vectorizer, cache},
                          options.label_until,
                          arrow ? nullptr : &numbers};
        },
        [&](const Rows& batch) {
            std::size_t label_begin = 0;
            std::size_t begin = 0;
            for (const Rows::Row& row : batch.rows) {
                if (Part* const part = part_of[row.id % range.count]) {
                    part->sink->add(
                        {row.id,
                         std::string_view(batch.labels).substr(label_begin, row.label_end - label_begin),
                         std::span(batch.indices).subspan(begin, row.end - begin),
                         std::span(batch.values).subspan(begin, row.end - begin), row.weight});
                    ++part->rows;
                    part->entries += static_cast<std::int64_t>(row.end - begin);
                }
                label_begin = row.label_end;
                begin = row.end;
            }
            has_costs = has_costs || batch.has_costs;
            done += batch.rows.size();
            progress.update(done);
        });
    progress.finish();
    stage::tell_skipped(report.bad, progress);
    if (has_costs && !options.writer.weights) {
        progress.note("some examples have a cost; --costs keeps it");
    }
    stage::Summary summary{.in = report.records(), .out = 0, .skipped = report.bad.skipped()};
    for (Part& part : parts) {
        const base::Manifest::File file = part.sink->commit();
        folder.record(part.shard, file, {{"rows", part.rows}, {"entries", part.entries}});
        summary.out += static_cast<std::uint64_t>(part.rows);
    }
    if (!folder.finish()) {
        progress.note("other parts are still to be made");
    }
    return summary;
}

}  // namespace treeline::tfx
