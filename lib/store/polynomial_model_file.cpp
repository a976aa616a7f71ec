#include "store/polynomial_model_file.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/format_names.hpp"
#include "base/output.hpp"
#include "base/sealed_text.hpp"
#include "base/text.hpp"
#include "polynomial/expanded_weights.hpp"
#include "polynomial/polynomial_kernel.hpp"
#include "store/file_kind.hpp"

namespace treeline::store {

namespace {

class PolynomialModelReader {
  public:
    explicit PolynomialModelReader(const std::string& path) : lines_(path) {}

    polynomial::PolynomialModel read() {
        polynomial::PolynomialModel model;
        const std::string mark = base::mark_of(base::formats::kPolynomialModel);
        const auto version =
            base::known_version_of(base::formats::kPolynomialModel, next("the line '" + mark + "'"));
        if (!version) {
            fail(1, base::describe_other(base::formats::kPolynomialModel, line_));
        }
        const std::uint64_t degree = counted("degree");
        if (degree < 1 || degree > polynomial::kMaxDegree) {
            fail(8, "degree " + std::to_string(degree) + "; expected 1 to " +
                        std::to_string(polynomial::kMaxDegree));
        }
        model.degree = static_cast<unsigned>(degree);
        read_labels(model);
        read_features(model);
        read_support(model);
        if (next("'end'") != "end") {
            fail(1, "found " + base::quoted(line_) + "; expected 'end'");
        }
        if (lines_.next(line_)) {
            fail(1, "found " + base::quoted(line_) + " after the end of the model");
        }
        if (*version > 1) {
            lines_.require_seal();
        }
        return model;
    }

  private:
    [[noreturn]] void fail(std::size_t column, const std::string& problem) {
        throw base::InputError(lines_.place(column), problem);
    }

    std::string_view next(const std::string& expected) {
        if (!lines_.next(line_)) {
            throw base::InputError(lines_.place(), "the model ends here; expected " + expected);
        }
        return line_;
    }

    /// The number of a line `name number`.
    std::uint64_t counted(std::string_view name) {
        next("'" + std::string(name) + " NUMBER'");
        if (line_.starts_with(name) && line_.size() > name.size() && line_[name.size()] == ' ') {
            if (const auto number = base::parse_unsigned(line_.substr(name.size() + 1))) {
                return *number;
            }
        }
        fail(1, "found " + base::quoted(line_) + "; expected '" + std::string(name) + " NUMBER'");
    }

    std::string word(const std::string& expected) {
        next(expected);
        if (line_.empty() || line_.find_first_of(" \t") != std::string_view::npos) {
            fail(1, "found " + base::quoted(line_) + "; expected " + expected);
        }
        return std::string(line_);
    }

    /// The word of the line at hand if it is `name WORD`, then moves on; empty otherwise.
    std::string optional_word(std::string_view name) {
        if (!line_.starts_with(name) || line_.size() <= name.size() || line_[name.size()] != ' ') {
            return {};
        }
        std::string found(line_.substr(name.size() + 1));
        if (found.empty() || found.find_first_of(" \t") != std::string::npos) {
            fail(name.size() + 2, "expected a word after '" + std::string(name) + "'");
        }
        next("'labels NUMBER'");
        return found;
    }

    void read_labels(polynomial::PolynomialModel& model) {
        next("'labels NUMBER'");
        model.dictionary = optional_word("dictionary");
        model.positive = optional_word("positive");
        const auto count =
            line_.starts_with("labels ") ? base::parse_unsigned(line_.substr(7)) : std::nullopt;
        if (!count || *count < 2 || (!model.positive.empty() && *count != 2)) {
            fail(1, "found " + base::quoted(line_) + "; expected 'labels NUMBER', at least two" +
                        (model.positive.empty() ? "" : " and with 'positive' no more"));
        }
        std::unordered_set<std::string> seen;
        for (std::uint64_t i = 0; i < *count; ++i) {
            model.labels.push_back(word("a label"));
            if (!seen.insert(model.labels.back()).second) {
                fail(1, "label " + base::quoted(line_) + " is there twice");
            }
        }
    }

    void read_features(polynomial::PolynomialModel& model) {
        const std::uint64_t count = counted("features");
        std::vector<std::uint64_t> indices;
        std::unordered_set<std::uint64_t> seen;
        for (std::uint64_t i = 0; i < count; ++i) {
            next("a feature index");
            const auto index = base::parse_unsigned(line_);
            if (!index) {
                fail(1, "found " + base::quoted(line_) + "; expected a feature index");
            }
            if (!seen.insert(*index).second) {
                fail(1, "feature " + base::quoted(line_) + " is there twice");
            }
            indices.push_back(*index);
        }
        model.ranking = polynomial::FeatureRanking(std::move(indices));
    }

    void read_support(polynomial::PolynomialModel& model) {
        const std::uint64_t count = counted("support");
        for (std::uint64_t i = 0; i < count; ++i) {
            next("a support vector");
            const std::size_t end = std::min(line_.find(' '), line_.size());
            read_coefficients(line_.substr(0, end), model);
            std::size_t at = end;
            while (at < line_.size()) {
                const std::size_t begin = at + 1;
                at = std::min(line_.find(' ', begin), line_.size());
                const auto index = base::parse_unsigned(line_.substr(begin, at - begin));
                const std::uint32_t rank =
                    index ? model.ranking.find_rank(*index) : polynomial::FeatureNumbers::kNone;
                if (rank == polynomial::FeatureNumbers::kNone) {
                    fail(begin + 1, "found " + base::quoted(line_.substr(begin, at - begin)) +
                                        "; expected an index of the list of features");
                }
                if (model.features.size() > model.offsets.back() && model.features.back() >= rank) {
                    fail(begin + 1,
                         "features of a support vector must be in the order of the list of features");
                }
                model.features.push_back(rank);
            }
            model.offsets.push_back(model.features.size());
        }
    }

    void read_coefficients(std::string_view text, polynomial::PolynomialModel& model) {
        const std::size_t outputs = model.outputs();
        if (outputs == 1) {
            const auto coefficient = base::parse_double(text);
            if (!coefficient) {
                fail(1, "found " + base::quoted(text) + "; expected a coefficient");
            }
            model.coefficients.push_back(*coefficient);
            return;
        }
        const std::size_t first = model.coefficients.size();
        model.coefficients.resize(first + outputs, 0.0);
        for (std::size_t at = 0; at <= text.size();) {
            const std::size_t end = std::min(text.find(',', at), text.size());
            const std::string_view item = text.substr(at, end - at);
            const std::size_t colon = std::min(item.find(':'), item.size());
            const auto output = base::parse_unsigned(item.substr(0, colon));
            const auto coefficient =
                colon < item.size() ? base::parse_double(item.substr(colon + 1)) : std::nullopt;
            if (!output || *output >= outputs || !coefficient) {
                fail(at + 1, "found " + base::quoted(item) +
                                 "; expected NUMBER:COEFFICIENT with a number below " +
                                 std::to_string(outputs));
            }
            model.coefficients[first + *output] = *coefficient;
            at = end + 1;
        }
    }

    base::SealedLines lines_;
    std::string_view line_;
};

std::string coefficients_text(const double* coefficients, std::size_t outputs) {
    if (outputs == 1) {
        return base::format_double(coefficients[0]);
    }
    std::string text;
    for (std::size_t output = 0; output < outputs; ++output) {
        if (coefficients[output] != 0) {
            text.append(text.empty() ? "" : ",").append(std::to_string(output)).append(":");
            text.append(base::format_double(coefficients[output]));
        }
    }
    return text.empty() ? "0:0" : text;
}

}  // namespace

void write_polynomial_model(const std::string& path, const polynomial::PolynomialModel& model) {
    base::SealedFile file(path);
    file.write(base::mark_of(base::formats::kPolynomialModel) + "\ndegree " + std::to_string(model.degree) +
               "\n");
    if (!model.dictionary.empty()) {
        file.write("dictionary " + model.dictionary + "\n");
    }
    if (!model.positive.empty()) {
        file.write("positive " + model.positive + "\n");
    }
    file.write("labels " + std::to_string(model.labels.size()) + "\n");
    for (const std::string& label : model.labels) {
        file.write(label + "\n");
    }
    std::vector<bool> used(model.ranking.size(), false);
    for (const std::uint32_t rank : model.features) {
        used[rank] = true;
    }
    file.write("features " + std::to_string(std::count(used.begin(), used.end(), true)) + "\n");
    for (std::uint32_t rank = 0; rank < used.size(); ++rank) {
        if (used[rank]) {
            file.write(std::to_string(model.ranking.index(rank)) + "\n");
        }
    }
    file.write("support " + std::to_string(model.size()) + "\n");
    std::string line;
    for (std::size_t i = 0; i < model.size(); ++i) {
        line = coefficients_text(&model.coefficients[i * model.outputs()], model.outputs());
        for (const std::uint32_t rank : model.rows().row(i)) {
            line.append(" ").append(std::to_string(model.ranking.index(rank)));
        }
        file.write(line.append("\n"));
    }
    file.write("end\n");
    file.commit();
}

polynomial::PolynomialModel read_polynomial_model(const std::string& path) {
    require_kind(path, FileKind::kPolynomialModel);
    return PolynomialModelReader(path).read();
}

void write_expanded_weights(const std::string& path, const polynomial::PolynomialModel& model) {
    base::AtomicFile file(path);
    std::string line;
    polynomial::expand_weights(
        model, [&](std::span<const std::uint32_t> features, std::span<const double> weights) {
            line.clear();
            for (const double weight : weights) {
                line.append(base::format_double(weight)).append("\t");
            }
            for (std::size_t i = features.size(); i > 0; --i) {
                line.append(std::to_string(model.ranking.index(features[i - 1]))).append(i > 1 ? " " : "");
            }
            file.write(line.append("\n"));
        });
    file.commit();
}

}  // namespace treeline::store
