#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <string>

#include "base/progress.hpp"
#include "common/binding.hpp"
#include "common/options.hpp"

namespace treeline::stage {

/// Everything between argv and the work of a stage: help, version, usage errors, threads, progress, the
/// closing line, exit codes. A main makes one, binds its options to app() and returns run():
///
///     ksl::Options options;
///     stage::Stage stage(ksl::kInfo, options.common, {Common::kThreads, Common::kSeed});
///     stage.app().add_option("--input", options.input, "examples; - is stdin")->required();
///     return stage.run(argc, argv, [&](auto& progress) { return ksl::run(options, progress); });
class Stage {
  public:
    using Work = std::function<Summary(base::ProgressObserver&)>;

    /// `options` must outlive it. `--help`, `--version`, `--log-level` and, hidden, `--options-json` are always there.
    Stage(Info info, CommonOptions& options, std::initializer_list<Common> listed = {});

    /// Subcommands made on it share the common options.
    [[nodiscard]] CLI::App& app() { return app_; }

    /// Parses, runs `work` on the threads asked for, and returns the exit code of the process. Errors become
    /// one line on stderr, led by the stage's name. Standard output that cannot be written stops the work at
    /// once (std::cout is made to throw); if only its reader has gone, silently.
    int run(int argc, const char* const* argv, const Work& work);

  private:
    bool parse(int argc, const char* const* argv);
    void work_and_report(const Work& work);
    [[nodiscard]] std::string command_name() const;
    int fail(const base::SystemError& error) const;
    int fail(base::ExitCode code, std::string message) const;

    Info info_;
    CommonOptions& options_;
    CLI::App app_;
};

}  // namespace treeline::stage
