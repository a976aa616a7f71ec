#include "ksl/ksl.hpp"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>

#include "base/error.hpp"
#include "base/manifest.hpp"
#include "base/planned_output.hpp"
#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/child.hpp"
#include "support/temporary_folder.hpp"

using namespace treeline;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Raises a signal when a task starts, or is told of, in words that begin with `word`.
class Interrupter final : public base::ProgressObserver {
  public:
    explicit Interrupter(std::string word) : word_(std::move(word)) {}
    void start(std::string_view task, std::uint64_t /*total*/) override {
        if (task.starts_with(word_)) {
            ::raise(SIGTERM);
        }
    }
    void update(std::uint64_t /*done*/) override {}
    void finish() override {}
    void note(std::string_view /*text*/) override {}
    void detail(std::string_view text) override { start(text, 0); }

  private:
    std::string word_;
};

std::string training_text(std::size_t count, std::size_t classes) {
    base::Random random(4);
    std::string text;
    for (std::size_t i = 0; i < count; ++i) {
        const auto a = random.below(classes);
        const auto label = random.below(10) == 0 ? random.below(classes) : a;
        text += "c" + std::to_string(label) + "\t(S (A" + std::to_string(a) + " w" +
                std::to_string(random.below(30)) + ") (B (C" + std::to_string(random.below(5)) + " w" +
                std::to_string(random.below(30)) + ")))\n";
    }
    return text;
}

ksl::Options options_for(const test::TemporaryFolder& folder, const std::string& output) {
    ksl::Options options;
    options.input = folder / "train.tsv";
    options.output = folder / output;
    return options;
}

}  // namespace

TEST_CASE("an interrupted run leaves a checkpoint and nothing else, and is taken up", "[forks]") {
    // The last one stops after its first machine is finished.
    const auto [classes, moment] = GENERATE(table<std::size_t, std::string>(
        {{std::size_t{2}, "round 2"}, {std::size_t{3}, "round 2"}, {std::size_t{3}, "c0: "}}));
    const test::TemporaryFolder folder;
    std::ignore = folder.file("train.tsv", training_text(400, classes));
    auto options = options_for(folder, "model");

    Interrupter interrupter(moment);
    const int status = test::status_of_child([&] {
        try {
            ksl::run(options, interrupter);
        } catch (const base::Error& error) {
            ::_exit(std::string(error.what()).find("--resume") != std::string::npos ? 1 : 3);
        }
    });
    REQUIRE(WIFEXITED(status));
    CHECK(WEXITSTATUS(status) == 1);
    CHECK_FALSE(std::filesystem::exists(folder / "model"));
    CHECK(std::filesystem::exists(folder / "model.checkpoint"));

    SECTION("with other options it is refused") {
        options.training.trainer.c = 2;
        options.resume = true;
        CHECK_THROWS_WITH(ksl::run(options, base::silent_observer()), ContainsSubstring("other options"));
    }
    SECTION("else it goes on") {
        options.resume = true;
        const auto summary = ksl::run(options, base::silent_observer());
        CHECK(summary.in == 400);
        CHECK(std::filesystem::exists(folder / "model"));
        CHECK_FALSE(std::filesystem::exists(folder / "model.checkpoint"));
        // Where it ends within the tolerance may be another place than that of a run that nothing disturbed.
        const auto manifest = base::find_manifest(base::manifest_path(folder / "model"));
        REQUIRE(manifest);
        CHECK(std::get<bool>(manifest->counts.at("resumed")));
        double support_vectors = 0;
        for (const auto& [name, value] : manifest->counts) {
            support_vectors += name.ends_with("support vectors") ? std::get<double>(value) : 0;
        }
        CHECK(support_vectors == static_cast<double>(summary.out));
    }
}

TEST_CASE("options that do not go together are refused") {
    const test::TemporaryFolder folder;
    auto options = options_for(folder, "model");
    SECTION("cost") { options.training.trainer.c = 0; }
    SECTION("factor") { options.training.cost_factor = -1; }
    SECTION("epsilon") { options.training.trainer.epsilon = 0; }
    SECTION("constant feature of smo") { options.training.trainer.constant = 1; }
    SECTION("start of usvm") {
        options.training.trainer.solver = svm::Solver::kUsvm;
        options.start_from = "x";
    }
    SECTION("resuming stdout") {
        options.output = "-";
        options.resume = true;
    }
    CHECK_THROWS_AS(ksl::validate(options), base::UsageError);
}
