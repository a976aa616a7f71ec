#include "common/binding.hpp"

namespace treeline::stage {

namespace {

constexpr std::size_t kMostThreads = 4096;

void bind_one(CLI::App& app, CommonOptions& options, Common which) {
    switch (which) {
        case Common::kThreads:
            app.add_option("--threads", options.threads, "threads to use; 0 = all of the machine")
                ->check(CLI::Range(std::size_t{0}, kMostThreads).description(""))
                ->type_name("N");
            break;
        case Common::kMemory:
            add_size(app, "--memory", options.memory, "memory to keep to, such as 4G or 50%", "50%");
            break;
        case Common::kSeed:
            app.add_option("--seed", options.seed, "seed of everything random")->type_name("N");
            break;
        case Common::kForce: app.add_flag("--force", options.force, "replace outputs that exist"); break;
        case Common::kOnError:
            add_choice(app, "--on-error", options.on_error,
                       {{"fail", OnError::kFail}, {"skip", OnError::kSkip}},
                       "what to do with a record that cannot be read");
            break;
    }
}

}  // namespace

void bind_common(CLI::App& app, CommonOptions& options, std::initializer_list<Common> listed) {
    const std::string group = app.option_defaults()->get_group();
    app.option_defaults()->group("Common options");
    for (const Common which : listed) {
        bind_one(app, options, which);
    }
    add_choice(app, "--log-level", options.log_level,
               {{"quiet", LogLevel::kQuiet}, {"info", LogLevel::kInfo}, {"debug", LogLevel::kDebug}},
               "what to say on stderr");
    app.option_defaults()->group(group);
}

CLI::Option* add_size(CLI::App& app, const std::string& name, std::uint64_t& bytes,
                      const std::string& description, const std::string& default_text) {
    const auto assign = [&bytes, name](const std::string& text) {
        try {
            bytes = base::parse_size(text);
        } catch (const base::UsageError& error) {
            throw base::UsageError(name + ": " + error.what());
        }
    };
    return app.add_option_function<std::string>(name, assign, description)
        ->type_name("SIZE")
        ->default_str(default_text);
}

}  // namespace treeline::stage
