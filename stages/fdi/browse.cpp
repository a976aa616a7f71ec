#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "base/error.hpp"
#include "base/output.hpp"
#include "classify/pages.hpp"
#include "common/outputs.hpp"
#include "example/example_reader.hpp"
#include "fdi/commands.hpp"
#include "fdi/neighbours.hpp"
#include "fdi/site_data.hpp"
#include "fragment/fragment_family.hpp"
#include "fragment/matcher.hpp"
#include "store/dictionary.hpp"
#include "store/linear_model.hpp"
#include "tree/bracket_writer.hpp"

/// The site of `fdi browse`: index.html and data/*.js.
///
///   meta              title, kernel, number of fragments, classes, models
///   chunk/N           text, weights, neighbours and examples of kChunk fragments
///   column/NAME       one number a fragment, to sort and filter by
///   class/N           the fragments of a class by |mean weight|, and those weights
///   labels            all labels with the file of their postings
///   postings/N        by number of the label, the fragments that have it
///   examples/N        label and trees of kExampleChunk examples
namespace treeline::fdi {

namespace {

using store::Dictionary;

constexpr std::uint32_t kChunk = 1000;
constexpr std::uint32_t kExampleChunk = 100;
constexpr std::size_t kNeighbours = 30;         // shown of each kind
constexpr std::size_t kExamples = 3;            // shown for and against
constexpr std::size_t kPostingBytes = 1 << 18;  // of a file of postings, about

struct ClassOfModels {
    std::string name;
    std::uint32_t splits = 0;
};

/// A fragment's value for a class.
struct ClassWeight {
    std::uint32_t which = 0;
    double weight = 0;
};

/// Examples that have a fragment, those of its class and the others; numbers in the list of kept examples.
struct Occurring {
    std::vector<std::uint32_t> pro;
    std::vector<std::uint32_t> contra;
};

/// Everything about a dictionary that the pages show.
struct Site {
    explicit Site(const std::string& path) : dictionary(path) {}

    Dictionary dictionary;
    std::vector<ClassOfModels> classes;
    std::vector<std::uint32_t> class_of_model;
    fragment::FragmentList fragments;
    std::vector<store::FragmentRecord> records;
    std::vector<ClassWeight> strongest;             ///< by fragment: of the class with the largest |mean|
    std::vector<std::vector<ClassWeight>> trained;  ///< by fragment; empty without a linear model
    std::vector<Occurring> occurring;               ///< by fragment; empty without examples

    [[nodiscard]] std::uint32_t size() const { return static_cast<std::uint32_t>(records.size()); }
    [[nodiscard]] std::uint32_t class_number(const std::string& name) {
        const auto found = std::ranges::find(classes, name, &ClassOfModels::name);
        if (found == classes.end()) {
            classes.push_back({name, 0});
            return static_cast<std::uint32_t>(classes.size() - 1);
        }
        return static_cast<std::uint32_t>(found - classes.begin());
    }
};

/// Means over the splits of each class that a fragment has a weight for, by number of the class.
std::vector<ClassWeight> class_means(const Site& site, const store::FragmentRecord& record) {
    std::map<std::uint32_t, double> sums;
    for (const store::ModelRelevance& model : record.models) {
        sums[site.class_of_model.at(model.model)] += model.relevance;
    }
    std::vector<ClassWeight> means;
    for (const auto& [which, sum] : sums) {
        means.push_back({which, sum / site.classes[which].splits});
    }
    return means;
}

void read_dictionary(Site& site, base::ProgressObserver& progress) {
    for (const store::DictionaryModel& model : site.dictionary.info().models) {
        site.class_of_model.push_back(site.class_number(model.label));
        ++site.classes[site.class_of_model.back()].splits;
    }
    progress.start("dictionary", site.dictionary.size());
    site.dictionary.for_each([&](const Dictionary::Entry& entry) {
        site.fragments.add(entry.fragment);
        site.records.push_back(entry.record);
        const auto means = class_means(site, entry.record);
        const auto best =
            std::ranges::max_element(means, {}, [](const ClassWeight& one) { return std::abs(one.weight); });
        site.strongest.push_back(best == means.end() ? ClassWeight{} : *best);
        progress.update(entry.id + 1);
        return true;
    });
    progress.finish();
}

void read_trained(Site& site, const std::string& path) {
    const store::LinearModelFile file = store::read_linear_model(path);
    if (!file.info.dictionary.empty() && file.info.dictionary != site.dictionary.digest()) {
        throw base::InputError({path}, "the model is over another dictionary than this one");
    }
    site.trained.resize(site.size());
    const std::size_t columns = file.model.columns();
    for (std::size_t column = 0; column < columns; ++column) {
        const std::uint32_t which = site.class_number(file.model.labels[column]);
        for (std::uint32_t id = 0; id < std::min<std::uint64_t>(site.size(), file.model.features); ++id) {
            if (const double weight = file.model.weights[id * columns + column]; weight != 0) {
                site.trained[id].push_back({which, weight});
            }
        }
    }
}

std::string example_json(const example::Example& example, std::uint64_t number) {
    std::string trees;
    for (const tree::TreeText& tree : example.trees()) {
        std::string text;
        tree::append_tree(text, tree);
        trees.append(trees.empty() ? "" : ",").append(json_text(text));
    }
    return fmt::format(R"({{"number":{},"label":{},"trees":[{}]}})", number, json_text(example.label), trees);
}

/// Finds the first examples of each side that have a fragment, and writes those that are shown.
void read_examples(Site& site, const Options& options, const SiteData& data,
                   base::ProgressObserver& progress) {
    fragment::MatcherIndex index(site.dictionary.info().kernel, site.dictionary.info().weight,
                                 site.dictionary.symbols());
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        index.add(id, site.fragments[id]);
    }
    fragment::Matcher matcher(index);
    std::vector<fragment::Match> matches;
    site.occurring.resize(site.size());
    example::ExampleReader reader(options.examples);
    example::Example example;
    std::string chunk;
    std::uint32_t kept = 0;
    const auto write_chunk = [&] {
        data.write(fmt::format("examples/{}", (kept - 1) / kExampleChunk), "[" + chunk + "]");
        chunk.clear();
    };
    progress.start("examples", 0);
    for (std::uint64_t number = 1; reader.next(example); ++number) {
        bool shown = false;
        for (const tree::TreeText& tree : example.trees()) {
            matcher.match(tree, matches);
            for (const fragment::Match& match : matches) {
                const std::string& owner = site.classes[site.strongest[match.fragment].which].name;
                Occurring& seen = site.occurring[match.fragment];
                auto& side = example.label == owner ? seen.pro : seen.contra;
                if (side.size() < kExamples && (side.empty() || side.back() != kept)) {
                    side.push_back(kept);
                    shown = true;
                }
            }
        }
        if (shown) {
            chunk.append(chunk.empty() ? "" : ",\n").append(example_json(example, number));
            if (++kept % kExampleChunk == 0) {
                write_chunk();
            }
        }
        progress.update(number);
    }
    progress.finish();
    if (!chunk.empty()) {
        write_chunk();
    }
}

void write_meta(const Site& site, const Options& options, const SiteData& data) {
    std::string classes;
    for (const ClassOfModels& one : site.classes) {
        classes += fmt::format(R"({}{{"name":{},"splits":{}}})", classes.empty() ? "" : ",",
                               json_text(one.name), std::max(1U, one.splits));
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
            R"({{"title":{},"kernel":{},"partial":{},"count":{},"chunk":{},"exampleChunk":{},"trained":{},"classes":[{}],"models":[{}]}})",
            json_text(name), json_text(kernel::to_string(kernel::BasicKernel(kernel))),
            fragment::fragments_of(kernel).skips_children(), site.size(), kChunk, kExampleChunk,
            !site.trained.empty(), classes, models));
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

void write_chunks(const Site& site, const SiteData& data, base::ProgressObserver& progress) {
    const Neighbours neighbours = find_neighbours(
        site.fragments, fragment::fragments_of(site.dictionary.info().kernel).skips_children());
    progress.start("pages", site.size());
    for (std::uint32_t begin = 0; begin < site.size(); begin += kChunk) {
        const std::uint32_t end = std::min(site.size(), begin + kChunk);
        const auto field = [&](std::string_view name, const auto& value_of) {
            std::string values;
            for (std::uint32_t id = begin; id < end; ++id) {
                values.append(id == begin ? "" : ",").append(value_of(id));
            }
            return fmt::format("\"{}\":[{}]", name, values);
        };
        const auto number = [](std::uint64_t value) { return std::to_string(value); };
        const std::vector<std::uint32_t> none;
        const std::vector<std::string> fields{
            field("text",
                  [&](auto id) {
                      return json_text(fragment::to_text(site.fragments[id], site.dictionary.symbols()));
                  }),
            field("weight", [&](auto id) { return json_number(site.strongest[id].weight); }),
            field("class", [&](auto id) { return number(site.strongest[id].which); }),
            field("size", [&](auto id) { return number(site.records[id].expanded); }),
            field("depth", [&](auto id) { return number(site.records[id].depth); }),
            field("count", [&](auto id) { return number(site.records[id].count()); }),
            field("models", [&](auto id) { return models_json(site.records[id]); }),
            field("trained",
                  [&](auto id) { return site.trained.empty() ? "[]" : weights_json(site.trained[id]); }),
            field("smaller",
                  [&](auto id) { return json_list(first_of(neighbours.smaller[id], kNeighbours)); }),
            field("larger", [&](auto id) { return json_list(first_of(neighbours.larger[id], kNeighbours)); }),
            field("pro",
                  [&](auto id) { return json_list(site.occurring.empty() ? none : site.occurring[id].pro); }),
            field("contra", [&](auto id) {
                return json_list(site.occurring.empty() ? none : site.occurring[id].contra);
            })};
        data.write(fmt::format("chunk/{}", begin / kChunk), fmt::format("{{{}}}", fmt::join(fields, ",\n")));
        progress.update(end);
    }
    progress.finish();
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
    struct Ranked {
        std::uint32_t id;
        double weight;
    };
    std::vector<std::vector<Ranked>> lists(site.classes.size());
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        for (const ClassWeight& one : class_means(site, site.records[id])) {
            lists[one.which].push_back({id, one.weight});
        }
    }
    for (std::size_t which = 0; which < lists.size(); ++which) {
        std::ranges::stable_sort(lists[which], std::greater(),
                                 [](const Ranked& one) { return std::abs(one.weight); });
        std::vector<std::uint32_t> ids;
        std::vector<float> weights;
        for (const Ranked& one : lists[which]) {
            ids.push_back(one.id);
            weights.push_back(static_cast<float>(one.weight));
        }
        data.write(fmt::format("class/{}", which),
                   fmt::format(R"({{"ids":{},"weights":{}}})", packed(ids), packed(weights)));
    }
}

void write_postings(const Site& site, const SiteData& data) {
    std::map<std::pair<bool, tree::SymbolId>, std::vector<std::uint32_t>> lists;  // by kind and label
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        for (const fragment::FragmentNode& node : site.fragments[id]) {
            auto& list = lists[{is_leaf(node), node.label}];
            if (list.empty() || list.back() != id) {
                list.push_back(id);
            }
        }
    }
    std::vector<std::string> texts;
    std::vector<std::uint32_t> leaf;
    std::vector<std::uint32_t> file;
    std::string postings;
    std::uint32_t files = 0;
    const auto finish_file = [&] {
        if (!postings.empty()) {
            data.write(fmt::format("postings/{}", files++), "{" + postings + "}");
            postings.clear();
        }
    };
    for (const auto& [label, ids] : lists) {
        postings +=
            fmt::format("{}\"{}\":{}", postings.empty() ? "" : ",\n", texts.size(), packed_ascending(ids));
        texts.push_back(json_text(site.dictionary.symbols().text(label.second)));
        leaf.push_back(label.first ? 1 : 0);
        file.push_back(files);
        if (postings.size() > kPostingBytes) {
            finish_file();
        }
    }
    finish_file();
    data.write("labels", fmt::format(R"({{"texts":[{}],"leaf":{},"file":{}}})", fmt::join(texts, ","),
                                     json_list(leaf), json_list(file)));
}

}  // namespace

stage::Summary browse(const Options& options, base::ProgressObserver& progress) {
    std::vector<std::string> inputs{options.dictionary};
    for (const std::string& more : {options.model, options.examples}) {
        if (!more.empty()) {
            inputs.push_back(more);
        }
    }
    stage::Outputs outputs(stage::plan_work("fdi browse", {}, options.common, inputs), {{options.output, {}}},
                           options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    base::AtomicFolder folder(options.output);
    Site site(options.dictionary);
    const SiteData data(folder.temporary_path());
    read_dictionary(site, progress);
    if (!options.model.empty()) {
        read_trained(site, options.model);
    }
    if (!options.examples.empty()) {
        read_examples(site, options, data, progress);
    }
    write_meta(site, options, data);
    write_columns(site, data);
    write_classes(site, data);
    write_postings(site, data);
    write_chunks(site, data, progress);
    base::write_whole_file(
        (std::filesystem::path(folder.temporary_path()) / "index.html").string(),
        classify::fill_page(classify::browse_html(), classify::treeline_css(),
                            std::string(classify::trees_js()).append(classify::browse_js())));
    outputs.commit(folder, {{"fragments", stage::value_of(site.size())}});
    return {site.size(), site.size(), 0};
}

}  // namespace treeline::fdi
