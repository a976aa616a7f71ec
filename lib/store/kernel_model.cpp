#include "store/kernel_model.hpp"

#include <array>
#include <cstdio>
#include <string_view>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/sealed_text.hpp"
#include "base/text.hpp"
#include "example/example_parser.hpp"
#include "store/svm_light_header.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::store {

using example::ExampleSet;
using tree::Forest;

namespace {

using base::formats::kKernelModelLine;
constexpr std::string_view kHighestFeature = "highest feature index";
constexpr std::string_view kTrainingExamples = "number of training documents";
constexpr std::string_view kSupportVectors = "number of support vectors plus 1";
/// The line of it ends with a space, which SVM-light-TK does not write and skips, where a seal ends the file: without
/// its last lines such a model is not one of SVM-light-TK's.
constexpr std::string_view kThreshold = "threshold b, each following line is a SV (starting with alpha*y)";

constexpr const char* kThresholdFormat = "%.8g";

constexpr std::string_view kPositiveClass = "# positive class: ";
constexpr std::string_view kNegativeClass = "# negative class: ";

class KernelModelReader {
  public:
    KernelModelReader(const std::string& path, Forest& forest, ExampleSet& examples)
        : lines_(path), forest_(forest), examples_(examples) {}

    /// The model as far as its kernel.
    KernelModel read_head() {
        if (const auto version = tree::trimmed(next_line("'" + std::string(kKernelModelLine) + "'"));
            version != kKernelModelLine) {
            fail("found " + base::quoted(version) + "; expected '" + std::string(kKernelModelLine) + "'");
        }
        KernelModel model;
        read_kernel(model);
        return model;
    }

    KernelModel read() {
        KernelModel model = read_head();
        read_count(kHighestFeature);
        model.training_examples = read_count(kTrainingExamples);
        const std::uint64_t count = read_count(kSupportVectors);
        if (count == 0) {
            fail("number of support vectors plus 1 is 0; expected at least 1");
        }
        const auto threshold = base::parse_double(read_value(kThreshold));
        if (!threshold) {
            fail("the threshold is not a number");
        }
        model.threshold = *threshold;
        read_support(model, count - 1);
        return model;
    }

  private:
    std::string_view next_line(const std::string& expected) {
        std::string_view line;
        if (!lines_.next(line)) {
            throw base::InputError({lines_.path(), lines_.line_number() + 1, 0},
                                   "the file ends; expected " + expected + "; is the model truncated?");
        }
        return line;
    }

    std::string read_value(std::string_view name) {
        const auto line = next_line("a line 'VALUE # " + std::string(name) + "'");
        const std::size_t hash = line.rfind('#');
        if (hash == std::string_view::npos || tree::trimmed(line.substr(hash + 1)) != name) {
            fail("found " + base::quoted(line) + "; expected 'VALUE # " + std::string(name) + "'");
        }
        sealed_ = name == kThreshold && line.ends_with(' ');
        return std::string(tree::trimmed(line.substr(0, hash)));
    }

    std::uint64_t read_count(std::string_view name) {
        const std::string text = read_value(name);
        const auto value = base::parse_unsigned(text);
        if (!value) {
            fail(std::string(name) + " is " + base::quoted(text) + "; expected a whole number");
        }
        return *value;
    }

    void read_kernel(KernelModel& model) {
        SvmLightHeader header;
        for (const auto name : SvmLightHeader::names()) {
            header.values.push_back(read_value(name));
        }
        try {
            model.kernel = from_svm_light_header(header);
        } catch (const base::UsageError& error) {
            fail(std::string("the lines up to here describe no known kernel: ") + error.what());
        }
    }

    void read_support(KernelModel& model, std::uint64_t count) {
        example::ExampleParser parser;
        example::Example example;
        std::string_view line;
        for (std::uint64_t i = 0; i < count; ++i) {
            line = next_line("support vector " + std::to_string(i + 1) + " of " + std::to_string(count));
            if (const auto invalid = base::find_invalid_utf8(line)) {
                fail("not valid UTF-8; expected a support vector", *invalid + 1);
            }
            try {
                parser.parse(line, example::ExampleFormat::kSvmLightTk, example);
            } catch (const tree::SyntaxError& error) {
                fail(error.what(), error.offset() + 1);
            }
            const auto coefficient = base::parse_double(example.label);
            if (!coefficient) {
                fail("found " + base::quoted(example.label) + "; expected alpha*y, a number", 1);
            }
            if (examples_.size() >= 0xffffffffU) {
                fail("more support vectors than 4,294,967,295");
            }
            model.support.push_back({static_cast<std::uint32_t>(examples_.size()), *coefficient});
            example.label = *coefficient < 0 ? "-1" : "+1";
            example.cost = 1;
            examples_.add(example, forest_);
        }
        while (lines_.next(line)) {
            if (!tree::trimmed(line).empty() && !read_class(tree::trimmed(line), model)) {
                fail("a line after the " + std::to_string(count) +
                     " support vectors that the file announces; is the model damaged?");
            }
        }
        if (sealed_) {
            lines_.require_seal();
        }
    }

    /// Whether the line after the support vectors says what the classes are.
    static bool read_class(std::string_view line, KernelModel& model) {
        if (line.starts_with(kPositiveClass)) {
            model.classes = {std::string(line.substr(kPositiveClass.size())), ""};
            return true;
        }
        if (line.starts_with(kNegativeClass)) {
            model.classes.negative = line.substr(kNegativeClass.size());
            return true;
        }
        return false;
    }

    [[noreturn]] void fail(const std::string& problem, std::uint64_t column = 0) const {
        throw base::InputError(lines_.place(column), problem);
    }

    base::SealedLines lines_;
    bool sealed_ = false;
    Forest& forest_;
    ExampleSet& examples_;
};

template <std::size_t kSize = 64>
void append_number(std::string& out, const char* format, double value) {
    std::array<char, kSize> text{};
    const int size = std::snprintf(text.data(), text.size(), format, value);
    out.append(text.data(), static_cast<std::size_t>(size));
}

void append_support(std::string& out, const SupportVector& support, const Forest& forest,
                    const ExampleSet& examples) {
    append_number(out, "%.32g", support.coefficient);
    out += ' ';
    const auto trees = examples.trees(support.example);
    for (const tree::NodeId root : trees) {
        out += " |BT| ";
        if (root != example::kEmptyTree) {
            append_tree(out, forest.text(root), tree::LeafStyle::kBracketed);
        }
    }
    if (!trees.empty()) {
        out += " |ET| ";
    }
    const std::size_t vectors = examples.vector_count(support.example);
    for (std::size_t v = 0; v < vectors; ++v) {
        if (v > 0) {
            out += "|BV| ";
        }
        for (const example::Feature& feature : examples.vector(support.example, v)) {
            out.append(std::to_string(feature.index))
                .append(":")
                .append(base::format_double(feature.value))
                .append(" ");
        }
    }
    if (vectors > 0) {
        out += "|EV| ";
    }
    out += '\n';
}

/// The threshold as a file has it: a model in memory decides as the one that is read from its file.
double written_threshold(double threshold) {
    std::string text;
    append_number(text, kThresholdFormat, threshold);
    return base::parse_double(text).value_or(threshold);
}

}  // namespace

KernelModel make_kernel_model(const kernel::KernelDescription& kernel, const svm::TrainedMachine& machine,
                              std::span<const std::uint32_t> subset, example::ClassQuestion classes) {
    KernelModel model{.kernel = kernel,
                      .threshold = written_threshold(machine.threshold),
                      .training_examples = subset.size(),
                      .support = {},
                      .classes = std::move(classes)};
    for (std::size_t i = 0; i < machine.coefficients.size(); ++i) {
        if (machine.coefficients[i] != 0) {
            model.support.push_back({subset[i], machine.coefficients[i]});
        }
    }
    return model;
}

KernelModel read_kernel_model(const std::string& path, Forest& forest, ExampleSet& examples) {
    return KernelModelReader(path, forest, examples).read();
}

kernel::KernelDescription read_model_kernel(const std::string& path) {
    Forest forest;
    ExampleSet examples;
    return KernelModelReader(path, forest, examples).read_head().kernel;
}

void write_kernel_model(const std::string& path, const KernelModel& model, const Forest& forest,
                        const ExampleSet& examples) {
    base::SealedFile file(path);
    std::string text(kKernelModelLine);
    text += '\n';
    const auto& names = SvmLightHeader::names();
    const auto header = to_svm_light_header(model.kernel);
    for (std::size_t i = 0; i < names.size(); ++i) {
        const bool custom = names[i].ends_with("-u");
        text.append(header.values[i])
            .append(custom ? "# " : " # ")
            .append(names[i])
            .append(i == 0 ? "\n" : " \n");
    }
    const auto line = [&](const std::string& value, std::string_view name, const char* end) {
        text.append(value).append(" # ").append(name).append(end);
    };
    line(std::to_string(examples.highest_feature()), kHighestFeature, " \n");
    line(std::to_string(model.training_examples), kTrainingExamples, " \n");
    line(std::to_string(model.support.size() + 1), kSupportVectors, " \n");
    append_number(text, kThresholdFormat, model.threshold);
    line("", kThreshold, " \n");
    for (const SupportVector& support : model.support) {
        append_support(text, support, forest, examples);
        if (text.size() > (std::size_t{1} << 20U)) {
            file.write(text);
            text.clear();
        }
    }
    if (model.classes != KernelModel().classes) {
        text.append(kPositiveClass).append(model.classes.positive).append("\n");
        if (!model.classes.negative.empty()) {
            text.append(kNegativeClass).append(model.classes.negative).append("\n");
        }
    }
    file.write(text);
    file.commit();
}

}  // namespace treeline::store
