#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <ostream>
#include <set>
#include <sstream>
#include <unordered_map>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/integrity.hpp"
#include "base/names.hpp"
#include "base/syntax_error.hpp"
#include "base/text.hpp"
#include "fdi/commands.hpp"
#include "fdi/listing.hpp"
#include "fdi/pattern.hpp"
#include "fdi/relevance.hpp"
#include "fragment/fragment_family.hpp"
#include "fragment/miner.hpp"
#include "fragment/score.hpp"
#include "store/dictionary.hpp"
#include "tree/bracket_reader.hpp"

namespace treeline::fdi {

using store::Dictionary;

stage::Summary top(const Options& options, std::ostream& out) {
    const Dictionary dictionary(options.dictionary);
    const Relevance relevance(dictionary, options.label_class);
    const std::vector<std::uint32_t> ids = relevance.ranked(options.count);
    write_heading(out);
    for (const std::uint32_t id : ids) {
        write_line(out, dictionary, dictionary.get(id), relevance, options.digits);
    }
    return {dictionary.size(), ids.size(), 0, true};
}

namespace {

/// The number of the fragment that a person names, by it or by its text.
std::uint32_t get_fragment(const Dictionary& dictionary, const std::string& name) {
    if (const auto id = base::parse_unsigned(name)) {
        if (*id >= dictionary.size()) {
            throw base::UsageError(fmt::format(
                "there is no fragment {}; the dictionary has {}, numbered from 0", *id, dictionary.size()));
        }
        return static_cast<std::uint32_t>(*id);
    }
    tree::SymbolTable symbols;
    fragment::Fragment fragment;
    try {
        fragment = fragment::parse_fragment(name, symbols);
    } catch (const base::SyntaxError& error) {
        throw base::UsageError(
            fmt::format("{}: at character {}: {}", base::quoted(name), error.offset() + 1, error.what()));
    }
    if (const auto id = dictionary.find(fragment, symbols)) {
        return *id;
    }
    throw base::UsageError(fmt::format(
        "the dictionary has no fragment {}; fdi find --pattern lists those that have it as a part",
        base::quoted(name)));
}

}  // namespace

stage::Summary show(const Options& options, std::ostream& out) {
    const Dictionary dictionary(options.dictionary);
    const store::DictionaryInfo& info = dictionary.info();
    const store::ClassRelevance classes(info.models);
    const auto number = [&](double value) { return format_number(value, options.digits); };
    for (const std::string& name : options.named) {
        const std::uint32_t id = get_fragment(dictionary, name);
        const Dictionary::Entry entry = dictionary.get(id);
        out << fmt::format("fragment   {}\ntext       {}\n", id,
                           fragment::to_text(entry.fragment, dictionary.symbols()));
        for (std::uint32_t which = 0; which < classes.classes().size(); ++which) {
            out << fmt::format("relevance  {}  for {}\n",
                               number(classes.relevance(entry.record.models, which)), classes.name(which));
        }
        const auto value = [&](fragment::WeightScheme scheme) {
            return number(fragment::occurrence_value(entry.fragment, info.kernel, scheme));
        };
        out << fmt::format("value      {} exact", value(fragment::WeightScheme::kExact));
        if (fragment::fragments_of(info.kernel).has_weight(fragment::WeightScheme::kDepth)) {
            out << fmt::format(", {} by depth", value(fragment::WeightScheme::kDepth));
        }
        out << fmt::format("\nsize       {} expanded of {} nodes, depth {}\n", entry.record.expanded,
                           entry.record.nodes, entry.record.depth);
        for (const store::ModelRelevance& model : entry.record.models) {
            const bool known = model.model < info.models.size();
            out << fmt::format("model      {}  {}  at {} nodes of {}\n", model.model, number(model.relevance),
                               model.count, known ? info.models[model.model].name : "?");
        }
        out << "path      ";
        for (const Dictionary::PathStep& step : dictionary.path_of(id)) {
            out << ' '
                << (step.kind == store::LabelKind::kLeaf ? "\"" + std::string(step.label) + "\""
                                                         : step.label);
            if (step.arc > 0) {
                out << " -" << step.arc << "->";
            }
        }
        out << "\n\n" << text_drawing(entry.fragment, dictionary.symbols()) << '\n';
    }
    return {options.named.size(), options.named.size(), 0, true};
}

namespace {

/// `NP -> DT NN` and `(NP (DT) (NN))` as `NP DT NN`; other texts as they are.
std::string without_marks(const std::string& production) {
    if (!production.starts_with('(') && production.find(" -> ") == std::string::npos) {
        return production;
    }
    std::string text = production;
    std::ranges::replace_if(
        text, [](char c) { return c == '(' || c == ')' || base::is_space(c); }, ' ');
    std::string labels;
    std::istringstream words(text);
    for (std::string word; words >> word;) {
        if (word != "->") {
            labels.append(labels.empty() ? "" : " ").append(word);
        }
    }
    return labels;
}

/// The fragments that use a production for which `wanted` is true, ascending.
template <typename Wanted>
std::vector<std::uint32_t> with_production(const Dictionary& dictionary, Wanted&& wanted) {
    std::set<std::uint32_t> ids;
    dictionary.for_each_production([&](const Dictionary::Production& production) {
        if (wanted(production)) {
            ids.insert(production.fragments.begin(), production.fragments.end());
        }
    });
    return {ids.begin(), ids.end()};
}

/// The fragments that occur in a tree; count_of gets at how many of its nodes.
std::vector<std::uint32_t> in_tree(const Dictionary& dictionary, const std::string& text) {
    tree::Forest forest;
    tree::TreeText tree;
    try {
        const std::size_t end = tree::BracketReader().read(text, 0, tree);
        if (end != text.size()) {
            throw tree::SyntaxError(end, "there is more after the tree");
        }
    } catch (const tree::SyntaxError& error) {
        throw base::UsageError("--within: at character " + std::to_string(error.offset() + 1) + ": " +
                               error.what());
    }
    std::vector<tree::NodeId> roots;
    if (const auto root = forest.add(tree)) {
        roots.push_back(*root);
    }
    kernel::TreeKernel kernel = dictionary.info().kernel;
    kernel.normalize = false;
    const fragment::MiningSpace space(forest, kernel, roots, std::vector<double>(roots.size(), 1.0));
    fragment::FragmentList fragments;
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        fragments.add(entry.fragment);
        return true;
    });
    const auto scores =
        fragment::score_fragments(space, fragment::WeightScheme::kExact, fragments, dictionary.symbols());
    std::vector<std::uint32_t> ids;
    for (std::uint32_t id = 0; id < scores.size(); ++id) {
        if (scores[id].count > 0) {
            ids.push_back(id);
        }
    }
    return ids;
}

}  // namespace

stage::Summary find(const Options& options, std::ostream& out) {
    const int ways = !options.containing.empty() + !options.production.empty() + !options.pattern.empty() +
                     !options.tree.empty();
    if (ways != 1) {
        throw base::UsageError(fmt::format(
            "find takes one of --containing, --production, --pattern and --within{}",
            ways > 1
                ? ""
                : fmt::format("; the most relevant fragments, also of a class, are listed by: fdi top {}{}",
                              options.dictionary,
                              options.label_class.empty() ? "" : " --class " + options.label_class)));
    }
    const Dictionary dictionary(options.dictionary);
    const Relevance relevance(dictionary, options.label_class);
    const tree::SymbolTable& symbols = dictionary.symbols();
    std::vector<std::uint32_t> ids;
    if (!options.containing.empty()) {
        const auto matches = [&](const fragment::FragmentNode& node) {
            return fragment::label_matches(options.containing, symbols.text(node.label));
        };
        ids = with_production(dictionary, [&](const Dictionary::Production& production) {
            return matches(production.parent) || std::ranges::any_of(production.children, matches);
        });
    } else if (!options.production.empty()) {
        const std::string wanted = without_marks(options.production);
        ids = with_production(dictionary, [&](const Dictionary::Production& production) {
            std::string text(symbols.text(production.parent.label));
            for (const fragment::FragmentNode& child : production.children) {
                text.append(" ").append(symbols.text(child.label));
            }
            return text == options.production || text == wanted;
        });
    } else if (!options.pattern.empty()) {
        const Pattern pattern(options.pattern);
        dictionary.for_each([&](const Dictionary::Entry& entry) {
            if (pattern.matches(entry.fragment, symbols)) {
                ids.push_back(entry.id);
            }
            return true;
        });
    } else {
        ids = in_tree(dictionary, options.tree);
    }
    write_heading(out);
    const std::vector<std::uint32_t> shown = relevance.ranked(ids, options.count);
    for (const std::uint32_t id : shown) {
        write_line(out, dictionary, dictionary.get(id), relevance, options.digits);
    }
    return {ids.size(), shown.size(), 0, true};
}

stage::Summary stats(const Options& options, std::ostream& out) {
    const Dictionary dictionary(options.dictionary);
    const Dictionary::Statistics index = dictionary.statistics();
    std::map<std::uint32_t, std::uint64_t> sizes;
    std::map<std::uint32_t, std::uint64_t> depths;
    std::map<std::size_t, std::uint64_t> models;
    std::uint64_t lexicalized = 0;
    std::uint64_t labelled = 0;
    std::uint64_t rooted = 0;
    double squared = 0;
    dictionary.for_each([&](const Dictionary::Entry& entry) {
        ++sizes[entry.record.expanded];
        ++depths[entry.record.depth];
        ++models[entry.record.models.size()];
        squared += entry.record.relevance * entry.record.relevance;
        lexicalized += std::ranges::any_of(entry.fragment, [](const auto& node) { return is_leaf(node); });
        if (!options.containing.empty()) {
            const auto matches = [&](const fragment::FragmentNode& node) {
                return fragment::label_matches(options.containing, dictionary.symbols().text(node.label));
            };
            labelled += std::ranges::any_of(entry.fragment, matches);
            rooted += matches(entry.fragment.front());
        }
        return true;
    });
    const auto share = [](double part, double whole) { return whole > 0 ? 100 * part / whole : 0; };
    const auto total = static_cast<double>(dictionary.size());
    out << fmt::format("fragments\t{}\n", dictionary.size());
    out << fmt::format("kernel\t{}\n", kernel::to_string(kernel::BasicKernel(dictionary.info().kernel)));
    out << fmt::format("weight\t{}\nminer\t{}\n",
                       std::string(base::name_of(fragment::kWeightNames, dictionary.info().weight)),
                       dictionary.info().miner);
    out << fmt::format("digest\t{}\n", dictionary.digest());
    out << fmt::format("lexicalized\t{}\t{:.2f}%\n", lexicalized,
                       share(static_cast<double>(lexicalized), total));
    if (!options.containing.empty()) {
        out << fmt::format("with {}\t{}\t{:.2f}%\n", options.containing, labelled,
                           share(static_cast<double>(labelled), total));
        out << fmt::format("rooted in {}\t{}\t{:.2f}%\n", options.containing, rooted,
                           share(static_cast<double>(rooted), total));
    }
    out << fmt::format("norm of the relevances\t{:.6g}\n", std::sqrt(squared));
    out << fmt::format("labels\t{}\nproductions\t{}\ntails\t{}\n", index.labels, index.productions,
                       index.tails);
    out << fmt::format(
        "tails without sharing\t{}\t{:.2f} times\n", index.unshared_tails,
        share(static_cast<double>(index.unshared_tails), static_cast<double>(index.tails)) / 100);
    out << fmt::format("bytes\t{}\t{:.1f} a fragment\n", index.bytes,
                       share(static_cast<double>(index.bytes), total) / 100);
    const auto histogram = [&](const char* name, const auto& counts) {
        for (const auto& [number, count] : counts) {
            out << fmt::format("{} {}\t{}\t{:.2f}%\n", name, number, count,
                               share(static_cast<double>(count), total));
        }
    };
    histogram("size", sizes);
    histogram("depth", depths);
    histogram("in models", models);
    for (std::size_t i = 0; i < dictionary.info().models.size(); ++i) {
        const store::DictionaryModel& model = dictionary.info().models[i];
        out << fmt::format(
            "model {}\t{}\tclass {}\t{} support vectors\t{} fragments\tnorm retained {:.2f}%\n", i,
            model.name, model.label, model.support_vectors, model.mined, share(model.retained, model.norm));
    }
    return {dictionary.size(), dictionary.size(), 0, true};
}

stage::Summary diff(const Options& options, std::ostream& out) {
    const Dictionary a(options.dictionary);
    const Dictionary b(options.other);
    const Relevance of_a(a, options.label_class);
    const Relevance of_b(b, options.label_class);
    const auto relevances = [](const Dictionary& dictionary, const Relevance& relevance) {
        std::unordered_map<std::string, double> map;
        dictionary.for_each([&](const Dictionary::Entry& entry) {
            map.emplace(fragment::to_text(entry.fragment, dictionary.symbols()),
                        relevance.value(entry.record));
            return true;
        });
        return map;
    };
    std::uint64_t shared = 0;
    std::uint64_t lines = 0;
    double change = 0;
    const auto only = [&](const Dictionary& own, const Relevance& relevance,
                          const std::unordered_map<std::string, double>& other, char mark) {
        std::uint64_t count = 0;
        shared = 0;
        own.for_each([&](const Dictionary::Entry& entry) {
            const std::string text = fragment::to_text(entry.fragment, own.symbols());
            if (const auto found = other.find(text); found != other.end()) {
                ++shared;
                change = std::max(change, std::abs(relevance.value(entry.record) - found->second));
            } else if (++count; options.count == 0 || count <= options.count) {
                out << mark << '\t' << entry.id << '\t'
                    << format_number(relevance.value(entry.record), options.digits) << '\t' << text << '\n';
                ++lines;
            }
            return true;
        });
        return count;
    };
    const std::uint64_t only_a = only(a, of_a, relevances(b, of_b), '-');
    const std::uint64_t only_b = only(b, of_b, relevances(a, of_a), '+');
    out << fmt::format(
        "# {} in both, {} only in the first, {} only in the second, largest difference of relevance {}\n",
        shared, only_a, only_b, format_number(change, options.digits));
    return {a.size() + std::uint64_t{b.size()}, lines, 0, true};
}

stage::Summary verify(const Options& options, std::ostream& out) {
    const std::filesystem::path path = options.dictionary;
    const bool is_other = std::filesystem::is_directory(path)
                              ? !std::filesystem::exists(path / base::formats::kChecksumFile) &&
                                    std::filesystem::exists(base::manifest_path(options.dictionary))
                              : std::filesystem::exists(path);
    if (is_other) {
        const base::Verified verified = base::verify(options.dictionary);
        out << fmt::format("ok\t{} files\t{} bytes\n", verified.files, verified.bytes);
        return {verified.files, verified.files, 0};
    }
    const std::vector<std::string> problems = Dictionary::verify(options.dictionary);
    for (const std::string& problem : problems) {
        out << problem << '\n';
    }
    if (!problems.empty()) {
        throw base::InputError({options.dictionary}, std::to_string(problems.size()) +
                                                         " problems found; make the dictionary again");
    }
    const Dictionary dictionary(options.dictionary);
    out << fmt::format("ok\t{} fragments\tdigest {}\n", dictionary.size(), dictionary.digest());
    return {dictionary.size(), dictionary.size(), 0, true};
}

}  // namespace treeline::fdi
