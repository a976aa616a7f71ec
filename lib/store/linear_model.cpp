#include "store/linear_model.hpp"

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/sealed_text.hpp"
#include "base/text.hpp"
#include "store/file_kind.hpp"

namespace treeline::store {

using linear::LinearModel;
using nlohmann::json;

namespace {

using base::formats::kLinearModelTrailer;
/// After the bias, where LIBLINEAR skips it: a model that has lost the lines after the weights is not one of LIBLINEAR's.
constexpr std::string_view kTrailerFollows = " ";
constexpr std::uint64_t kMostClasses = 1'000'000;

std::optional<int> whole_number(const std::string& label) {
    const auto number = base::parse_double(label);
    if (!number || *number != static_cast<int>(std::clamp(*number, -1e9, 1e9))) {
        return std::nullopt;
    }
    return static_cast<int>(*number);
}

/// LIBLINEAR's number of each label: itself, if all are different whole numbers.
std::vector<int> label_numbers(const std::vector<std::string>& labels) {
    std::vector<int> numbers;
    for (const std::string& label : labels) {
        if (const auto number = whole_number(label)) {
            numbers.push_back(*number);
        }
    }
    if (numbers.size() != labels.size() || std::set(numbers.begin(), numbers.end()).size() != labels.size()) {
        numbers.clear();
        for (std::size_t i = 0; i < labels.size(); ++i) {
            numbers.push_back(static_cast<int>(i) + 1);
        }
    }
    return numbers;
}

std::string trailer(const LinearModelFile& file) {
    const json content{{"labels", file.model.labels},      {"kernel", file.info.kernel},
                       {"norm", file.info.norm},           {"vectors", file.info.vectors},
                       {"fragments", file.info.fragments}, {"dictionary", file.info.dictionary}};
    return std::string(kLinearModelTrailer) + content.dump(-1, ' ', false, json::error_handler_t::replace) +
           '\n';
}

/// Reads a model line by line.
class LinearModelReader {
  public:
    explicit LinearModelReader(const std::string& path) : lines_(path) {}

    LinearModelFile read() {
        read_head();
        read_weights();
        read_trailer();
        return std::move(file_);
    }

  private:
    [[noreturn]] void fail(const std::string& problem) const {
        throw base::InputError(lines_.place(), problem);
    }

    std::string_view take_line(const char* expected) {
        std::string_view line;
        if (!lines_.next(line)) {
            fail(std::string("the file ends; expected ") + expected);
        }
        return line;
    }

    static std::string_view take_word(std::string_view& line) {
        const auto is_blank = [](char c) { return c == ' ' || c == '\t'; };
        const auto begin = std::ranges::find_if_not(line, is_blank);
        const auto end = std::find_if(begin, line.end(), is_blank);
        const std::string_view word(begin, end);
        line = {end, line.end()};
        return word;
    }

    double take_number(std::string_view& line) {
        const std::string_view word = take_word(line);
        const auto number = base::parse_double(word);
        if (!number) {
            fail("found " + base::quoted(word) + "; expected a number");
        }
        return *number;
    }

    std::uint64_t take_count(std::string_view& line, std::uint64_t most) {
        const std::string_view word = take_word(line);
        const auto count = base::parse_unsigned(word);
        if (!count || *count > most) {
            fail("found " + base::quoted(word) + "; expected a whole number up to " + std::to_string(most));
        }
        return *count;
    }

    void expect_end(std::string_view line) const {
        if (line.find_first_not_of(" \t") != std::string_view::npos) {
            fail("found " + base::quoted(line) + "; expected the end of the line");
        }
    }

    void read_head() {
        LinearModel& model = file_.model;
        std::optional<std::uint64_t> classes;
        bool has_solver = false;
        bool has_features = false;
        for (;;) {
            std::string_view line = take_line("the head of a LIBLINEAR model");
            const std::string_view key = take_word(line);
            if (key == "w") {
                break;
            }
            if (key == "solver_type") {
                const std::string_view name = take_word(line);
                const auto solver = linear::find_linear_solver(name);
                if (!solver) {
                    fail("solver " + base::quoted(name) + "; expected a classifier of LIBLINEAR");
                }
                model.solver = *solver;
                has_solver = true;
            } else if (key == "nr_class") {
                classes = take_count(line, kMostClasses);
            } else if (key == "label") {
                for (std::uint64_t i = 0; i < classes.value_or(0); ++i) {
                    model.labels.emplace_back(take_word(line));
                    if (!whole_number(model.labels.back())) {
                        fail("label " + base::quoted(model.labels.back()) + "; expected a whole number");
                    }
                }
            } else if (key == "nr_feature") {
                model.features = take_count(line, std::numeric_limits<std::int32_t>::max());
                has_features = true;
            } else if (key == "bias") {
                model.bias = take_number(line);
                model.bias = model.bias >= 0 ? model.bias : -1;
                announces_trailer_ = line == kTrailerFollows;
            } else {
                fail("found " + base::quoted(key) + "; expected a line of the head of a LIBLINEAR model");
            }
            expect_end(line);
        }
        if (!has_solver || !has_features || classes.value_or(0) < 2 || model.labels.size() != *classes) {
            fail("a head without solver_type, nr_feature, or labels of two classes at least");
        }
    }

    void read_weights() {
        LinearModel& model = file_.model;
        const std::uint64_t rows = model.features + (model.has_bias() ? 1 : 0);
        for (std::uint64_t row = 0; row < rows; ++row) {
            std::string_view line = take_line("a line of weights");
            for (std::size_t column = 0; column < model.columns(); ++column) {
                model.weights.push_back(take_number(line));
            }
            expect_end(line);
        }
    }

    void read_trailer() {
        std::string_view line;
        if (!lines_.next(line)) {
            if (announces_trailer_) {
                fail("the model has lost its last lines; expected '" + std::string(kLinearModelTrailer) +
                     "...'; copy or make the file again");
            }
            return;
        }
        if (!line.starts_with(kLinearModelTrailer)) {
            fail("found " + base::quoted(line) + " after the weights; expected the end of the model");
        }
        try {
            const json content = json::parse(line.substr(kLinearModelTrailer.size()));
            auto labels = content.at("labels").get<std::vector<std::string>>();
            file_.info = {.kernel = content.at("kernel").get<std::string>(),
                          .norm = content.at("norm").get<std::string>(),
                          .vectors = content.at("vectors").get<std::string>(),
                          .fragments = content.at("fragments").get_ref<const json::number_unsigned_t&>(),
                          .dictionary = content.at("dictionary").get<std::string>()};
            if (labels.size() != file_.model.labels.size()) {
                fail("the line 'treeline' names " + std::to_string(labels.size()) + " labels; expected " +
                     std::to_string(file_.model.labels.size()));
            }
            file_.model.labels = std::move(labels);
        } catch (const json::exception& error) {
            fail(std::string("the line 'treeline' is damaged: ") + error.what());
        }
        if (lines_.next(line)) {
            fail("found " + base::quoted(line) + "; expected the end of the model");
        }
        if (announces_trailer_) {
            lines_.require_seal();
        }
    }

    base::SealedLines lines_;
    bool announces_trailer_ = false;
    LinearModelFile file_;
};

}  // namespace

void write_linear_model(const std::string& path, const LinearModelFile& file) {
    const LinearModel& model = file.model;
    base::SealedFile out(path);
    std::string text = "solver_type " + std::string(linear::name_of(model.solver).liblinear) + "\nnr_class " +
                       std::to_string(model.labels.size()) + "\nlabel";
    for (const int number : label_numbers(model.labels)) {
        text += ' ' + std::to_string(number);
    }
    text += "\nnr_feature " + std::to_string(model.features) + "\nbias " + base::format_double(model.bias) +
            std::string(kTrailerFollows) + "\nw\n";
    const std::size_t columns = model.columns();
    for (std::size_t i = 0; i < model.weights.size(); i += columns) {
        for (std::size_t column = 0; column < columns; ++column) {
            text += base::format_double(model.weights[i + column]) + ' ';
        }
        text += '\n';
        if (text.size() > (std::size_t{1} << 16)) {
            out.write(text);
            text.clear();
        }
    }
    out.write(text + trailer(file));
    out.commit();
}

LinearModelFile read_linear_model(const std::string& path) {
    require_kind(path, FileKind::kLinearModel);
    return LinearModelReader(path).read();
}

}  // namespace treeline::store
