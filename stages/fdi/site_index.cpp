#include "fdi/site_index.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <unordered_map>

#include "base/parallel.hpp"

namespace treeline::fdi {

namespace {

using classify::json_list;
using classify::json_text;
using classify::packed_ascending;

constexpr std::size_t kPostingBytes = 1 << 18;  // of a file of postings, about

using Postings = std::vector<std::uint32_t>;

void add(Postings& list, std::uint32_t id) {
    if (list.empty() || list.back() != id) {
        list.push_back(id);
    }
}

void append_number(std::string& key, std::uint32_t number) {
    for (unsigned shift = 0; shift < 32; shift += 8) {
        key += static_cast<char>(number >> shift & 255U);
    }
}

std::uint32_t read_number(std::string_view key, std::size_t at) {
    std::uint32_t number = 0;
    for (unsigned i = 0; i < 4; ++i) {
        number |= static_cast<std::uint32_t>(static_cast<unsigned char>(key[at + i])) << (8 * i);
    }
    return number;
}

/// A child in a key: its label, and whether it is a leaf.
void append_child(std::string& key, const fragment::FragmentNode& child) {
    key += is_leaf(child) ? 'w' : 'n';
    append_number(key, static_cast<std::uint32_t>(child.label));
}

/// Keys are tokens with numbers for labels.
using Index = std::unordered_map<std::string, Postings>;

void add_tokens(Index& index, fragment::FragmentView fragment, std::uint32_t id) {
    std::string production;
    std::string edge;
    for (std::size_t at = 0; at < fragment.size(); ++at) {
        const std::uint32_t count = child_count(fragment[at]);
        if (count == 0) {
            continue;
        }
        production = "P";
        append_number(production, static_cast<std::uint32_t>(fragment[at].label));
        std::size_t child = at + 1;
        for (std::uint32_t i = 0; i < count; ++i, child = skip_subtree(fragment, child)) {
            append_child(production, fragment[child]);
            edge = "E";
            append_number(edge, static_cast<std::uint32_t>(fragment[at].label));
            append_child(edge, fragment[child]);
            add(index[edge], id);
        }
        add(index[production], id);
    }
}

std::string spelled(std::string_view key, const tree::SymbolTable& symbols) {
    const auto label = [&](std::size_t at) { return symbols.text(tree::SymbolId{read_number(key, at)}); };
    std::string token(1, key[0]);
    token.append(label(1));
    for (std::size_t at = 5; at < key.size(); at += 5) {
        token.append("\t").append(1, key[at]).append(label(at + 1));
    }
    return token;
}

std::uint32_t file_of(std::string_view token, std::uint32_t files) {
    std::uint32_t hash = 2166136261U;
    for (const char c : token) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 16777619U;
    }
    return hash % files;
}

void write_tokens(const Site& site, const classify::SiteData& data) {
    Index index;
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        add_tokens(index, site.fragments[id], id);
    }
    std::vector<std::map<std::string, const Postings*>> files(index_files(site));
    for (const auto& [key, ids] : index) {
        std::string token = spelled(key, site.dictionary.symbols());
        auto& file = files[file_of(token, index_files(site))];
        file.emplace(std::move(token), &ids);
    }
    base::parallel_pieces(files.size(), 1, [&](std::size_t number, std::size_t) {
        std::string text;
        for (const auto& [token, ids] : files[number]) {
            text +=
                fmt::format("{}{}:{}", text.empty() ? "" : ",\n", json_text(token), packed_ascending(*ids));
        }
        data.write(fmt::format("index/{}", number), "{" + text + "}");
    });
}

void write_labels(const Site& site, const classify::SiteData& data) {
    std::map<std::pair<bool, tree::SymbolId>, Postings> lists;  // by kind and label
    for (std::uint32_t id = 0; id < site.size(); ++id) {
        for (const fragment::FragmentNode& node : site.fragments[id]) {
            add(lists[{is_leaf(node), node.label}], id);
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

std::uint32_t index_files(const Site& site) { return std::clamp(site.size() / 2000U, 1U, 512U); }

void write_index(const Site& site, const classify::SiteData& data) {
    write_labels(site, data);
    write_tokens(site, data);
}

}  // namespace treeline::fdi
