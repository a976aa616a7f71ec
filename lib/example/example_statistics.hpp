#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

#include "example/example.hpp"

namespace treeline::example {

/// How often each of the values 0, 1, 2, ... occurred.
class Distribution {
  public:
    void add(std::uint64_t value) {
        ++counts_[value];
        ++total_;
        sum_ += static_cast<double>(value);
    }
    [[nodiscard]] std::uint64_t total() const { return total_; }
    [[nodiscard]] std::uint64_t least() const { return counts_.empty() ? 0 : counts_.begin()->first; }
    [[nodiscard]] std::uint64_t most() const { return counts_.empty() ? 0 : counts_.rbegin()->first; }
    [[nodiscard]] double mean() const { return total_ == 0 ? 0 : sum_ / static_cast<double>(total_); }
    [[nodiscard]] std::uint64_t median() const;

    /// Consecutive ranges of values, at most `bins` of them, each as wide as the others but for the last.
    struct Bin {
        std::uint64_t first;
        std::uint64_t last;
        std::uint64_t count;
        bool operator==(const Bin&) const = default;
    };
    [[nodiscard]] std::vector<Bin> bins(std::size_t bins) const;

  private:
    std::map<std::uint64_t, std::uint64_t> counts_;
    std::uint64_t total_ = 0;
    double sum_ = 0;
};

/// What a file of examples is like. Examples are the same if their trees and vectors are, whatever their
/// label; they are told apart by 128 bits of hash. Memory grows with the distinct examples, some 60 bytes
/// each.
class ExampleStatistics {
  public:
    /// `line` is where the example stands.
    void add(const example::Example& example, std::uint64_t line);

    /// The same example with two labels: the lines where each first occurred.
    struct Contradiction {
        std::uint64_t line;
        std::string label;
        std::uint64_t other_line;
        std::string other_label;
    };

    [[nodiscard]] std::uint64_t examples() const { return examples_; }
    [[nodiscard]] const std::map<std::string, std::uint64_t>& classes() const { return classes_; }
    [[nodiscard]] const Distribution& nodes() const { return nodes_; }    ///< of a tree
    [[nodiscard]] const Distribution& depths() const { return depths_; }  ///< levels of a tree
    [[nodiscard]] const Distribution& trees() const { return trees_; }    ///< of an example
    [[nodiscard]] const Distribution& vectors() const { return vectors_; }
    [[nodiscard]] std::uint64_t distinct() const { return seen_.size(); }
    /// Examples that had occurred before, with the same label as when they first did.
    [[nodiscard]] std::uint64_t duplicates() const { return duplicates_; }
    /// Examples that had occurred before, first with another label.
    [[nodiscard]] std::uint64_t contradictions() const { return contradictions_; }
    /// Distinct examples that occur with several labels.
    [[nodiscard]] std::uint64_t contradictory() const { return contradictory_; }
    /// The first few of them.
    [[nodiscard]] const std::vector<Contradiction>& first_contradictions() const {
        return first_contradictions_;
    }

  private:
    struct Key {
        std::array<std::uint64_t, 2> hash;
        bool operator==(const Key&) const = default;
    };
    struct KeyHash {
        std::size_t operator()(const Key& key) const { return static_cast<std::size_t>(key.hash[0]); }
    };
    struct First {
        std::uint64_t line;
        const std::string* label;
        bool contradicted = false;
    };

    std::uint64_t examples_ = 0;
    std::map<std::string, std::uint64_t> classes_;
    Distribution nodes_;
    Distribution depths_;
    Distribution trees_;
    Distribution vectors_;
    std::unordered_map<Key, First, KeyHash> seen_;
    std::uint64_t duplicates_ = 0;
    std::uint64_t contradictions_ = 0;
    std::uint64_t contradictory_ = 0;
    std::vector<Contradiction> first_contradictions_;
    std::string content_;
    std::vector<std::uint64_t> heights_;
};

}  // namespace treeline::example
