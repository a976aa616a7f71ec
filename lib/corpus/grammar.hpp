#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.hpp"

/// Where examples come from: grammars, treebanks, annotations and the formats of other programs.
namespace treeline::corpus {

/// Draws numbers 0..n-1 in proportion to weights, in constant time (Walker's alias method).
class WeightedChoice {
  public:
    /// `weights` are above 0; at least one, fewer than 2^32.
    explicit WeightedChoice(const std::vector<double>& weights);
    [[nodiscard]] std::size_t draw(base::Random& random) const {
        const std::uint64_t bits = random.next();
        const std::size_t column = ((bits >> 32) * columns_.size()) >> 32;
        return (bits & 0xffffffffU) < columns_[column].keep ? column : columns_[column].alias;
    }

  private:
    struct Column {
        std::uint64_t keep;  // of 2^32
        std::uint32_t alias;
    };
    std::vector<Column> columns_;
};

/// A weighted grammar of labelled trees; data/README.md describes its text. A symbol such as `NN/measure` is
/// the label `NN` in a state of its own: states carry what a class has planted in its trees and are not
/// written. Immutable; reading is thread-safe.
class Grammar {
  public:
    /// Part of a production: text, then a symbol (none at the end of the production).
    struct Item {
        std::string text;
        std::uint32_t symbol;
    };
    static constexpr std::uint32_t kNoSymbol = 0xffffffff;
    using Production = std::vector<Item>;
    struct Symbol {
        std::vector<Production> productions;
        WeightedChoice choice;
        std::size_t shortest;  ///< the production that ends soonest
    };
    struct Class {
        std::string label;
        std::uint32_t start;
    };
    struct Parts {
        std::vector<Symbol> symbols;
        std::vector<Class> classes;
        WeightedChoice choice;     ///< of the class
        double noise = 0;          ///< share of trees whose label is drawn again, whatever the tree
        std::size_t nodes = 1000;  ///< once a tree has so many, every symbol takes its shortest production
    };

    explicit Grammar(Parts parts) : parts_(std::move(parts)) {}

    [[nodiscard]] const std::vector<Class>& classes() const { return parts_.classes; }
    /// Once a tree has so many nodes, it only grows as far as it must.
    [[nodiscard]] std::size_t nodes() const { return parts_.nodes; }

    /// What a tree is to be made as (`kind`) and what it is to be called, both numbers of classes.
    struct Draw {
        std::size_t kind;
        std::size_t label;
    };
    [[nodiscard]] Draw draw_class(base::Random& random) const;
    /// Appends a tree of the class `kind`, leaves bare.
    void append_tree(std::string& out, std::size_t kind, base::Random& random) const;

  private:
    Parts parts_;
};

/// Reads a grammar. Throws InputError for what is not one, for symbols without a production and for those
/// whose derivations never end.
[[nodiscard]] Grammar read_grammar(const std::string& path);

}  // namespace treeline::corpus
