#include "fdi/listing.hpp"

#include <fmt/format.h>

#include <vector>

#include "base/text.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::fdi {

void write_heading(std::ostream& out) {
    out << "id\trelevance\tclass\tmodels\tsize\tdepth\tcount\tfragment\n";
}

void write_line(std::ostream& out, const store::Dictionary& dictionary, const store::Dictionary::Entry& entry,
                const Relevance& relevance) {
    out << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", entry.id,
                       base::format_double(relevance.value(entry.record)), relevance.label(entry.record),
                       entry.record.models.size(), entry.record.expanded, entry.record.depth,
                       entry.record.count(), fragment::to_text(entry.fragment, dictionary.symbols()));
}

std::string text_drawing(fragment::FragmentView fragment, const tree::SymbolTable& symbols) {
    std::string text;
    std::vector<std::uint32_t> open;  // children still to come, of the nodes above
    for (const fragment::FragmentNode& node : fragment) {
        for (std::size_t level = 0; level < open.size(); ++level) {
            const bool own = level + 1 == open.size();
            text += own ? (open[level] > 1 ? "├── " : "└── ") : (open[level] > 0 ? "│   " : "    ");
        }
        if (!open.empty()) {
            --open.back();
        }
        std::string label;
        tree::append_label(label, symbols.text(node.label));
        text += is_leaf(node) ? "\"" + label + "\"" : label;
        text += !is_leaf(node) && node.children == 0 ? " ...\n" : "\n";
        if (child_count(node) > 0) {
            open.push_back(node.children);
        } else {
            while (!open.empty() && open.back() == 0) {
                open.pop_back();
            }
        }
    }
    return text;
}

}  // namespace treeline::fdi
