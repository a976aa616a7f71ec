#include "tdp/dependency.hpp"

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "common/manifest.hpp"
#include "data/conllu.hpp"

namespace treeline::tdp {

namespace {

base::Manifest plan(const DependencyRunOptions& options) {
    const auto number = [](auto choice) { return stage::value_of(static_cast<int>(choice)); };
    const auto& trees = options.trees;
    return stage::plan_manifest("tdp dependency",
                                {{"structure", number(trees.structure)},
                                 {"word", number(trees.word)},
                                 {"pos", number(trees.pos)},
                                 {"relation", number(trees.relation)},
                                 {"lower", trees.lower},
                                 {"kelp-labels", trees.kelp_labels},
                                 {"drop-punctuation", trees.drop_punctuation},
                                 {"label-key", options.label_key},
                                 {"to", number(options.writer.format)},
                                 {"leaves", number(options.writer.leaves)},
                                 {"label", options.writer.label}},
                                {options.input});
}

}  // namespace

stage::Summary make_dependency_trees(const DependencyRunOptions& options, const stage::CommonOptions& common,
                                     base::ProgressObserver& progress) {
    const auto planned = plan(options);
    if (!stage::needs_work(options.output, planned, common.force, progress)) {
        return {};
    }
    const bool skip = common.on_error == stage::OnError::kSkip;
    data::ConlluReader reader(options.input, skip ? tree::OnError::kSkip : tree::OnError::kFail);
    data::DependencyTrees trees(options.trees);
    data::ExampleWriter writer(options.writer);
    base::AtomicFile file(options.output);
    stage::Summary summary;
    data::DependencySentence sentence;
    tree::Example example;
    std::string text;
    progress.start("sentences", 0);
    while (reader.next(sentence)) {
        progress.update(++summary.in);
        example.clear();
        try {
            if (!options.label_key.empty()) {
                const auto label = sentence.comments.find(options.label_key);
                if (label == sentence.comments.end()) {
                    throw base::Error("no comment '# " + options.label_key + " = LABEL'");
                }
                example.label = label->second;
            }
            trees.make(sentence, example.add_tree());
            text.clear();
            writer.append(text, example);
            file.write(text);
            ++summary.out;
        } catch (const base::SystemError&) {
            throw;
        } catch (const base::Error& error) {
            const base::InputError located({reader.path(), sentence.words.front().line, 0}, error.what());
            if (!skip) {
                throw located;
            }
            progress.note(std::string("skipped ") + located.what());
            ++summary.skipped;
        }
    }
    progress.finish();
    for (const auto& message : reader.bad_records().messages()) {
        progress.note("skipped " + message);
    }
    summary.skipped += reader.bad_records().skipped();
    file.commit();
    stage::record_output(
        options.output, planned,
        {{"trees", stage::value_of(summary.out)}, {"skipped", stage::value_of(summary.skipped)}});
    return summary;
}

}  // namespace treeline::tdp
