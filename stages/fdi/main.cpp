#include <iostream>

#include "common/stage.hpp"
#include "fdi/commands.hpp"

namespace {

const treeline::stage::Info kInfo{
    "fdi",
    "Looks into a fragment dictionary: lists, searches, compares, checks, exports and draws fragments.",
    "fdi top dict/ -n 10\nfdi find dict/ --pattern '(NP (DT the) *)'\nfdi draw dict/ 0 1 2 --output best.svg",
    "fragment dictionaries (fmi)",
    "listings on stdout; export and draw: a file",
};

}  // namespace

int main(int argc, char** argv) {
    using namespace treeline;
    fdi::Options options;
    stage::Stage stage(kInfo, options.common, {stage::Common::kThreads});
    CLI::App& app = stage.app();
    app.require_subcommand(1);
    stage::Stage::Work work;
    const auto command = [&](const char* name, const char* purpose, auto run) {
        CLI::App* sub = app.add_subcommand(name, purpose);
        sub->add_option("dictionary", options.dictionary, "folder of the dictionary")
            ->required()
            ->type_name("FOLDER");
        sub->callback([&work, run] { work = [run](base::ProgressObserver&) { return run(); }; });
        return sub;
    };
    const auto add_count = [&](CLI::App* sub) {
        stage::add_count(*sub, "-n,--count", options.count, "lines at most; 0 = all")->capture_default_str();
    };
    CLI::App* top =
        command("top", "the most relevant fragments", [&] { return fdi::top(options, std::cout); });
    add_count(top);
    top->add_option("--in-model", options.model, "relevance in the model(s) of this name, class or number")
        ->type_name("MODEL");
    CLI::App* show =
        command("show", "all about single fragments", [&] { return fdi::show(options, std::cout); });
    stage::add_count(*show, "ids", options.ids, "numbers of fragments")->required();
    CLI::App* find = command("find", "fragments with a label, a production, a pattern, or in a tree",
                             [&] { return fdi::find(options, std::cout); });
    add_count(find);
    find->add_option("--containing", options.containing, "a label of the fragment matches; * is any text")
        ->type_name("PATTERN");
    find->add_option("--production", options.production, "labels of a node and its children, e.g. 'NP DT NN'")
        ->type_name("LABELS");
    find->add_option("--pattern", options.pattern,
                     "part of the fragment, e.g. '(NP (DT the) *)': * is any text within a label, any number "
                     "of children by "
                     "itself; (NN) is a node whatever is below")
        ->type_name("PATTERN");
    find->add_option("--within", options.tree, "the fragment occurs in this tree")->type_name("TREE");
    CLI::App* stats =
        command("stats", "sizes, depths, sharing", [&] { return fdi::stats(options, std::cout); });
    stats
        ->add_option("--containing", options.containing,
                     "also the share of fragments with such a label, e.g. '*-P'")
        ->type_name("PATTERN");
    CLI::App* diff =
        command("diff", "what two dictionaries do not share", [&] { return fdi::diff(options, std::cout); });
    diff->add_option("other", options.other, "folder of the second dictionary")
        ->required()
        ->type_name("FOLDER");
    add_count(diff);
    command("verify", "checksums, consistency, digest", [&] { return fdi::verify(options, std::cout); });
    CLI::App* exported =
        command("export", "fragments for other programs", [&] { return fdi::export_fragments(options); });
    stage::add_choice(*exported, "--format", options.format,
                      {{"tsv", fdi::Format::kTsv},
                       {"jsonl", fdi::Format::kJsonLines},
                       {"dot", fdi::Format::kDot},
                       {"arrow", fdi::Format::kArrow}},
                      "tab-separated, JSON lines, Graphviz, or an Arrow file");
    exported->add_option("--output", options.output, "file; - is stdout")
        ->type_name("FILE")
        ->capture_default_str();
    stage::add_count(*exported, "ids", options.ids, "numbers of fragments; none = all");
    CLI::App* draw = command("draw", "fragments as SVG", [&] { return fdi::draw(options); });
    stage::add_count(*draw, "ids", options.ids, "numbers of fragments; none = the first --count");
    draw->add_option("--output", options.output, "file; - is stdout")
        ->type_name("FILE")
        ->capture_default_str();
    add_count(draw);
    CLI::App* browse = app.add_subcommand("browse", "pages for a browser: table, fragments, classes");
    browse->add_option("dictionary", options.dictionary, "folder of the dictionary")
        ->required()
        ->type_name("FOLDER");
    browse->add_option("--model", options.model, "linear model over it (esl, fpl): its weights are shown too")
        ->type_name("FILE");
    browse
        ->add_option("--examples", options.examples,
                     "examples: each fragment is shown in some, for and against")
        ->type_name("FILE");
    browse->add_option("--output", options.output, "folder to be made; open its index.html")
        ->required()
        ->type_name("FOLDER");
    stage::bind_common(*browse, options.common, {stage::Common::kForce});
    browse->callback(
        [&] { work = [&](base::ProgressObserver& progress) { return fdi::browse(options, progress); }; });
    exported->preparse_callback([&](std::size_t) { options.count = 0; });
    return stage.run(argc, argv, [&](base::ProgressObserver& progress) { return work(progress); });
}
