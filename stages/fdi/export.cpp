#include <fmt/format.h>
#include <fmt/ranges.h>

#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "classify/tree_drawing.hpp"
#include "common/outputs.hpp"
#include "fdi/commands.hpp"
#include "fdi/relevance.hpp"
#include "store/dictionary.hpp"
#include "store/fragment_table.hpp"

namespace treeline::fdi {

namespace {

using store::Dictionary;

std::string tsv_line(const Dictionary& dictionary, const Dictionary::Entry& entry,
                     const Relevance& relevance) {
    std::string line;
    const auto add = [&](std::string_view text, char after) {
        line += text;
        line += after;
    };
    add(std::to_string(entry.id), '\t');
    add(base::format_double(relevance.value(entry.record)), '\t');
    add(relevance.label(entry.record), '\t');
    add(std::to_string(entry.record.expanded), '\t');
    add(std::to_string(entry.record.depth), '\t');
    add(std::to_string(entry.record.count()), '\t');
    for (std::size_t i = 0; i < entry.record.models.size(); ++i) {
        const store::ModelRelevance& model = entry.record.models[i];
        line += i > 0 ? "," : "";
        add(std::to_string(model.model), ':');
        line += base::format_double(model.relevance);
    }
    line += '\t';
    fragment::append_text(line, entry.fragment, dictionary.symbols());
    line += '\n';
    return line;
}

std::string json_line(const Dictionary& dictionary, const Dictionary::Entry& entry,
                      const Relevance& relevance, bool drawn) {
    nlohmann::ordered_json models = nlohmann::ordered_json::array();
    for (const store::ModelRelevance& model : entry.record.models) {
        models.push_back({{"model", dictionary.info().models.at(model.model).name},
                          {"relevance", model.relevance},
                          {"count", model.count}});
    }
    nlohmann::ordered_json line{{"id", entry.id},
                                {"fragment", fragment::to_text(entry.fragment, dictionary.symbols())},
                                {"relevance", relevance.value(entry.record)},
                                {"class", relevance.label(entry.record)},
                                {"size", entry.record.expanded},
                                {"nodes", entry.record.nodes},
                                {"depth", entry.record.depth},
                                {"models", models}};
    if (drawn) {
        std::vector<classify::DrawnNode> nodes;
        append_drawn(nodes, entry.fragment, dictionary.symbols());
        line["drawing"] = classify::TreeDrawing(std::move(nodes)).svg();
    }
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

std::string dot_text(const Dictionary& dictionary, const Dictionary::Entry& entry,
                     const Relevance& relevance) {
    const auto escaped = [](std::string_view text) {
        std::string out;
        for (const char c : text) {
            out += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
        }
        return out;
    };
    std::string text = "digraph fragment_" + std::to_string(entry.id) + " {\n  label=\"" +
                       std::to_string(entry.id) + ": " + base::format_double(relevance.value(entry.record)) +
                       " for " + escaped(relevance.label(entry.record)) +
                       "\"; ordering=out; edge [arrowhead=none];\n";
    std::vector<std::pair<std::size_t, std::uint32_t>> open;  // node and children still to come
    for (std::size_t i = 0; i < entry.fragment.size(); ++i) {
        const fragment::FragmentNode& node = entry.fragment[i];
        const char* style = is_leaf(node)        ? "shape=plaintext, fontname=\"italic\""
                            : node.children == 0 ? "shape=box, style=dashed"
                                                 : "shape=box";
        text += "  n" + std::to_string(i) + " [label=\"" + escaped(dictionary.symbols().text(node.label)) +
                "\", " + style + "];\n";
        if (!open.empty()) {
            text += "  n" + std::to_string(open.back().first) + " -> n" + std::to_string(i) + ";\n";
        }
        if (child_count(node) > 0) {
            open.emplace_back(i, node.children);
        } else {
            while (!open.empty() && --open.back().second == 0) {
                open.pop_back();
            }
        }
    }
    return text + "}\n";
}

}  // namespace

stage::Summary export_fragments(const Options& options, base::ProgressObserver& progress) {
    if (options.drawings && options.format != Format::kJsonLines) {
        throw base::UsageError("--drawings is for --format jsonl");
    }
    const Dictionary dictionary(options.dictionary);
    const Relevance relevance(dictionary, options.label_class);
    std::uint64_t written = 0;
    const auto visit = [&](const auto& write) {
        if (options.ids.empty() && !options.label_class.empty()) {
            for (const std::uint32_t id : relevance.ranked(options.count)) {
                write(dictionary.get(id));
                ++written;
            }
        } else if (options.ids.empty()) {
            dictionary.for_each([&](const Dictionary::Entry& entry) {
                write(entry);
                ++written;
                return options.count == 0 || written < options.count;
            });
        }
        for (const std::uint32_t id : options.ids) {
            write(dictionary.get(id));
            ++written;
        }
    };
    stage::Outputs outputs(stage::plan_work("fdi export",
                                            {{"format", stage::value_of(kFormatNames, options.format)},
                                             {"class", options.label_class},
                                             {"count", stage::value_of(options.count)},
                                             {"drawings", options.drawings},
                                             {"ids", fmt::format("{}", fmt::join(options.ids, " "))}},
                                            options.common, {options.dictionary}),
                           {{options.output, {}}}, options.common, progress);
    if (!outputs.begin()) {
        return {};
    }
    if (options.format == Format::kArrow) {
        store::FragmentTable table(options.output, dictionary);
        visit([&](const Dictionary::Entry& entry) {
            table.add(entry, relevance.value(entry.record), relevance.label(entry.record));
        });
        table.commit();
    } else {
        base::AtomicFile file(options.output);
        if (options.format == Format::kTsv) {
            file.write("id\trelevance\tclass\tsize\tdepth\tcount\tmodels\tfragment\n");
        }
        visit([&](const Dictionary::Entry& entry) {
            file.write(options.format == Format::kTsv ? tsv_line(dictionary, entry, relevance)
                       : options.format == Format::kJsonLines
                           ? json_line(dictionary, entry, relevance, options.drawings)
                           : dot_text(dictionary, entry, relevance));
        });
        file.commit();
    }
    outputs.record({{"fragments", stage::value_of(written)}});
    return {dictionary.size(), written, 0};
}

}  // namespace treeline::fdi
