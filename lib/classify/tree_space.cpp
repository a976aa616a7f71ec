#include "classify/tree_space.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "base/names.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "example/class_set.hpp"
#include "example/classes.hpp"
#include "kernel/description.hpp"

namespace treeline::classify {

namespace {

/// Examples that one thread takes at a time.
constexpr std::size_t kPiece = 256;

}  // namespace

linear::SparseRow ExplicitRows::row(std::size_t example) const {
    const Piece& piece = pieces_[example / piece_size_];
    const std::size_t at = example % piece_size_;
    const std::size_t begin = at == 0 ? 0 : piece.ends[at - 1];
    return {std::span(piece.indices).subspan(begin, piece.ends[at] - begin),
            std::span(piece.values).subspan(begin, piece.ends[at] - begin)};
}

linear::LinearProblem ExplicitRows::problem() const {
    linear::LinearProblem problem;
    problem.features = features_;
    problem.weights = costs_;
    const example::ClassSet classes(labels_);
    problem.labels = classes.names();
    for (std::size_t i = 0; i < size(); ++i) {
        problem.rows.push_back(row(i));
        problem.classes.push_back(*classes.find(labels_[i]));
    }
    return problem;
}

TreeSpace::TreeSpace(const store::Dictionary& dictionary, const fragment::VectorizerOptions& options,
                     base::ProgressObserver& observer)
    : index_(dictionary.info().kernel, dictionary.info().weight, dictionary.symbols()),
      options_(options),
      info_{.kernel = kernel::to_string(kernel::BasicKernel(dictionary.info().kernel)),
            .norm = std::string(base::name_of(fragment::kVectorNormNames, options.norm)),
            .vectors = std::string(base::name_of(fragment::kFlatFeaturesNames, options.vectors)),
            .fragments = dictionary.size(),
            .dictionary = dictionary.digest()} {
    observer.start("dictionary", dictionary.size());
    dictionary.for_each([&](const store::Dictionary::Entry& entry) {
        index_.add(entry.id, entry.fragment);
        return true;
    });
    observer.finish();
}

ExplicitRows TreeSpace::vectorize(const example::ExampleSet& examples, const tree::Forest& forest,
                                  const std::string& label_until) const {
    ExplicitRows rows;
    rows.piece_size_ = kPiece;
    rows.pieces_.resize((examples.size() + kPiece - 1) / kPiece);
    rows.features_ = info_.fragments;
    base::parallel_pieces(examples.size(), kPiece, [&](std::size_t begin, std::size_t end) {
        fragment::Vectorizer vectorizer = make_vectorizer();
        ExplicitRows::Piece& piece = rows.pieces_[begin / kPiece];
        example::Example example;
        for (std::size_t i = begin; i < end; ++i) {
            copy_example(examples, i, forest, example);
            vectorizer.vectorize(example, piece.indices, piece.values);
            piece.ends.push_back(piece.indices.size());
        }
    });
    for (const ExplicitRows::Piece& piece : rows.pieces_) {
        for (const std::uint32_t index : piece.indices) {
            rows.features_ = std::max(rows.features_, std::uint64_t{index} + 1);
        }
    }
    for (std::size_t i = 0; i < examples.size(); ++i) {
        rows.labels_.emplace_back(example::cut_label(examples.label_text(i), label_until));
        if (examples.has_costs()) {
            rows.costs_.push_back(examples.cost(i));
        }
    }
    return rows;
}

fragment::VectorizerOptions vectorizer_options(const std::string& path, const store::VectorsInfo& info) {
    const auto norm = base::find_named(fragment::kVectorNormNames, info.norm);
    const auto vectors = base::find_named(fragment::kFlatFeaturesNames, info.vectors);
    if (!norm || !vectors) {
        throw base::InputError(
            {path}, "the model does not say how its vectors were made; expected one written by esl");
    }
    fragment::VectorizerOptions options;
    options.norm = *norm;
    options.vectors = *vectors;
    return options;
}

void require_same_dictionary(const std::string& path, const std::string& model, const std::string& other) {
    if (model != other) {
        throw base::InputError({path}, "made with another dictionary than the model (digest " +
                                           base::quoted(other) + "; the model has " + base::quoted(model) +
                                           ")");
    }
}

void copy_example(const example::ExampleSet& examples, std::size_t number, const tree::Forest& forest,
                  example::Example& out) {
    out.clear();
    out.label = examples.label_text(number);
    out.cost = examples.cost(number);
    for (const tree::NodeId root : examples.trees(number)) {
        tree::TreeText& tree = out.add_tree();
        if (root != example::kEmptyTree) {
            tree = forest.text(root);
        }
    }
    for (std::size_t which = 0; which < examples.vector_count(number); ++which) {
        const auto vector = examples.vector(number, which);
        out.add_vector().assign(vector.begin(), vector.end());
    }
}

}  // namespace treeline::classify
