#include "corpus/argument_examples.hpp"

#include <algorithm>

namespace treeline::corpus {

namespace {

constexpr std::uint32_t kNone = SentenceTree::kNone;

bool is_left_out(const std::vector<std::string>& without, std::string_view roleset) {
    return std::ranges::any_of(without, [&](std::string_view pattern) {
        return pattern.ends_with('*') ? roleset.starts_with(pattern.substr(0, pattern.size() - 1))
                                      : roleset == pattern;
    });
}

/// A0..A5 for ARG0..ARG5, else empty.
std::string_view plain_role(const std::string& role) {
    constexpr std::string_view kRoles[] = {"A0", "A1", "A2", "A3", "A4", "A5"};
    const bool plain = role.size() == 4 && role.starts_with("ARG") && role[3] >= '0' && role[3] <= '5';
    return plain ? kRoles[role[3] - '0'] : std::string_view();
}

bool covers(const SentenceTree::Node& outer, const SentenceTree::Node& inner) {
    return outer.first_word <= inner.first_word && inner.last_word <= outer.last_word;
}

/// `NP` of `NP-SBJ-1`; `VB` of any verb's part of speech.
std::string_view category(const SentenceTree& tree, const SentenceTree::Node& node) {
    const auto label = tree.label(node);
    return node.is_pos ? label.substr(0, 2) : label.substr(0, label.find_first_of("-=", 1));
}

}  // namespace

bool ArgumentExamples::wants(const SentenceTree& tree, const Proposition& proposition) const {
    const std::uint32_t node = tree.node_over(proposition.word);
    if (node == kNone || is_left_out(options_.without, proposition.roleset)) {
        return false;
    }
    const auto tag = tree.label(tree.node(node));
    return options_.predicates.empty() || std::ranges::any_of(options_.predicates, [&](const auto& start) {
               return tag.starts_with(start);
           });
}

void ArgumentExamples::make(const SentenceTree& tree, const Proposition& proposition,
                            const std::function<void(const ArgumentExample&)>& take) {
    const std::uint32_t predicate = tree.node_over(proposition.word);
    candidates_.clear();
    if (options_.prune) {
        collect_pruned(tree, predicate);
    } else {
        for (std::uint32_t id = 0; id < tree.nodes().size(); ++id) {
            const bool above = id <= predicate && predicate < tree.node(id).end;
            const bool below = id > predicate && id < tree.node(predicate).end;
            if (!above && !below) {
                candidates_.push_back(id);
            }
        }
    }
    for (const std::uint32_t id : candidates_) {
        const auto& node = tree.node(id);
        ArgumentExample example;
        const auto& parent = tree.node(node.parent);
        if (!node.is_pos || !covers(node, parent)) {
            for (const auto& argument : proposition.arguments) {
                if (argument.begin == node.first_word && argument.end == node.last_word &&
                    argument.role != "V" && argument.role != "C-V") {
                    example.is_argument = true;
                    example.role = plain_role(argument.role);
                    break;
                }
            }
        }
        append_structure(tree, predicate, id);
        example.tree = text_;
        take(example);
    }
}

void ArgumentExamples::collect_pruned(const SentenceTree& tree, std::uint32_t predicate) {
    const auto for_children = [&](std::uint32_t parent, const auto& visit) {
        for (std::uint32_t child = parent + 1; child < tree.node(parent).end; child = tree.node(child).end) {
            visit(child);
        }
    };
    for (std::uint32_t at = predicate; tree.node(at).parent != kNone; at = tree.node(at).parent) {
        const std::uint32_t parent = tree.node(at).parent;
        bool coordination = false;
        for_children(parent, [&](std::uint32_t child) {
            const auto label = tree.label(tree.node(child));
            coordination = coordination || label == "CC" || label == "CONJP";
        });
        for_children(parent, [&](std::uint32_t sister) {
            const auto kind = category(tree, tree.node(sister));
            if (sister == at || (coordination && kind == category(tree, tree.node(at)))) {
                return;
            }
            candidates_.push_back(sister);
            if (kind == "PP" && !tree.node(sister).is_pos) {
                for_children(sister, [&](std::uint32_t child) { candidates_.push_back(child); });
            }
        });
    }
    std::ranges::sort(candidates_);
}

void ArgumentExamples::append_structure(const SentenceTree& tree, std::uint32_t predicate,
                                        std::uint32_t candidate) {
    const bool marked = options_.structure != ArgumentStructure::kAst1;
    const auto append_end = [&](std::uint32_t id, const char* mark) {
        text_.append("(").append(tree.label(tree.node(id))).append(marked ? mark : "");
        text_.append(tree.rest(tree.node(id)));
    };
    text_.clear();
    if (options_.structure == ArgumentStructure::kSentence) {
        const std::size_t first = std::min(tree.node(predicate).label_end, tree.node(candidate).label_end);
        const std::size_t second = std::max(tree.node(predicate).label_end, tree.node(candidate).label_end);
        const bool predicate_first = predicate < candidate;
        text_.append(tree.text(), 0, first).append(predicate_first ? "-P" : "-B");
        text_.append(tree.text(), first, second - first).append(predicate_first ? "-B" : "-P");
        text_.append(tree.text(), second);
        return;
    }
    std::uint32_t top = tree.node(candidate).parent;
    while (predicate >= tree.node(top).end || predicate < top) {
        top = tree.node(top).parent;
    }
    const auto append_branch = [&](std::uint32_t id, const char* mark) {
        path_.clear();
        for (std::uint32_t at = tree.node(id).parent; at != top; at = tree.node(at).parent) {
            path_.push_back(at);
        }
        text_ += ' ';
        for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
            text_.append("(").append(tree.label(tree.node(*at))).append(" ");
        }
        append_end(id, mark);
        text_.append(path_.size(), ')');
    };
    text_.append("(").append(tree.label(tree.node(top)));
    if (predicate < candidate) {
        append_branch(predicate, "-P");
        append_branch(candidate, "-B");
    } else {
        append_branch(candidate, "-B");
        append_branch(predicate, "-P");
    }
    text_ += ')';
}

}  // namespace treeline::corpus
