#include "tfx/tfx.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/memory.hpp"
#include "base/names.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/parts_folder.hpp"
#include "base/text.hpp"
#include "classify/tree_space.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "example/class_set.hpp"
#include "example/example_stream.hpp"
#include "store/dictionary.hpp"
#include "tfx/label_numbers.hpp"

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

base::Plan plan(const Options& options, const ShardRange& range, const store::Dictionary& dictionary) {
    std::vector<std::string> inputs{options.input, options.dictionary};
    if (!options.label_numbers.empty()) {
        inputs.push_back(options.label_numbers);
    }
    return stage::plan_work(
        "tfx",
        {{"dictionary-digest", dictionary.digest()},
         {"format", stage::value_of(kFormatNames, options.format)},
         {"norm", stage::value_of(fragment::kVectorNormNames, options.vectorizer.norm)},
         {"vectors", stage::value_of(fragment::kFlatFeaturesNames, options.vectorizer.vectors)},
         {"labels", stage::value_of(store::kLabelColumnNames, options.writer.labels)},
         {"compress", options.writer.compress},
         {"costs", options.writer.weights},
         {"label-until", options.label_until},
         {"limit", stage::value_of(options.limit)},
         {"shards", stage::value_of(range.count)}},
        options.common, inputs);
}

base::PartsFolder make_folder(const Options& options, const ShardRange& range,
                              const store::Dictionary& dictionary) {
    const auto ending =
        options.format == Format::kArrow ? base::formats::kArrowEnding : base::formats::kLibsvmEnding;
    const base::Plan whole = plan(options, range, dictionary);
    std::vector<base::PartsFolder::Part> parts;
    for (std::uint32_t shard = 0; shard < range.count; ++shard) {
        parts.push_back({store::part_name(shard, range.count, std::string(ending)), whole});
        parts.back().plan.manifest.options["shard"] = stage::value_of(shard);
    }
    return {options.output, whole, std::move(parts), true};
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

/// A part that is made here.
struct Part {
    std::uint32_t shard = 0;
    base::PlannedOutput output;
    std::unique_ptr<store::VectorSink> sink;
    std::int64_t rows = 0;
    std::int64_t entries = 0;
};

/// Turns examples into rows, on one thread.
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

/// One run: the parts that are to be made, from the dictionary and the examples to vectors on disk.
class Extraction {
  public:
    Extraction(const Options& options, base::ProgressObserver& progress)
        : options_(options),
          progress_(progress),
          range_(shard_range(options)),
          dictionary_(options.dictionary),
          numbers_(options.label_numbers.empty()
                       ? LabelNumbers()
                       : read_or_make_label_numbers(
                             options.label_numbers, options.input,
                             stage::reader_options(options.common, options.limit, stage::Labels::kNeeded),
                             options.label_until, progress)),
          folder_(make_folder(options, range_, dictionary_)) {}

    stage::Summary run() {
        folder_.make();
        choose_parts();
        if (parts_.empty()) {
            finish();
            return {};
        }
        const classify::TreeSpace space(dictionary_, options_.vectorizer, progress_);
        const std::size_t cache = cache_bytes(options_, space.index().bytes(), parts_.size());
        open_parts(space.info());
        const example::ReadReport report = extract(space, cache);
        stage::Summary summary{.in = report.records(), .out = 0, .skipped = report.bad.skipped()};
        for (Part& part : parts_) {
            part.output.record({{"rows", part.rows}, {"entries", part.entries}}, part.sink->commit());
            summary.out += static_cast<std::uint64_t>(part.rows);
        }
        finish();
        return summary;
    }

  private:
    /// Which parts of the range are to be made, after everything in the folder has been looked at.
    void choose_parts() {
        const std::vector<std::string> others = folder_.find_others(std::string(base::formats::kPartPrefix));
        for (const std::string& name : others) {
            (void)stage::has_to_be_made(base::PlannedOutput(folder_.path_of(name), folder_.parts()[0].plan),
                                        options_.common);
        }
        for (std::uint32_t shard = 0; shard < range_.count; ++shard) {
            base::PlannedOutput output = folder_.output(shard);
            const bool ours = shard >= range_.first && shard < range_.last;
            // What other jobs make or have made must be of this work too.
            if (!ours && !folder_.is_of_other_work(shard)) {
                continue;
            }
            if (stage::has_to_be_made(output, options_.common) && ours) {
                parts_.push_back({.shard = shard, .output = std::move(output), .sink = nullptr});
            } else if (ours) {
                output.tidy();
                progress_.note("'" + output.path() + "' is up to date");
            } else {
                folder_.reopen();
                folder_.remove(folder_.parts()[shard].name);
            }
        }
        if (!parts_.empty() || !others.empty()) {
            folder_.reopen();
        }
        for (const std::string& name : others) {
            folder_.remove(name);
        }
    }

    void open_parts(store::VectorsInfo info) {
        part_of_.assign(range_.count, nullptr);
        for (Part& part : parts_) {
            part_of_[part.shard] = &part;
            info.shard = part.shard;
            info.shards = range_.count;
            part.output.begin();
            part.sink = options_.format == Format::kArrow
                            ? store::make_arrow_sink(part.output.path(), info, options_.writer)
                            : store::make_libsvm_sink(part.output.path(), none_);
        }
    }

    example::ReadReport extract(const classify::TreeSpace& space, std::size_t cache) {
        example::ExampleStreamOptions stream;
        stream.reader = stage::reader_options(options_.common, options_.limit);
        if (parts_.size() == 1) {
            stream.shard = parts_.front().shard;
            stream.shards = range_.count;
        }
        std::uint64_t done = 0;
        bool has_costs = false;
        progress_.start("trees", 0);
        example::ReadReport report = example::stream_examples<Rows>(
            options_.input, stream,
            [&] {
                return Worker{space.make_vectorizer(cache), options_.label_until,
                              options_.format == Format::kLibsvm ? &numbers_ : nullptr};
            },
            [&](const Rows& batch) {
                write(batch);
                has_costs = has_costs || batch.has_costs;
                done += batch.rows.size();
                progress_.update(done);
            });
        progress_.finish();
        stage::tell_skipped(report.bad, progress_);
        if (has_costs && !options_.writer.weights) {
            progress_.note("some examples have a cost; --costs keeps it");
        }
        return report;
    }

    void write(const Rows& batch) {
        std::size_t label_begin = 0;
        std::size_t begin = 0;
        for (const Rows::Row& row : batch.rows) {
            if (Part* const part = part_of_[row.id % range_.count]) {
                part->sink->add(
                    {row.id, std::string_view(batch.labels).substr(label_begin, row.label_end - label_begin),
                     std::span(batch.indices).subspan(begin, row.end - begin),
                     std::span(batch.values).subspan(begin, row.end - begin), row.weight});
                ++part->rows;
                part->entries += static_cast<std::int64_t>(row.end - begin);
            }
            label_begin = row.label_end;
            begin = row.end;
        }
    }

    /// Only parts of other jobs may be missing now.
    void finish() {
        const std::vector<std::size_t> missing = folder_.missing();
        if (missing.empty()) {
            folder_.finish(folder_.sum_counts());
            return;
        }
        for (const std::size_t part : missing) {
            if (part >= range_.first && part < range_.last) {
                throw base::Error("'" + folder_.path_of(folder_.parts()[part].name) +
                                  "' has been changed while others were made; run again");
            }
        }
        progress_.note("other parts are still to be made");
    }

    const Options& options_;
    base::ProgressObserver& progress_;
    ShardRange range_;
    store::Dictionary dictionary_;
    LabelNumbers numbers_;  // before the folder: its plan has the digest of their file, which this may make
    base::PartsFolder folder_;
    std::vector<Part> parts_;
    std::vector<Part*> part_of_;  // by shard; null where the part is not made here
    std::map<std::string, std::uint64_t, std::less<>> none_;
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
    return Extraction(options, progress).run();
}

}  // namespace treeline::tfx
