#include "common/outputs.hpp"

#include <algorithm>
#include <filesystem>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/output.hpp"

namespace treeline::stage {

namespace fs = std::filesystem;

base::Plan plan_work(std::string stage, Values options, const CommonOptions& common,
                     const std::vector<std::string>& inputs) {
    options["on-error"] = value_of(base::kOnErrorNames, common.on_error);
    const auto& reading = common.reading;
    if (reading.from != example::ExampleFormat::kAuto) {
        options["from"] = value_of(example::kExampleFormatNames, reading.from);
    }
    if (reading.columns.tree > 0) {
        options["label-column"] = value_of(reading.columns.label);
        options["tree-column"] = value_of(reading.columns.tree);
    }
    return base::plan_work(std::move(stage), std::move(options), inputs);
}

bool has_to_be_made(const base::PlannedOutput& output, const CommonOptions& common) {
    using enum base::OutputState;
    const std::string name = "'" + output.path() + "'";
    if (const std::string input = output.find_input_in_it(); !input.empty()) {
        throw base::UsageError(name + " is or holds the input '" + input + "'; choose another --output");
    }
    const auto state = output.state();
    if (state == kForeign || (common.force && output.holds_foreign())) {
        const std::string problem = output.find_manifest_error();
        throw base::UsageError(
            name + " exists and is not, or not only, Treeline's: " +
            (problem.empty() ? "no manifest names it" : "its manifest cannot be read (" + problem + ")") +
            "; remove it yourself or choose another name");
    }
    if (state == kOther && !common.force && !common.refresh) {
        const std::string problem = output.find_manifest_error();
        throw base::UsageError(name +
                               (problem.empty()
                                    ? " exists, made from other inputs or with other options"
                                    : " exists, and its manifest cannot be read (" + problem + ")") +
                               "; use --force to replace it");
    }
    return state != kCurrent || common.force;
}

Outputs::Outputs(const base::Plan& plan, const std::vector<Target>& targets, const CommonOptions& common,
                 base::ProgressObserver& progress)
    : common_(common), progress_(progress) {
    for (const Target& target : targets) {
        if (!target.path.empty()) {
            outputs_.emplace_back(target.path, plan, target.role);
        }
    }
}

void Outputs::require_distinct() const {
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
        for (std::size_t j = 0; j < i && !outputs_[i].is_stream(); ++j) {
            std::error_code error;
            const auto& one = outputs_[i].path();
            const auto& other = outputs_[j].path();
            if (fs::weakly_canonical(one) == fs::weakly_canonical(other) ||
                fs::equivalent(one, other, error)) {
                throw base::UsageError("two outputs are the same file, '" + one + "'");
            }
        }
    }
}

bool Outputs::begin() {
    require_distinct();
    bool work = outputs_.empty();
    for (const auto& output : outputs_) {
        base::require_folder_of(output.path());
        work = has_to_be_made(output, common_) || work;
    }
    for (auto& output : outputs_) {
        if (work) {
            output.begin();
        } else {
            output.tidy();
            progress_.note("'" + output.path() + "' is up to date");
        }
    }
    return work;
}

void Outputs::record(const Values& counts) {
    for (auto& output : outputs_) {
        output.record(counts);
    }
}

void Outputs::commit(base::AtomicFolder& folder, Values counts) {
    outputs_.front().commit(folder, std::move(counts));
}

}  // namespace treeline::stage
