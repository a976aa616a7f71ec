// Labelled trees to a linear classifier that explains itself: outside TREES FOLDER
#include <iostream>

#include "classify/training.hpp"
#include "classify/tree_classifier.hpp"

using namespace treeline;

template <typename Classifier>
double accuracy(const Classifier& classifier, const example::ExampleSet& examples,
                const tree::Forest& forest) {
    const classify::Decisions decisions = classifier.classify(examples, forest);
    double hits = 0;
    for (std::size_t i = 0; i < examples.size(); ++i) {
        hits += classifier.label_of(decisions.row(i)) == examples.label_text(i);
    }
    return 100 * hits / static_cast<double>(examples.size());
}

int main(int argc, char** argv) try {
    if (argc != 3) {
        return 2;
    }
    const std::string folder = argv[2];
    tree::Forest forest;
    example::ExampleSet examples;
    example::read_examples(argv[1], {}, forest, examples);

    const auto machine = classify::train_kernel_classifier(examples, forest, {.kernel = "sst(lambda=0.4)"});
    std::cout << "kernel machine " << accuracy(machine, examples, forest) << '\n';

    classify::mine_dictionary(machine, {.top = 1000}, folder + "/dict");
    const classify::TreeSpace space{store::Dictionary(folder + "/dict")};
    const classify::ExplicitRows rows = space.vectorize(examples, forest);
    store::write_linear_model(folder + "/model.linear", classify::train_linear_model(space, rows, {.c = 1}));

    const auto classifier = classify::TreeClassifier::read(folder + "/dict", folder + "/model.linear");
    std::cout << "linear model " << accuracy(classifier, examples, forest) << '\n'
              << classify::to_text(classifier.explain(examples, forest, 0, 3));
} catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return 1;
}
