#include "corpus/normalization.hpp"

#include <locale.h>
#include <wctype.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace treeline::corpus {

namespace {

using BracketName = std::pair<char, std::string_view>;
constexpr std::array<BracketName, 6> kBrackets{
    {{'(', "-LRB-"}, {')', "-RRB-"}, {'{', "-LCB-"}, {'}', "-RCB-"}, {'[', "-LSB-"}, {']', "-RSB-"}}};
constexpr std::string_view kTrace = "-NONE-";

std::string escape_brackets(std::string_view word) {
    std::string escaped;
    for (const char c : word) {
        std::string_view text(&c, 1);
        for (const auto& [bracket, name] : kBrackets) {
            text = bracket == c ? name : text;
        }
        escaped += text;
    }
    return escaped;
}

std::string unescape_brackets(std::string_view word) {
    std::string plain;
    while (!word.empty()) {
        std::size_t taken = 1;
        char c = word.front();
        for (const auto& [bracket, name] : kBrackets) {
            if (word.starts_with(name)) {
                c = bracket;
                taken = name.size();
            }
        }
        plain += c;
        word.remove_prefix(taken);
    }
    return plain;
}

/// The code point at the front of `text` and its length; length 0 where that is not valid UTF-8. An overlong form
/// is none: taken for its code point it could become a bracket or a NUL byte.
std::pair<std::uint32_t, std::size_t> decode(std::string_view text) {
    constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t size = byte(0) < 0x80   ? 1
                             : byte(0) < 0xc0 ? 0
                             : byte(0) < 0xe0 ? 2
                             : byte(0) < 0xf0 ? 3
                                              : 4;
    if (size == 0 || size > text.size()) {
        return {0, 0};
    }
    std::uint32_t code = size == 1 ? byte(0) : byte(0) & (0xffU >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0U) != 0x80) {
            return {0, 0};
        }
        code = code << 6 | (byte(i) & 0x3fU);
    }
    if (code < kLeast[size] || code > 0x10ffff) {
        return {0, 0};
    }
    return {code, size};
}

void append_utf8(std::string& out, std::uint32_t code) {
    const auto put = [&](std::uint32_t byte) { out += static_cast<char>(byte); };
    if (code < 0x80) {
        put(code);
    } else if (code < 0x800) {
        put(0xc0 | code >> 6);
        put(0x80 | (code & 0x3f));
    } else if (code < 0x10000) {
        put(0xe0 | code >> 12);
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    } else {
        put(0xf0 | code >> 18);
        put(0x80 | (code >> 12 & 0x3f));
        put(0x80 | (code >> 6 & 0x3f));
        put(0x80 | (code & 0x3f));
    }
}

}  // namespace

std::string to_lower(std::string_view text) {
    static const locale_t kLocale = ::newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    std::string lower;
    while (!text.empty()) {
        const auto [code, size] = decode(text);
        if (size == 0 || (size > 1 && kLocale == nullptr)) {
            lower += text.front();
            text.remove_prefix(1);
            continue;
        }
        const bool capital = code >= 'A' && code <= 'Z';
        append_utf8(lower, size > 1  ? static_cast<std::uint32_t>(::towlower_l(code, kLocale))
                           : capital ? code + ('a' - 'A')
                                     : code);
        text.remove_prefix(size);
    }
    return lower;
}

std::string_view Normalizer::label(std::string_view label) const {
    if (!normalization_.strip_functions || label.starts_with('-')) {
        return label;
    }
    return label.substr(0, label.find_first_of("-=", 1));
}

std::string_view Normalizer::word(tree::TreeText& tree, std::string_view word) const {
    using enum Normalization::Brackets;
    const auto keep = [&](std::string text) {
        return std::string_view(tree.unescaped.emplace_front(std::move(text)));
    };
    if (normalization_.brackets == kEscape && word.find_first_of("()[]{}") != std::string_view::npos) {
        word = keep(escape_brackets(word));
    } else if (normalization_.brackets == kUnescape && word.find('-') != std::string_view::npos) {
        word = keep(unescape_brackets(word));
    }
    return normalization_.lower_words ? keep(to_lower(word)) : word;
}

void Normalizer::apply(tree::TreeText& tree) {
    using enum Normalization::Unary;
    nodes_.clear();
    below_.clear();
    counts_.clear();
    joins_.clear();
    kept_words_.clear();
    for (const auto& node : tree.nodes) {
        if (node.children == 0) {
            nodes_.push_back({word(tree, node.label), 0});
            below_.push_back({true, false});
            counts_.push_back(1);
            kept_words_.push_back(true);
            continue;
        }
        std::uint32_t children = 0;
        bool only_words = true;
        for (std::size_t i = counts_.size() - node.children; i < counts_.size(); ++i) {
            children += counts_[i];
        }
        for (std::size_t i = below_.size() - children; i < below_.size(); ++i) {
            only_words = only_words && below_[i].is_leaf;
        }
        counts_.resize(counts_.size() - node.children);
        const bool trace = normalization_.strip_traces && node.label == kTrace && only_words;
        if (children == 0 || trace) {
            nodes_.resize(nodes_.size() - children);
            below_.resize(below_.size() - children);
            for (std::uint32_t i = 0; i < children; ++i) {
                kept_words_[kept_words_.size() - 1 - i] = false;
            }
            counts_.push_back(0);
            continue;
        }
        counts_.push_back(1);
        const auto own_label = label(node.label);
        const Below child = below_.back();
        below_.resize(below_.size() - children);
        if (only_words && normalization_.drop_words) {
            nodes_.resize(nodes_.size() - children);
            children = 0;
        } else if (!only_words && children == 1 && !child.is_pos && normalization_.unary != kKeep) {
            if (normalization_.unary == kTop) {
                nodes_.back().label = own_label;
            } else if (normalization_.unary == kJoin) {
                joins_.push_back({nodes_.size() - 1, own_label});
            }
            below_.push_back({false, false});
            continue;
        }
        nodes_.push_back({own_label, children});
        below_.push_back({false, only_words});
    }
    join_labels(tree);
    tree.nodes.swap(nodes_);
}

void Normalizer::join_labels(tree::TreeText& tree) {
    // The joins of one node follow each other, from the lowest label to the highest.
    for (auto begin = joins_.begin(); begin != joins_.end();) {
        const auto end =
            std::find_if(begin, joins_.end(), [&](const Join& join) { return join.node != begin->node; });
        std::string joined;
        for (auto join = end; join != begin;) {
            joined.append((--join)->label).append("+");
        }
        auto& label = nodes_[begin->node].label;
        label = tree.unescaped.emplace_front(joined.append(label));
        begin = end;
    }
}

}  // namespace treeline::corpus
