#include "ksm/ksm.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>

#include "base/data_error.hpp"
#include "base/error.hpp"
#include "base/memory.hpp"
#include "base/output.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "example/example_set.hpp"
#include "kernel/example_kernel.hpp"
#include "kernel/example_rows.hpp"
#include "ksm/pair_values.hpp"
#include "store/kernel_table.hpp"

namespace treeline::ksm {

namespace {

constexpr std::size_t kPairsTogether = 4096;

/// Where encoded values go; whole or not at all.
class Output {
  public:
    /// `shape`: of the values, a number of pairs, or of rows and columns.
    Output(const Options& options, Format format, std::span<const std::uint64_t> shape) {
        if (format == Format::kArrow) {
            table_.emplace(options.output, options.type,
                           shape.size() == 1 ? store::KernelTable::kPairs : shape[1]);
            return;
        }
        file_.emplace(options.output);
        if (format == Format::kNpy) {
            file_->write(store::npy_header(options.type, shape));
        }
    }
    void write(std::string_view encoded) { table_ ? table_->add(encoded) : file_->write(encoded); }
    void commit() { table_ ? table_->commit() : file_->commit(); }

  private:
    std::optional<base::AtomicFile> file_;
    std::optional<store::KernelTable> table_;
};

class Values {
  public:
    Values(const Options& options, base::ProgressObserver& progress)
        : options_(options),
          progress_(progress),
          format_(format_of(options)),
          kernel_(kernel::parse_kernel(options.kernel)) {}

    stage::Summary run() {
        stage::Outputs outputs(plan(), {{options_.output, {}}}, options_.common, progress_);
        if (!outputs.begin()) {
            return {};
        }
        stage::Summary summary;
        read(options_.input, input_, summary);
        if (!options_.other.empty()) {
            read(options_.other, other_, summary);
        }
        summary.out = options_.matrix ? write_matrix() : write_pairs();
        outputs.record({{"values", stage::value_of(summary.out)}});
        return summary;
    }

  private:
    [[nodiscard]] base::Plan plan() const {
        std::vector<std::string> inputs{options_.input};
        if (!options_.other.empty()) {
            inputs.push_back(options_.other);
        }
        return stage::plan_work("ksm",
                                {{"kernel", to_string(kernel_)},
                                 {"pairs", stage::value_of(kPairsNames, options_.pairs)},
                                 {"matrix", options_.matrix},
                                 {"evaluator", stage::value_of(kEvaluatorNames, options_.evaluator)},
                                 {"format", stage::value_of(kFormatNames, format_)},
                                 {"type", stage::value_of(store::kNpyTypeNames, options_.type)},
                                 {"limit", stage::value_of(options_.limit)}},
                                options_.common, inputs);
    }

    void read(const std::string& path, example::ExampleSet& set, stage::Summary& summary) {
        const auto report = stage::read_examples(path, options_.limit, stage::Labels::kOptional,
                                                 options_.common, forest_, set, progress_);
        kernel::require_fitting(kernel_, set);
        summary.in += report.records();
        summary.skipped += report.bad.skipped();
    }

    [[nodiscard]] const example::ExampleSet& other() const {
        return options_.other.empty() ? input_ : other_;
    }

    [[nodiscard]] std::string encoded(std::span<const double> values) const {
        require_finite(values);
        std::string text;
        if (format_ == Format::kNpy || format_ == Format::kArrow) {
            store::append_npy(text, options_.type, values);
            return text;
        }
        const char* separator = options_.matrix ? " " : "\n";
        for (std::size_t i = 0; i < values.size(); ++i) {
            if (format_ == Format::kLibsvm) {
                text.append(" ").append(std::to_string(i + 1)).append(":");
            } else if (i > 0) {
                text += separator;
            }
            text += base::format_double(values[i]);
        }
        return text + "\n";
    }

    void require_finite(std::span<const double> values) const {
        const double largest = options_.type == store::NpyType::kFloat32
                                   ? static_cast<double>(std::numeric_limits<float>::max())
                                   : std::numeric_limits<double>::max();
        const auto wrong =
            std::ranges::find_if(values, [&](double value) { return !(std::abs(value) <= largest); });
        if (wrong != values.end()) {
            throw base::DataError(fmt::format(
                "a value of the kernel {} is {}: features are too large; scale them or normalize the kernel",
                to_string(kernel_), *wrong));
        }
    }

    std::uint64_t write_pairs() {
        const bool consecutive = options_.pairs == Pairs::kConsecutive;
        if (!consecutive && other().size() != input_.size()) {
            throw base::UsageError(
                fmt::format("--pairs aligned needs as many lines in --other ({}) as in --input ({})",
                            other().size(), input_.size()));
        }
        const std::size_t count =
            consecutive ? input_.size() - std::min<std::size_t>(1, input_.size()) : input_.size();
        std::vector<double> values(count);
        base::parallel_pieces(count, kPairsTogether, [&](std::size_t begin, std::size_t end) {
            kernel::ExampleKernel kernel(kernel_, forest_);
            for (std::size_t i = begin; i < end; ++i) {
                values[i] = consecutive ? kernel.value(input_, i, input_, i + 1)
                                        : kernel.value(input_, i, other(), i);
            }
        });
        const std::uint64_t shape[] = {count};
        Output output(options_, format_, shape);
        if (count > 0) {
            output.write(encoded(values));
        }
        output.commit();
        return count;
    }

    using RowFunction = std::function<void(std::size_t, std::span<double>)>;

    /// Fills the values of a row with all columns; thread-safe.
    [[nodiscard]] RowFunction row_function() const {
        if (options_.evaluator != Evaluator::kRows) {
            const auto pairs =
                std::make_shared<PairValues>(options_.evaluator, kernel_, forest_, input_, other());
            return [pairs](std::size_t row, std::span<double> values) { pairs->row(row, values); };
        }
        std::vector<std::uint32_t> targets(other().size());
        std::iota(targets.begin(), targets.end(), 0U);
        const auto rows = std::make_shared<kernel::ExampleRows<double>>(kernel_, forest_, other(), targets);
        return [this, rows](std::size_t row, std::span<double> values) { rows->row(input_, row, values); };
    }

    /// Rows are computed and written in blocks that fit in the memory.
    std::uint64_t write_matrix() {
        const std::uint64_t rows = input_.size();
        const std::uint64_t columns = other().size();
        const RowFunction fill_row = row_function();
        // A row in work: its values, as many again on the way, and its text.
        const std::uint64_t row_bytes =
            columns * (2 * sizeof(double) + (format_ == Format::kNpy || format_ == Format::kArrow ? 8 : 32)) +
            4096;
        const std::uint64_t held = base::peak_memory();
        if (options_.common.memory < held + row_bytes * base::current_threads()) {
            throw base::UsageError(
                fmt::format("--memory {} is too little for rows of {} values; give at least {}",
                            base::format_size(options_.common.memory), columns,
                            base::format_size(held + row_bytes * base::current_threads())));
        }
        const std::uint64_t together =
            std::min<std::uint64_t>((options_.common.memory - held) / row_bytes, 1024);
        const std::uint64_t shape[] = {rows, columns};
        Output output(options_, format_, shape);
        progress_.start("computing rows", rows);
        for (std::uint64_t begin = 0; begin < rows; begin += together) {
            const std::uint64_t size = std::min(together, rows - begin);
            std::vector<std::string> texts(size);
            base::parallel_pieces(size, 1, [&](std::size_t first, std::size_t) {
                std::vector<double> values(columns);
                fill_row(begin + first, values);
                if (format_ == Format::kLibsvm) {
                    texts[first] = fmt::format("{} 0:{}", label(begin + first), begin + first + 1);
                }
                texts[first] += encoded(values);
            });
            for (const auto& text : texts) {
                output.write(text);
            }
            progress_.update(begin + size);
        }
        progress_.finish();
        output.commit();
        return rows * columns;
    }

    /// LIBSVM wants a number.
    [[nodiscard]] std::string label(std::size_t example) const {
        const auto text = input_.label_text(example);
        if (!text.empty() && !base::parse_double(text)) {
            throw base::UsageError("the label " + base::quoted(text) +
                                   " is not a number, which --format libsvm needs");
        }
        return text.empty() ? "0" : std::string(text);
    }

    const Options& options_;
    base::ProgressObserver& progress_;
    Format format_;
    kernel::KernelDescription kernel_;
    tree::Forest forest_;
    example::ExampleSet input_;
    example::ExampleSet other_;
};

}  // namespace

void validate(const Options& options) {
    if (options.matrix == (options.pairs != Pairs::kNone)) {
        throw base::UsageError("give either --pairs aligned, --pairs consecutive or --matrix");
    }
    if (options.pairs == Pairs::kConsecutive && !options.other.empty()) {
        throw base::UsageError(
            "--pairs consecutive takes one input; leave out --other or use --pairs aligned");
    }
    if (!options.matrix && format_of(options) == Format::kLibsvm) {
        throw base::UsageError("--format libsvm belongs to --matrix");
    }
    if (!options.matrix && options.evaluator != Evaluator::kRows) {
        throw base::UsageError("--evaluator belongs to --matrix");
    }
    if (options.input == "-" && options.other == "-") {
        throw base::UsageError("--input and --other cannot both be stdin");
    }
    (void)kernel::parse_kernel(options.kernel);
}

Format format_of(const Options& options) {
    if (options.format != Format::kAuto) {
        return options.format;
    }
    return options.output.ends_with(".npy")     ? Format::kNpy
           : options.output.ends_with(".arrow") ? Format::kArrow
                                                : Format::kText;
}

stage::Summary run(const Options& options, base::ProgressObserver& progress) {
    validate(options);
    return Values(options, progress).run();
}

}  // namespace treeline::ksm
