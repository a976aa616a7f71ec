#include "tdp/convert.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/output.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "example/example_reader.hpp"

namespace treeline::tdp {

namespace {

base::Plan plan(const ConvertOptions& options, const stage::CommonOptions& common) {
    const auto& change = options.normalization;
    return stage::plan_work("tdp convert",
                            {{"to", stage::value_of(example::kExampleFormatNames, options.writer.format)},
                             {"leaves", stage::value_of(tree::kLeafStyleNames, options.writer.leaves)},
                             {"label", options.writer.label},
                             {"tree", stage::value_of(options.writer.tree)},
                             {"vector", stage::value_of(options.writer.vector)},
                             {"names", !options.names.empty()},
                             {"strip-functions", change.strip_functions},
                             {"strip-traces", change.strip_traces},
                             {"lower-words", change.lower_words},
                             {"drop-words", change.drop_words},
                             {"unary", stage::value_of(corpus::kUnaryNames, change.unary)},
                             {"brackets", stage::value_of(corpus::kBracketsNames, change.brackets)}},
                            common, {options.input});
}

void tell_left_out(const example::LeftOut& left_out, std::uint64_t strings, const std::string& label,
                   base::ProgressObserver& progress) {
    const auto tell = [&](std::uint64_t count, const char* what) {
        if (count > 0) {
            progress.note(fmt::format("left out {} {}: the format has no place for them", count, what));
        }
    };
    tell(left_out.labels, "labels");
    tell(left_out.costs, "costs");
    tell(left_out.trees, "trees");
    tell(left_out.vectors, "vectors");
    tell(strings, "strings");
    if (left_out.missing_labels > 0) {
        progress.note(fmt::format("{} examples have no label and got '{}'; --label chooses another",
                                  left_out.missing_labels, label));
    }
}

void write_names(const std::string& path, const example::FeatureNames& names) {
    std::string text;
    for (std::size_t i = 0; i < names.names().size(); ++i) {
        text.append(std::to_string(i + 1)).append("\t").append(names.names()[i]).append("\n");
    }
    base::write_whole_file(path, text);
}

}  // namespace

stage::Summary convert(const ConvertOptions& options, const stage::CommonOptions& common,
                       base::ProgressObserver& progress) {
    stage::Outputs outputs(plan(options, common), {{options.output, {}}, {options.names, "names"}}, common,
                           progress);
    if (!outputs.begin()) {
        return {};
    }
    example::FeatureNames names;
    auto reading = stage::reader_options(common);
    reading.names = options.names.empty() ? nullptr : &names;
    example::ExampleReader source(options.input, reading);
    example::ExampleWriter writer(options.writer);
    base::BadRecords unwritable(common.on_error);
    corpus::Normalizer normalizer(options.normalization);
    const bool normalizes = !(options.normalization == corpus::Normalization{});
    base::AtomicFile file(options.output);
    stage::Summary summary;
    std::string text;
    progress.start("examples", 0);
    for (example::Example example; source.next(example);) {
        progress.update(source.records());
        for (auto& tree : example.mutable_trees()) {
            if (normalizes) {
                normalizer.apply(tree);
            }
        }
        text.clear();
        try {
            writer.append(text, example);
        } catch (const example::SeveralPartsError& error) {
            unwritable.refuse(
                {source.place(), error.what() + std::string(" (--tree N and --vector N choose one)")});
            continue;
        } catch (const base::Error& error) {
            unwritable.refuse({source.place(), error.what()});
            continue;
        }
        file.write(text);
        ++summary.out;
    }
    progress.finish();
    stage::tell_skipped(source.bad_records(), progress);
    stage::tell_skipped(unwritable, progress);
    summary.in = source.records();
    summary.skipped = source.bad_records().skipped() + unwritable.skipped();
    tell_left_out(writer.left_out(), source.strings_left_out(), options.writer.label, progress);
    if (!options.names.empty()) {
        write_names(options.names, names);
    }
    file.commit();
    outputs.record(
        {{"examples", stage::value_of(summary.out)}, {"skipped", stage::value_of(summary.skipped)}});
    return summary;
}

}  // namespace treeline::tdp
