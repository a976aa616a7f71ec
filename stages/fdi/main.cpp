#include <iostream>
#include <type_traits>

#include "common/stage.hpp"
#include "fdi/commands.hpp"

using namespace treeline;

namespace {

const stage::Info kInfo{
    "fdi",
    "Looks into a fragment dictionary: lists, searches, compares, checks, exports and draws fragments, and leaves "
    "out those that a model does not use.",
    "fdi top dict/ -n 10\nfdi find dict/ --pattern '(NP (DT the) *)'\nfdi draw dict/ 0 1 2 --output best.svg\n"
    "fdi prune dict/ --model model.linear --output small/",
    "fragment dictionaries (fmi, fpl); browse and prune: linear models over them (esl, fpl)",
    "listings on stdout; export and draw: a file; browse: a folder of pages; prune: a folder with dict and model.linear",
};

/// What every command has: the dictionary, and a place for its work.
struct Commands {
    CLI::App& app;
    fdi::Options& options;
    stage::Stage::Work& work;

    template <typename Run>
    CLI::App* add(const char* name, const char* purpose, Run run) const {
        CLI::App* command = app.add_subcommand(name, purpose);
        command->add_option("dictionary", options.dictionary, "folder of the dictionary")
            ->required()
            ->type_name("FOLDER");
        command->callback([this, run] {
            work = [run](base::ProgressObserver& progress) {
                if constexpr (std::is_invocable_v<Run, base::ProgressObserver&>) {
                    return run(progress);
                } else {
                    return run();
                }
            };
        });
        return command;
    }

    void add_count(CLI::App& command) const {
        stage::add_count(command, "-n,--count", options.count, "lines at most; 0 = all")
            ->capture_default_str();
    }

    void add_digits(CLI::App& command) const {
        stage::add_count(command, "--digits", options.digits,
                         "significant digits of numbers; 0 = all, as export writes them")
            ->capture_default_str();
    }

    void add_class(CLI::App& command) const {
        command
            .add_option(
                "--class", options.label_class,
                "relevance for this class, and in its order: the mean over the class's models; without it, for "
                "the class for which it is largest by amount")
            ->type_name("LABEL");
    }
};

/// Commands that print.
void bind_looks(const Commands& commands) {
    CLI::App* top = commands.add("top", "the most relevant fragments",
                                 [&options = commands.options] { return fdi::top(options, std::cout); });
    commands.add_count(*top);
    commands.add_class(*top);
    commands.add_digits(*top);
    CLI::App* show = commands.add("show", "all about single fragments",
                                  [&options = commands.options] { return fdi::show(options, std::cout); });
    show->add_option("fragments", commands.options.named,
                     "numbers of fragments, or fragments such as '(NP (DT) (NN))'")
        ->required()
        ->type_name("FRAGMENT");
    commands.add_digits(*show);
    CLI::App* find = commands.add("find", "fragments with a label, a production, a pattern, or in a tree",
                                  [&options = commands.options] { return fdi::find(options, std::cout); });
    commands.add_count(*find);
    commands.add_class(*find);
    commands.add_digits(*find);
    find->add_option("--containing", commands.options.containing,
                     "a label of the fragment matches; * is any text")
        ->type_name("PATTERN");
    find->add_option("--production", commands.options.production,
                     "labels of a node and its children, e.g. 'NP DT NN'")
        ->type_name("LABELS");
    find->add_option("--pattern", commands.options.pattern,
                     "part of the fragment, e.g. '(NP (DT the) *)': * is any text within a label, any "
                     "number of children by itself; (NN) is a node whatever is below")
        ->type_name("PATTERN");
    find->add_option("--within", commands.options.tree, "the fragment occurs in this tree")
        ->type_name("TREE");
    CLI::App* stats = commands.add("stats", "sizes, depths, sharing",
                                   [&options = commands.options] { return fdi::stats(options, std::cout); });
    stats
        ->add_option("--containing", commands.options.containing,
                     "also the share of fragments with such a label, e.g. '*-P'")
        ->type_name("PATTERN");
    CLI::App* diff = commands.add("diff", "what two dictionaries do not share",
                                  [&options = commands.options] { return fdi::diff(options, std::cout); });
    diff->add_option("other", commands.options.other, "folder of the second dictionary")
        ->required()
        ->type_name("FOLDER");
    commands.add_count(*diff);
    commands.add_class(*diff);
    commands.add_digits(*diff);
    commands.add("verify", "checksums, consistency, digest; other outputs: against their manifests",
                 [&options = commands.options] { return fdi::verify(options, std::cout); });
}

/// Commands that write files.
void bind_files(const Commands& commands) {
    CLI::App* exported = commands.add("export", "fragments for other programs",
                                      [&options = commands.options](base::ProgressObserver& progress) {
                                          return fdi::export_fragments(options, progress);
                                      });
    stage::add_choice(*exported, "--format", commands.options.format, stage::choices_of(fdi::kFormatNames),
                      "tab-separated, JSON lines, Graphviz, or an Arrow file");
    exported->add_flag(
        "--drawings", commands.options.drawings,
        "with jsonl: also an svg element a fragment, which the page it goes into gives its styles");
    exported->add_option("--output", commands.options.output, "file; - is stdout")
        ->type_name("FILE")
        ->capture_default_str();
    commands.add_class(*exported);
    stage::bind_common(*exported, commands.options.common, {stage::Common::kForce});
    stage::add_count(*exported, "ids", commands.options.ids, "numbers of fragments; none = all");
    exported->preparse_callback([&options = commands.options](std::size_t) { options.count = 0; });
    CLI::App* draw = commands.add("draw", "fragments as SVG",
                                  [&options = commands.options](base::ProgressObserver& progress) {
                                      return fdi::draw(options, progress);
                                  });
    stage::add_count(*draw, "ids", commands.options.ids, "numbers of fragments; none = the first --count");
    draw->add_option("--output", commands.options.output, "file; - is stdout")
        ->type_name("FILE")
        ->capture_default_str();
    commands.add_count(*draw);
    commands.add_class(*draw);
    stage::bind_common(*draw, commands.options.common, {stage::Common::kForce});
    CLI::App* browse = commands.add("browse", "pages for a browser: table, fragments, classes",
                                    [&options = commands.options](base::ProgressObserver& progress) {
                                        return fdi::browse(options, progress);
                                    });
    browse
        ->add_option("--model", commands.options.model,
                     "linear model over it (esl, fpl): its weights are shown too")
        ->type_name("FILE");
    browse
        ->add_option("--examples", commands.options.examples,
                     "examples: each fragment is shown in some, for and against")
        ->type_name("FILE");
    browse
        ->add_option("--label-until", commands.options.label_until,
                     "labels of --examples end before TEXT, as in fsl and tfx")
        ->type_name("TEXT");
    browse->add_option("--output", commands.options.output, "folder to be made; open its index.html")
        ->required()
        ->type_name("FOLDER");
    stage::bind_common(*browse, commands.options.common, {stage::Common::kForce, stage::Common::kReading});
}

void bind_prune(const Commands& commands) {
    CLI::App* prune = commands.add(
        "prune", "dictionary and linear model of the fragments that have a weight; same decisions",
        [&options = commands.options](base::ProgressObserver& progress) {
            return fdi::prune(options, progress);
        });
    prune
        ->add_option(
            "--model", commands.options.model,
            "linear model over it (esl, fpl); of most use with esl --solver l1r-l2loss-svc or l1r-lr, whose "
            "weights are mostly 0")
        ->required()
        ->type_name("FILE");
    prune
        ->add_option(
            "--output", commands.options.output,
            "folder to make: dict and model.linear, whose decision values are those of --model to the "
            "last bit")
        ->required()
        ->type_name("FOLDER");
    stage::bind_common(*prune, commands.options.common, {stage::Common::kForce});
}

}  // namespace

int main(int argc, char** argv) {
    fdi::Options options;
    stage::Stage stage(kInfo, options.common, {stage::Common::kThreads});
    stage.app().require_subcommand(1);
    stage::Stage::Work work;
    const Commands commands{stage.app(), options, work};
    bind_looks(commands);
    bind_files(commands);
    bind_prune(commands);
    return stage.run(argc, argv, [&](base::ProgressObserver& progress) { return work(progress); });
}
