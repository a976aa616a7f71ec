#include "store/checkpoint.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/format_names.hpp"
#include "base/sealed_text.hpp"
#include "base/text.hpp"

namespace treeline::store {

namespace {

class Reader {
  public:
    explicit Reader(const std::string& path) : lines_(path) {}

    std::string_view line() {
        std::string_view line;
        if (!lines_.next(line)) {
            throw base::InputError({lines_.path(), lines_.line_number() + 1, 0},
                                   "the checkpoint ends too early");
        }
        return line;
    }
    /// "WORD value" -> value.
    std::string value(std::string_view word) {
        const auto text = line();
        if (!text.starts_with(word) || text.size() <= word.size() || text[word.size()] != ' ') {
            fail("found " + base::quoted(text) + "; expected '" + std::string(word) + " ...'");
        }
        return std::string(text.substr(word.size() + 1));
    }
    std::uint64_t count(std::string_view word) {
        const auto text = value(word);
        const auto number = base::parse_unsigned(text);
        if (!number) {
            fail("found " + base::quoted(text) + "; expected a whole number");
        }
        return *number;
    }
    double number(std::string_view text) {
        const auto number = base::parse_double(text);
        if (!number) {
            fail("found " + base::quoted(text) + "; expected a number");
        }
        return *number;
    }
    void end() {
        if (std::string_view more; lines_.next(more)) {
            fail("found " + base::quoted(more) + "; expected the end of the checkpoint");
        }
        lines_.require_seal();
    }
    [[noreturn]] void fail(const std::string& problem) { throw base::InputError(lines_.place(), problem); }

  private:
    base::SealedLines lines_;
};

}  // namespace

std::string checkpoint_path(const std::string& output) {
    std::string path = output;
    while (path.size() > 1 && path.back() == '/') {
        path.pop_back();
    }
    return path + std::string(base::formats::kCheckpointEnding);
}

Checkpoint read_checkpoint(const std::string& path, std::size_t examples) {
    Reader reader(path);
    if (const auto mark = reader.line(); mark != base::mark_of(base::formats::kCheckpoint)) {
        reader.fail(base::describe_other(base::formats::kCheckpoint, mark));
    }
    Checkpoint checkpoint;
    checkpoint.work = reader.value("work");
    checkpoint.finished = reader.count("finished");
    const std::uint64_t machines = reader.count("machines");
    for (std::uint64_t m = 0; m < machines; ++m) {
        svm::TrainedMachine machine;
        machine.threshold = reader.number(reader.value("threshold"));
        machine.coefficients.assign(examples, 0);
        const std::uint64_t coefficients = reader.count("coefficients");
        for (std::uint64_t i = 0; i < coefficients; ++i) {
            const auto line = reader.line();
            const std::size_t space = line.find(' ');
            const auto position = base::parse_unsigned(line.substr(0, space));
            if (!position || *position >= examples || space == std::string_view::npos) {
                reader.fail("expected the number of an example and its coefficient");
            }
            machine.coefficients[*position] = reader.number(line.substr(space + 1));
        }
        checkpoint.machines.push_back(std::move(machine));
    }
    reader.end();
    if (checkpoint.finished > checkpoint.machines.size()) {
        reader.fail("more machines finished than there are");
    }
    return checkpoint;
}

void write_checkpoint(const std::string& path, const Checkpoint& checkpoint) {
    std::string text =
        fmt::format("{}\nwork {}\nfinished {}\nmachines {}\n", base::mark_of(base::formats::kCheckpoint),
                    checkpoint.work, checkpoint.finished, checkpoint.machines.size());
    for (const auto& machine : checkpoint.machines) {
        std::size_t count = 0;
        std::string lines;
        for (std::size_t i = 0; i < machine.coefficients.size(); ++i) {
            if (machine.coefficients[i] != 0) {
                lines += fmt::format("{} {}\n", i, base::format_double(machine.coefficients[i]));
                ++count;
            }
        }
        text += fmt::format("threshold {}\ncoefficients {}\n{}", base::format_double(machine.threshold),
                            count, lines);
    }
    base::SealedFile file(path);
    file.write(text);
    file.commit();
}

}  // namespace treeline::store
