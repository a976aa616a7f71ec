#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>

#include "base/output.hpp"
#include "base/parallel.hpp"
#include "classify/pages.hpp"
#include "classify/site_data.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "fdi/commands.hpp"
#include "fdi/neighbours.hpp"
#include "fdi/site.hpp"
#include "fdi/site_examples.hpp"
#include "fdi/site_index.hpp"
#include "fragment/fragment_family.hpp"

/// The site of `fdi browse`: index.html and data/*.js, beside what site_index.hpp and site_examples.hpp say:
///
///   meta              title, kernel, number of fragments, classes, models
///   text/N            kTexts fragments, a line each
///   chunk/N           weights, neighbours, places and examples of kChunk fragments
///   column/NAME       one number a fragment, to sort and filter by
///   class/N           the fragments of a class by |relevance|, and those relevances
namespace treeline::fdi {

namespace {

using classify::json_list;
using classify::json_number;
using classify::json_text;
using classify::packed;
using classify::SiteData;

constexpr std::uint32_t kChunk = 256;
constexpr std::uint32_t kTexts = 4096;
constexpr std::size_t kNeighbours = 12;  // shown of each kind

void write_meta(const Site& site, const Options& options, const SiteData& data) {
    std::string classes;
    for (std::uint32_t which = 0; which < site.classes.size(); ++which) {
        classes +=
            fmt::format(R"({}{{"name":{},"splits":{}}})", which == 0 ? "" : ",",
                        json_text(site.classes[which]), std::ranges::count(site.class_of_model, which));
    }
    std::string models;
    for (std::size_t i = 0; i < site.class_of_model.size(); ++i) {
        models += fmt::format(R"({}{{"name":{},"class":{}}})", models.empty() ? "" : ",",
                              json_text(site.dictionary.info().models[i].name), site.class_of_model[i]);
    }
    const kernel::TreeKernel& kernel = site.dictionary.info().kernel;
    const std::string name =
        std::filesystem::path(options.dictionary + "/").parent_path().filename().string();
    data.write(
        "meta",
        fmt::format(
            R"({{"title":{},"kernel":{},"partial":{},"count":{},"chunk":{},"texts":{},"indexFiles":{},"exampleChunk":{},"trained":{},"classes":[{}],"models":[{}]}})",
            json_text(name), json_text(kernel::to_string(kernel::BasicKernel(kernel))),
            fragment::fragments_of(kernel).skips_children(), site.size(), kChunk, kTexts, index_files(site),
            kExampleChunk, !site.trained.empty(), classes, models));
}

std::string weights_json(std::span<const ClassWeight> weights) {
    std::string text;
    for (const ClassWeight& one : weights) {
        text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", one.which, json_number(one.weight));
    }
    return "[" + text + "]";
}

std::string models_json(const store::FragmentRecord& record) {
    std::string text;
    for (const store::ModelRelevance& model : record.models) {
        text += fmt::format("{}[{},{}]", text.empty() ? "" : ",", model.model, json_number(model.relevance));
    }
    return "[" + text + "]";
}

std::span<const std::uint32_t> first_of(std::span<const std::uint32_t> ids, std::size_t count) {
    return ids.first(std::min(ids.size(), count));
}

/// Fragments [begin, end), a list a field.
std::string chunk_json(const Site& site, const Neighbours& neighbours, std::uint32_t begin,
                       std::uint32_t end) {
    const auto field = [&](std::string_view name, const auto& value_of) {
        std::string values;
        for (std::uint32_t id = begin; id < end; ++id) {
            values.append(id == begin ? "" : ",").append(value_of(id));
        }
        return fmt::format("\"{}\":[{}]", name, values);
    };
    const auto number = [](std::uint64_t value) { return std::to_string(value); };
    std::vector<std::string> fields{
        field("places",
              [&](auto id) {
                  std::vector<classify::DrawnNode> nodes;
                  append_drawn(nodes, site.fragments[id], site.dictionary.symbols());
                  return places_json(nodes);
              }),
        field("weight", [&](auto id) { return json_number(site.strongest[id].weight); }),
        field("class", [&](auto id) { return number(site.strongest[id].which); }),
        field("size", [&](auto id) { return number(site.records[id].expanded); }),
        field("depth", [&](auto id) { return number(site.records[id].depth); }),
        field("count", [&](auto id) { return number(site.records[id].count()); }),
        field("models", [&](auto id) { return models_json(site.records[id]); }),
        field("smaller", [&](auto id) { return json_list(first_of(neighbours.smaller[id], kNeighbours)); }),
        field("larger", [&](auto id) { return json_list(first_of(neighbours.larger[id], kNeighbours)); })};
    if (!site.trained.empty()) {
        fields.push_back(field("trained", [&](auto id) { return weights_json(site.trained[id]); }));
    }
    if (!site.occurring.empty()) {
        fields.push_back(field("pro", [&](auto id) { return json_list(site.occurring[id].pro); }));
        fields.push_back(field("contra", [&](auto id) { return json_list(site.occurring[id].contra); }));
    }
    return fmt::format("{{{}}}", fmt::join(fields, ",\n"));
}

void write_chunks(const Site& site, const SiteData& data, base::ProgressObserver& progress) {
    const Neighbours neighbours = find_neighbours(
        site.fragments, fragment::fragments_of(site.dictionary.info().kernel).skips_children());
    progress.start("pages", site.size());
    std::atomic<std::uint64_t> done = 0;
    base::parallel_pieces(site.size(), kChunk, [&](std::size_t begin, std::size_t end) {
        data.write(
            fmt::format("chunk/{}", begin / kChunk),
            chunk_json(site, neighbours, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)));
        progress.update(done += end - begin);
    });
    progress.finish();
}

void write_texts(const Site& site, const SiteData& data) {
    base::parallel_pieces(site.size(), kTexts, [&](std::size_t begin, std::size_t end) {
        std::string lines;
        for (std::size_t id = begin; id < end; ++id) {
            lines += id == begin ? "" : "\n";
            fragment::append_text(lines, site.fragments[id], site.dictionary.symbols());
        }
        data.write(fmt::format("text/{}", begin / kTexts), json_text(lines));
    });
}

void write_columns(const Site& site, const SiteData& data) {
    const auto numbers = [&](const std::string& name, const auto& value_of) {
        std::vector<std::uint32_t> values(site.size());
        for (std::uint32_t id = 0; id < site.size(); ++id) {
            values[id] = static_cast<std::uint32_t>(std::min<std::uint64_t>(value_of(id), 0xffffffffU));
        }
        data.write("column/" + name, packed(values));
    };
    numbers("size", [&](auto id) { return site.records[id].expanded; });
    numbers("depth", [&](auto id) { return site.records[id].depth; });
    numbers("count", [&](auto id) { return site.records[id].count(); });
    std::vector<float> weights(site.size());
    std::ranges::transform(site.strongest, weights.begin(),
                           [](const ClassWeight& one) { return static_cast<float>(one.weight); });
    data.write("column/weight", packed(weights));
    if (!site.trained.empty()) {
        for (std::uint32_t id = 0; id < site.size(); ++id) {
            const auto best = std::ranges::max_element(
                site.trained[id], {}, [](const ClassWeight& one) { return std::abs(one.weight); });
            weights[id] = best == site.trained[id].end() ? 0 : static_cast<float>(best->weight);
        }
        data.write("column/trained", packed(weights));
    }
}

void write_classes(const Site& site, const SiteData& data) {
    std::vector<std::vector<store::RankedFragment>> lists(site.classes.size());
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        for (const ClassWeight& one : site.class_weights(id)) {
            lists[one.which].push_back({id, one.weight});
        }
    }
    for (std::size_t which = 0; which < lists.size(); ++which) {
        std::ranges::stable_sort(lists[which], std::greater(),
                                 [](const store::RankedFragment& one) { return std::abs(one.relevance); });
        std::vector<std::uint32_t> ids;
        std::vector<float> weights;
        for (const store::RankedFragment& one : lists[which]) {
            ids.push_back(one.id);
            weights.push_back(static_cast<float>(one.relevance));
        }
        data.write(fmt::format("class/{}", which),
                   fmt::format(R"({{"ids":{},"weights":{}}})", packed(ids), packed(weights)));
    }
}

}  // namespace

stage::Summary browse(const Options& options, base::ProgressObserver& progress) {
    std::vector<std::string> inputs{options.dictionary};
    for (const std::string& more : {options.model, options.examples}) {
        if (!more.empty()) {
            inputs.push_back(more);
        }
    }
    stage::Outputs outputs(
        stage::plan_work("fdi browse", {{"label-until", options.label_until}}, options.common, inputs),
        {{options.output, {}}}, options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    base::AtomicFolder folder(options.output);
    const SiteData data(folder.temporary_path());
    Site site(options.dictionary, progress);
    if (!options.model.empty()) {
        site.read_trained(options.model);
    }
    if (!options.examples.empty()) {
        read_examples(site, options.examples, stage::reader_options(options.common), options.label_until,
                      data, progress);
    }
    write_meta(site, options, data);
    write_columns(site, data);
    write_classes(site, data);
    write_index(site, data);
    write_texts(site, data);
    write_chunks(site, data, progress);
    base::write_whole_file(
        (std::filesystem::path(folder.temporary_path()) / "index.html").string(),
        classify::fill_page(
            classify::browse_html(),
            std::string(classify::site_js()).append(classify::trees_js()).append(classify::browse_js())));
    outputs.commit(folder, {{"fragments", stage::value_of(site.size())}});
    return {site.size(), site.size(), 0};
}

}  // namespace treeline::fdi
