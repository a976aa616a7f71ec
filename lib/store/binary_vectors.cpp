#include "store/binary_vectors.hpp"

#include <fmt/format.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/error.hpp"
#include "base/text.hpp"

namespace treeline::store {

bool holds_vectors(const std::string& path) {
    constexpr std::string_view kArrowMagic = "ARROW1";
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored)) {
        return true;
    }
    if (!std::filesystem::is_regular_file(path, ignored)) {
        return false;
    }
    std::array<char, kArrowMagic.size()> start{};
    std::ifstream(path, std::ios::binary).read(start.data(), start.size());
    return std::string_view(start.data(), start.size()) == kArrowMagic;
}

BinaryVectors::BinaryVectors(const std::string& path, example::BinaryReadOptions options,
                             FragmentChoice choice)
    : path_(path),
      options_(options),
      choice_(std::move(choice)),
      files_(open_vectors(path)),
      reader_(files_),
      bad_(options.on_error) {}

bool BinaryVectors::next(example::BinaryExample& example) {
    VectorRow row;
    while (reader_.next(row)) {
        const std::string problem = read(row, example);
        if (problem.empty()) {
            return true;
        }
        bad_.refuse({{path_}, fmt::format("row {}: {}", row.id, problem)});
    }
    return false;
}

/// What is wrong with the row, if anything is.
std::string BinaryVectors::read(const VectorRow& row, example::BinaryExample& example) const {
    if (row.label.empty() || row.label.find_first_of(" \t\r\n") != std::string_view::npos) {
        return "label " + base::quoted(row.label) + "; expected one word";
    }
    example.label = row.label;
    example.features.clear();
    const std::uint64_t chosen_from = choice_.keeps_all() ? 0 : files_.front().info().fragments;
    for (std::size_t i = 0; i < row.indices.size(); ++i) {
        const std::uint32_t index = row.indices[i];
        if (row.values[i] == 0 || (index < chosen_from && !choice_.keeps(index))) {
            continue;
        }
        if (row.values[i] != 1 && !options_.binarize) {
            return fmt::format("value {} of feature {} is neither 0 nor 1; expected binary features, or {}",
                               row.values[i], index, options_.remedy);
        }
        example.features.push_back(std::uint64_t{index} + 1);
    }
    return {};
}

std::unique_ptr<example::BinaryExampleSource> open_binary_examples(const std::string& path,
                                                                   example::BinaryReadOptions options,
                                                                   FragmentChoice choice) {
    if (holds_vectors(path)) {
        return std::make_unique<BinaryVectors>(path, options, std::move(choice));
    }
    if (!choice.keeps_all()) {
        throw base::UsageError("the most relevant fragments can be chosen in vectors of tfx only");
    }
    return std::make_unique<example::BinaryExampleReader>(path, options);
}

}  // namespace treeline::store
