#include "classify/tree_classifier.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/parallel.hpp"
#include "example/decision.hpp"

namespace treeline::classify {

namespace {

/// Examples that one thread takes at a time.
constexpr std::size_t kExamplesAtATime = 256;

}  // namespace

TreeClassifier::Parts::Parts(store::Dictionary given_dictionary, store::LinearModelFile given_file,
                             const std::string& model_path, base::ProgressObserver& observer)
    : dictionary(std::move(given_dictionary)),
      file(std::move(given_file)),
      space(dictionary, vectorizer_options(model_path, file.info), observer),
      features(&dictionary, file.info.fragments) {
    require_same_dictionary(dictionary.path(), file.info.dictionary, dictionary.digest());
    const std::string own_kernel = kernel::to_string(kernel::BasicKernel(dictionary.info().kernel));
    if (!file.info.kernel.empty() && file.info.kernel != own_kernel) {
        throw base::InputError({model_path}, "a model of the kernel " + file.info.kernel +
                                                 "; the dictionary's is " + own_kernel);
    }
}

TreeClassifier::TreeClassifier(store::Dictionary dictionary, store::LinearModelFile model,
                               const std::string& model_path, base::ProgressObserver& observer)
    : parts_(std::make_unique<const Parts>(std::move(dictionary), std::move(model), model_path, observer)) {}

TreeClassifier TreeClassifier::read(const std::string& dictionary_path, const std::string& model_path,
                                    base::ProgressObserver& observer) {
    store::LinearModelFile file = store::read_linear_model(model_path);
    return {store::Dictionary(dictionary_path), std::move(file), model_path, observer};
}

Decisions TreeClassifier::classify(const example::ExampleSet& examples, const tree::Forest& forest) const {
    Decisions decisions{.columns = model().columns(), .values = {}};
    decisions.values.resize(examples.size() * decisions.columns);
    base::parallel_pieces(examples.size(), kExamplesAtATime, [&](std::size_t begin, std::size_t end) {
        Worker worker(*this);
        example::Example example;
        for (std::size_t i = begin; i < end; ++i) {
            copy_example(examples, i, forest, example);
            (void)worker.classify(example);
            std::ranges::copy(worker.decisions(),
                              decisions.values.begin() + static_cast<std::ptrdiff_t>(i * decisions.columns));
        }
    });
    return decisions;
}

Explanation TreeClassifier::explain(const example::ExampleSet& examples, const tree::Forest& forest,
                                    std::size_t number, std::size_t count) const {
    Worker worker(*this);
    example::Example example;
    copy_example(examples, number, forest, example);
    (void)worker.classify(example);
    Explanation explanation = worker.explain(example, count, examples.label_text(number));
    explanation.id = number;
    return explanation;
}

TreeClassifier::Worker::Worker(const TreeClassifier& classifier, std::size_t cache_bytes)
    : model_(&classifier.model()),
      dictionary_(&classifier.dictionary()),
      features_(&classifier.features()),
      vectorizer_(classifier.space().make_vectorizer(cache_bytes)),
      decisions_(classifier.model().columns()) {}

linear::SparseRow TreeClassifier::Worker::vectorize(const example::Example& example) {
    indices_.clear();
    values_.clear();
    vectorizer_.vectorize(example, indices_, values_);
    return row();
}

std::size_t TreeClassifier::Worker::classify(const example::Example& example) {
    model_->decision_values(vectorize(example), decisions_);
    predicted_ = example::decide(decisions_);
    return predicted_;
}

std::vector<double> TreeClassifier::Worker::probabilities() const {
    if (!model_->is_logistic()) {
        throw base::UsageError("the model is not logistic: it has no probabilities");
    }
    return model_->probabilities(decisions_);
}

Explanation TreeClassifier::Worker::explain(const example::Example& example, std::size_t count,
                                            std::string_view gold) const {
    Explanation explanation =
        classify::explain(*model_, row(), predicted_, decisions_, count, *features_, gold);
    locate(explanation, example, *dictionary_, *features_);
    return explanation;
}

}  // namespace treeline::classify
