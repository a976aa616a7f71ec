#include "fdi/listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/text.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::fdi {

void write_heading(std::ostream& out) {
    out << "id\trelevance\tclass\tmodels\tsize\tdepth\tcount\tfragment\n";
}

void write_line(std::ostream& out, const store::Dictionary& dictionary, const store::Dictionary::Entry& entry,
                const Relevance& relevance, std::uint32_t digits) {
    out << fmt::format("{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}\n", entry.id,
                       format_number(relevance.value(entry.record), digits), relevance.label(entry.record),
                       entry.record.models.size(), entry.record.expanded, entry.record.depth,
                       entry.record.count(), fragment::to_text(entry.fragment, dictionary.symbols()));
}

std::string format_number(double value, std::uint32_t digits) {
    constexpr std::uint32_t kAll = 17;
    return digits == 0 ? base::format_double(value) : fmt::format("{:.{}g}", value, std::min(digits, kAll));
}

std::string text_drawing(fragment::FragmentView fragment, const tree::SymbolTable& symbols) {
    // A line is as long as it is deep.
    constexpr std::size_t kDeepest = 500;
    std::string text;
    std::vector<std::uint32_t> open;  // children still to come, of the nodes above
    for (const fragment::FragmentNode& node : fragment) {
        if (open.size() > kDeepest) {
            return text + "(what is deeper is not drawn)\n";
        }
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
