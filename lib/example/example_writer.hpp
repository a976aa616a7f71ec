#pragma once

#include <cstdint>
#include <string>

#include "base/error.hpp"
#include "example/example.hpp"
#include "example/example_format.hpp"
#include "tree/bracket_writer.hpp"

namespace treeline::example {

struct ExampleWriterOptions {
    ExampleFormat format = ExampleFormat::kSvmLightTk;  ///< not kAuto
    tree::LeafStyle leaves = tree::LeafStyle::kBare;
    std::string label = "0";   ///< for examples without one, where the format wants one
    std::uint32_t tree = 0;    ///< keep only this tree, counted from 1; 0 = all
    std::uint32_t vector = 0;  ///< likewise
};

/// An example with several trees or vectors, and a format that has room for one.
class SeveralPartsError : public base::Error {
  public:
    using base::Error::Error;
};

/// What examples had and the format has no place for; and what it wants and they had not.
struct LeftOut {
    std::uint64_t labels = 0;
    std::uint64_t costs = 0;
    std::uint64_t trees = 0;
    std::uint64_t vectors = 0;
    std::uint64_t missing_labels = 0;  ///< those that ExampleWriterOptions::label stands for
    bool operator==(const LeftOut&) const = default;
};

/// Writes examples, one a line. Reading the line back in that format gives the same example, but for what is
/// left out.
class ExampleWriter {
  public:
    explicit ExampleWriter(ExampleWriterOptions options) : options_(std::move(options)) {}

    /// Appends a line. Throws base::Error for an example that cannot be written: a format of single trees and
    /// several of them (SeveralPartsError), LIBSVM lines without a vector, a label that would not read back.
    void append(std::string& out, const Example& example);

    [[nodiscard]] const LeftOut& left_out() const { return left_out_; }

  private:
    void append_label(std::string& out, const Example& example);
    void append_single_tree(std::string& out, std::span<const tree::TreeText> trees, bool outer_bracket);
    void append_svm_light_tk(std::string& out, std::span<const tree::TreeText> trees,
                             std::span<const SparseVector> vectors);
    void append_kelp(std::string& out, std::span<const tree::TreeText> trees,
                     std::span<const SparseVector> vectors);

    ExampleWriterOptions options_;
    LeftOut left_out_;
};

}  // namespace treeline::example
