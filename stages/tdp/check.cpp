#include "tdp/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>

#include "base/error.hpp"
#include "common/reading.hpp"
#include "example/example_reader.hpp"
#include "example/example_statistics.hpp"

namespace treeline::tdp {

namespace {

using example::Distribution;
using example::ExampleStatistics;

constexpr std::size_t kBins = 12;
constexpr std::size_t kBar = 40;
constexpr std::size_t kClassesShown = 60;

double percent(std::uint64_t part, std::uint64_t whole) {
    return whole == 0 ? 0 : 100.0 * static_cast<double>(part) / static_cast<double>(whole);
}

std::string bar(std::uint64_t count, std::uint64_t most) {
    const auto width = static_cast<std::size_t>(static_cast<double>(kBar) * static_cast<double>(count) /
                                                static_cast<double>(std::max<std::uint64_t>(most, 1)));
    return std::string(count > 0 ? std::max<std::size_t>(width, 1) : 0, '#');
}

void write_row(std::ostream& out, const std::string& name, std::uint64_t count, std::uint64_t whole,
               std::uint64_t most) {
    const std::string row =
        fmt::format("  {:<16} {:>10} {:>5.1f}%  {}", name, count, percent(count, whole), bar(count, most));
    out << row.substr(0, row.find_last_not_of(' ') + 1) << "\n";
}

void write_distribution(std::ostream& out, const char* name, const Distribution& values) {
    if (values.total() == 0) {
        return;
    }
    out << fmt::format("{}: {} to {}, median {}, mean {:.1f}\n", name, values.least(), values.most(),
                       values.median(), values.mean());
    const auto bins = values.bins(kBins);
    const auto most = std::ranges::max(bins, {}, &Distribution::Bin::count).count;
    for (const auto& bin : bins) {
        const std::string range =
            bin.first == bin.last ? std::to_string(bin.first) : fmt::format("{}-{}", bin.first, bin.last);
        write_row(out, range, bin.count, values.total(), most);
    }
}

std::vector<std::pair<std::string, std::uint64_t>> by_size(
    const std::map<std::string, std::uint64_t>& classes) {
    std::vector<std::pair<std::string, std::uint64_t>> sorted(classes.begin(), classes.end());
    std::ranges::stable_sort(sorted, std::greater<>(), [](const auto& entry) { return entry.second; });
    return sorted;
}

void write_text(std::ostream& out, const ExampleStatistics& found, const example::ExampleReader& source) {
    out << fmt::format("examples: {}, {} cannot be read\n", found.examples(), source.bad_records().skipped());
    for (const auto& message : source.bad_records().problems()) {
        out << "  " << message << "\n";
    }
    const auto classes = by_size(found.classes());
    if (!(classes.size() == 1 && classes.front().first.empty())) {
        out << fmt::format("classes: {}\n", classes.size());
    }
    for (std::size_t i = 0; i < std::min(classes.size(), kClassesShown); ++i) {
        const auto& [label, count] = classes[i];
        write_row(out, label.empty() ? "(no label)" : label, count, found.examples(), classes.front().second);
    }
    if (classes.size() > kClassesShown) {
        out << fmt::format("  and {} more\n", classes.size() - kClassesShown);
    }
    if (found.trees().most() > 1) {
        write_distribution(out, "trees of an example", found.trees());
    }
    if (found.vectors().most() > 0) {
        write_distribution(out, "vectors of an example", found.vectors());
    }
    write_distribution(out, "nodes of a tree", found.nodes());
    write_distribution(out, "levels of a tree", found.depths());
    out << fmt::format("distinct: {} ({:.1f}%)\n", found.distinct(),
                       percent(found.distinct(), found.examples()));
    out << fmt::format("duplicates: {} ({:.1f}%) repeat an earlier example with its label\n",
                       found.duplicates(), percent(found.duplicates(), found.examples()));
    out << fmt::format(
        "contradictions: {} ({:.1f}%) repeat an earlier example with another label; {} distinct ones have "
        "several labels\n",
        found.contradictions(), percent(found.contradictions(), found.examples()), found.contradictory());
    for (const auto& pair : found.first_contradictions()) {
        out << fmt::format("  line {} ({}) and line {} ({})\n", pair.line, pair.label, pair.other_line,
                           pair.other_label);
    }
}

nlohmann::ordered_json json_of(const Distribution& values) {
    nlohmann::ordered_json bins = nlohmann::ordered_json::array();
    for (const auto& bin : values.total() == 0 ? std::vector<Distribution::Bin>{} : values.bins(kBins)) {
        bins.push_back({{"first", bin.first}, {"last", bin.last}, {"count", bin.count}});
    }
    return {{"least", values.least()},
            {"most", values.most()},
            {"median", values.median()},
            {"mean", values.mean()},
            {"bins", bins}};
}

void write_json(std::ostream& out, const ExampleStatistics& found, const example::ExampleReader& source) {
    nlohmann::ordered_json pairs = nlohmann::ordered_json::array();
    for (const auto& pair : found.first_contradictions()) {
        pairs.push_back({{"line", pair.line},
                         {"label", pair.label},
                         {"other_line", pair.other_line},
                         {"other_label", pair.other_label}});
    }
    out << nlohmann::ordered_json{{"examples", found.examples()},
                                  {"unreadable", source.bad_records().skipped()},
                                  {"messages", source.bad_records().messages()},
                                  {"classes", found.classes()},
                                  {"trees", json_of(found.trees())},
                                  {"vectors", json_of(found.vectors())},
                                  {"nodes", json_of(found.nodes())},
                                  {"levels", json_of(found.depths())},
                                  {"distinct", found.distinct()},
                                  {"duplicates", found.duplicates()},
                                  {"contradictions", found.contradictions()},
                                  {"contradictory", found.contradictory()},
                                  {"first_contradictions", pairs}}
               .dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace)
        << "\n";
}

}  // namespace

stage::Summary check(const CheckOptions& options, const stage::CommonOptions& common, std::ostream& out,
                     base::ProgressObserver& progress) {
    example::FeatureNames names;
    auto reading = stage::reader_options(common);
    reading.records.on_error = base::OnError::kSkip;
    reading.names = &names;
    example::ExampleReader source(options.input, reading);
    ExampleStatistics found;
    progress.start("examples", 0);
    for (example::Example example; source.next(example);) {
        found.add(example, source.place().line);
        progress.update(found.examples());
    }
    progress.finish();
    (options.json ? write_json : write_text)(out, found, source);
    out.flush();
    if (source.bad_records().skipped() > 0) {
        throw base::InputError(
            {options.input, 0, 0},
            fmt::format("{} of {} examples cannot be read; the first: {}", source.bad_records().skipped(),
                        source.records(), source.bad_records().messages().front()));
    }
    return {found.examples(), found.examples(), 0};
}

}  // namespace treeline::tdp
