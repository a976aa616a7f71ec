#include "fdi/site_examples.hpp"

#include <fmt/format.h>

#include <cmath>

#include "classify/markup.hpp"
#include "example/class_set.hpp"
#include "example/example_reader.hpp"
#include "fragment/matcher.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::fdi {

namespace {

using classify::json_text;

constexpr std::size_t kExamples = 3;  // shown for and against

/// The leaves as words of a sentence, each with the space before it.
std::string words_json(const tree::TreeText& tree) {
    std::string words;
    std::string_view before;
    for (const tree::TreeText::Node& node : tree.nodes) {
        if (node.children == 0) {
            const bool space = !before.empty() && classify::space_between(before, node.label);
            words += (words.empty() ? "" : ",") +
                     json_text((space ? " " : "") + std::string(classify::spelled_word(node.label)));
            before = node.label;
        }
    }
    return "[" + words + "]";
}

std::string example_json(const example::Example& example, std::string_view label, std::uint64_t number) {
    std::string trees;
    for (const tree::TreeText& tree : example.trees()) {
        std::string text;
        tree::append_tree(text, tree);
        std::vector<classify::DrawnNode> nodes;
        append_drawn(nodes, tree);
        trees += fmt::format("{}[{},{},{}]", trees.empty() ? "" : ",", json_text(text), places_json(nodes),
                             words_json(tree));
    }
    return fmt::format(R"({{"number":{},"label":{},"trees":[{}]}})", number, json_text(label), trees);
}

/// Notes that example `kept` has the fragments; whether any of them shows it.
bool note(Site& site, const std::vector<fragment::Match>& matches, const std::vector<bool>& is_of_class,
          std::uint32_t kept) {
    bool shown = false;
    for (const fragment::Match& match : matches) {
        Occurring& seen = site.occurring[match.fragment];
        auto& side = is_of_class[site.strongest[match.fragment].which] ? seen.pro : seen.contra;
        if (side.size() < kExamples && (side.empty() || side.back() != kept)) {
            side.push_back(kept);
            shown = true;
        }
    }
    return shown;
}

}  // namespace

std::string places_json(const std::vector<classify::DrawnNode>& nodes) {
    const classify::TreeLayout layout(nodes);
    std::vector<std::uint32_t> places;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        places.push_back(static_cast<std::uint32_t>(std::lround(layout[i].x)));
    }
    places.push_back(static_cast<std::uint32_t>(std::ceil(layout.width())));
    return classify::json_list(places);
}

void read_examples(Site& site, const std::string& path, const example::ExampleReaderOptions& reading,
                   const std::string& label_until, const classify::SiteData& data,
                   base::ProgressObserver& progress) {
    fragment::MatcherIndex index(site.dictionary.info().kernel, site.dictionary.info().weight,
                                 site.dictionary.symbols());
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        index.add(id, site.fragments[id]);
    }
    fragment::Matcher matcher(index);
    std::vector<fragment::Match> matches;
    site.occurring.resize(site.size());
    example::ExampleReader reader(path, reading);
    example::Example example;
    std::string chunk;
    std::uint32_t kept = 0;
    const auto write_chunk = [&] {
        data.write(fmt::format("examples/{}", (kept - 1) / kExampleChunk), "[" + chunk + "]");
        chunk.clear();
    };
    progress.start("examples", 0);
    for (std::uint64_t number = 0; reader.next(example); ++number) {
        const std::string_view label = example::cut_label(example.label, label_until);
        std::vector<bool> is_of_class;
        for (const std::string& one : site.classes) {
            is_of_class.push_back(example::same_class(one, label));
        }
        bool shown = false;
        for (const tree::TreeText& tree : example.trees()) {
            matcher.match(tree, matches);
            shown = note(site, matches, is_of_class, kept) || shown;
        }
        if (shown) {
            chunk.append(chunk.empty() ? "" : ",\n").append(example_json(example, label, number));
            if (++kept % kExampleChunk == 0) {
                write_chunk();
            }
        }
        progress.update(number + 1);
    }
    progress.finish();
    if (!chunk.empty()) {
        write_chunk();
    }
}

}  // namespace treeline::fdi
