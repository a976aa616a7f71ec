#include "tdp/dependency.hpp"

#include "base/error.hpp"
#include "base/output.hpp"
#include "base/text.hpp"
#include "common/outputs.hpp"
#include "common/reading.hpp"
#include "corpus/conllu.hpp"

namespace treeline::tdp {

namespace {

base::Plan plan(const DependencyRunOptions& options, const stage::CommonOptions& common) {
    const auto& trees = options.trees;
    return stage::plan_work(
        "tdp dependency",
        {{"structure", stage::value_of(corpus::kDependencyStructureNames, trees.structure)},
         {"word", stage::value_of(corpus::kWordNames, trees.word)},
         {"pos", stage::value_of(corpus::kPosNames, trees.pos)},
         {"relation", stage::value_of(corpus::kRelationNames, trees.relation)},
         {"lower", trees.lower},
         {"kelp-labels", trees.kelp_labels},
         {"drop-punctuation", trees.drop_punctuation},
         {"label-key", options.label_key},
         {"to", stage::value_of(example::kExampleFormatNames, options.writer.format)},
         {"leaves", stage::value_of(tree::kLeafStyleNames, options.writer.leaves)},
         {"label", options.writer.label}},
        common, {options.input});
}

}  // namespace

stage::Summary make_dependency_trees(const DependencyRunOptions& options, const stage::CommonOptions& common,
                                     base::ProgressObserver& progress) {
    stage::Outputs outputs(plan(options, common), {{options.output, {}}}, common, progress);
    if (!outputs.begin()) {
        return {};
    }
    corpus::ConlluReader reader(options.input, common.on_error);
    corpus::DependencyTrees trees(options.trees);
    example::ExampleWriter writer(options.writer);
    base::BadRecords unwritable(common.on_error);
    base::AtomicFile file(options.output);
    stage::Summary summary;
    corpus::DependencySentence sentence;
    example::Example example;
    std::string text;
    progress.start("sentences", 0);
    while (reader.next(sentence)) {
        progress.update(reader.records());
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
        } catch (const base::Error& error) {
            unwritable.refuse({{reader.path(), sentence.words.front().line, 0}, error.what()});
            continue;
        }
        file.write(text);
        ++summary.out;
    }
    progress.finish();
    stage::tell_skipped(reader.bad_records(), progress);
    stage::tell_skipped(unwritable, progress);
    summary.in = reader.records();
    summary.skipped = reader.bad_records().skipped() + unwritable.skipped();
    file.commit();
    outputs.record({{"trees", stage::value_of(summary.out)}, {"skipped", stage::value_of(summary.skipped)}});
    return summary;
}

}  // namespace treeline::tdp
