"""scikit-learn's contract."""

import pickle

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import check_estimator
from sklearn.utils.validation import validate_data

from treeline import (FragmentClassifier, FragmentVectorizer, PolynomialPassiveAggressive, SparseFragmentClassifier,
                      TreeKernel, TreeSVC)

OVER_TREES = [FragmentVectorizer(max_features=50), SparseFragmentClassifier(gap=1e-2),
              SparseFragmentClassifier(loss="logistic", gap=1e-2), FragmentClassifier(max_features=50), TreeKernel(),
              TreeSVC(), TreeSVC(solver="usvm", sample=50)]


@pytest.mark.parametrize("estimator", [*OVER_TREES, PolynomialPassiveAggressive(iterations=2)], ids=str)
def test_check_estimator_as_it_is(estimator):
    """Estimators over trees say that X is not a matrix, so the checks that make matrices are left out here; see below."""
    check_estimator(estimator, on_skip=None)


def tree_of(row) -> str:
    """A tree that says in which of some intervals each number of a row is."""
    return "(ROW " + " ".join(f"(F{i} (A{int(np.floor(value / 4))} (B{int(np.floor(value))} v)))"
                              for i, value in enumerate(row)) + ")"


def over_numbers(base):
    """A class of estimators that turns the rows of a matrix into trees, so that every check of scikit-learn can be run."""

    class OverNumbers(base):
        def __sklearn_tags__(self):
            tags = super().__sklearn_tags__()
            tags.input_tags.two_d_array = True
            tags.input_tags.one_d_array = False
            tags.input_tags.string = False
            if tags.classifier_tags is not None:
                tags.classifier_tags.poor_score = True  # intervals of numbers are a poor way to see them
            return tags

        def _trees(self, X, reset=False):
            X = validate_data(self, X, reset=reset, dtype="numeric")
            return [tree_of(row) for row in X]

    OverNumbers.__name__ = OverNumbers.__qualname__ = f"{base.__name__}OverNumbers"
    globals()[OverNumbers.__name__] = OverNumbers  # where pickle looks for it
    return OverNumbers


# A reason for each check that does not pass; at most five an estimator.
EXPECTED = {
    "check_sample_weight_equivalence_on_dense_data":
        "an example of weight 2 and the same example twice are the same problem, but are visited in another order: solvers that "
        "stop at a tolerance end at numbers that agree to the tolerance only",
    "check_sample_weight_equivalence_on_sparse_data": "likewise",
}


@pytest.mark.parametrize("estimator", OVER_TREES, ids=str)
def test_check_estimator_over_numbers(estimator):
    adapted = over_numbers(type(estimator))(**estimator.get_params())
    assert len(EXPECTED) <= 5
    results = check_estimator(adapted, on_fail=None, on_skip=None)
    failed = {result["check_name"]: result["exception"] for result in results if result["status"] == "failed"}
    unexpected = {name: repr(error) for name, error in failed.items() if name not in EXPECTED}
    assert not unexpected
    assert sum(result["status"] == "passed" for result in results) > 30


@pytest.mark.parametrize("estimator", OVER_TREES, ids=str)
def test_pickles_and_clones(estimator, small):
    trees, labels, test_trees, _ = small
    fitted = clone(estimator).fit(trees, labels)
    loaded = pickle.loads(pickle.dumps(fitted))
    for method in ("decision_function", "transform", "predict_proba"):
        if hasattr(fitted, method):
            own, other = getattr(fitted, method)(test_trees), getattr(loaded, method)(test_trees)
            assert np.array_equal(own.toarray() if hasattr(own, "toarray") else own,
                                  other.toarray() if hasattr(other, "toarray") else other)
    again = clone(fitted)
    assert again.get_params() == fitted.get_params()
    with pytest.raises(Exception, match="not fitted"):
        (again.predict if hasattr(again, "predict") else again.transform)(test_trees)


def test_pipeline_search_and_columns(small):
    pandas = pytest.importorskip("pandas")
    trees, labels, test_trees, test_labels = small
    pipeline = make_pipeline(FragmentVectorizer(max_features=100), LogisticRegression())
    assert pipeline.fit(trees, labels).score(test_trees, test_labels) > 0.7
    search = GridSearchCV(pipeline, {"fragmentvectorizer__max_features": [10, 200]}, cv=2).fit(trees, labels)
    assert search.best_score_ > 0.6
    assert cross_val_score(SparseFragmentClassifier(gap=1e-2), np.array(trees, dtype=object), labels, cv=2).mean() > 0.7
    frame = pandas.DataFrame({"tree": trees, "words": [tree.count(" ") for tree in trees]})
    columns = ColumnTransformer([("tree", FragmentVectorizer(max_features=100), "tree"), ("words", "passthrough", ["words"])])
    assert columns.fit_transform(frame, labels).shape[1] > 100
    assert "words__words" in columns.get_feature_names_out()


def test_precomputed_kernel(small):
    trees, labels, test_trees, test_labels = small
    svc = make_pipeline(TreeKernel("sst(lambda=0.4)"), SVC(kernel="precomputed")).fit(trees, labels)
    own = TreeSVC("sst(lambda=0.4)", epsilon=1e-6).fit(trees, labels)
    assert svc.score(test_trees, test_labels) == own.score(test_trees, test_labels)
    assert np.allclose(svc.decision_function(test_trees), own.decision_function(test_trees), atol=5e-3)


def test_probabilities_of_logistic_models(small):
    trees, labels, test_trees, _ = small
    for estimator in (SparseFragmentClassifier(loss="logistic"), FragmentClassifier(solver="l2r-lr", max_features=100)):
        fitted = estimator.fit(trees, labels)
        odds = fitted.predict_proba(test_trees)
        assert np.allclose(odds.sum(axis=1), 1)
        assert np.array_equal(fitted.classes_[odds.argmax(axis=1)], fitted.predict(test_trees))
        assert np.allclose(odds[:, 1], 1 / (1 + np.exp(-fitted.decision_function(test_trees))))
    assert not hasattr(SparseFragmentClassifier(), "predict_proba")


def test_labels_of_any_kind(small):
    trees, labels, test_trees, _ = small
    signs = np.array([int(label) for label in labels])
    expected = TreeSVC().fit(trees, signs)
    for names in (signs == 1, np.where(signs == 1, "yes", "no"), np.where(signs == 1, 10, 9),
                  np.where(signs == 1, "10", "9"), signs.astype(float)):
        fitted = TreeSVC().fit(trees, names)
        positive = fitted.classes_.tolist().index(names[signs == 1][0])
        values = fitted.decision_function(test_trees)
        assert np.array_equal(values if positive == 1 else -values, expected.decision_function(test_trees))
        assert np.array_equal(fitted.predict(test_trees) == names[signs == 1][0], expected.predict(test_trees) == 1)


def test_several_classes(small):
    trees, _, test_trees, _ = small
    kinds = np.array(["how many" if "how" in tree else "what" if "what" in tree else "other" for tree in trees])
    fitted = SparseFragmentClassifier(C=10).fit(trees, kinds)
    assert fitted.decision_function(test_trees).shape == (len(test_trees), len(fitted.classes_))
    assert np.array_equal(fitted.classes_[fitted.decision_function(test_trees).argmax(axis=1)], fitted.predict(test_trees))
    assert fitted.score(trees, kinds) > 0.95
    assert [one["class"] for one in fitted.certificate_] == fitted.classes_.tolist()


def test_certificate_and_fragments(small):
    trees, labels, _, _ = small
    fitted = SparseFragmentClassifier(gap=1e-3).fit(trees, labels)
    proof = fitted.certificate_[0]
    assert proof["reached"] and 0 <= proof["gap"] <= 1e-3
    assert proof["bound"] <= proof["objective"]
    assert len(fitted.fragments_) == proof["features"]
    searched = SparseFragmentClassifier(C="search", folds=2, gap=1e-2).fit(trees, labels)
    assert searched.C_ > 0
    few = SparseFragmentClassifier(max_fragments=5, gap=1e-2).fit(trees, labels)
    assert len(few.fragments_) <= 5
    retained = FragmentVectorizer(max_features=50).fit(trees, labels).certificate_[0]
    assert 0 < retained["retained"] <= retained["norm"]


def test_vectors_name_their_fragments(small):
    trees, labels, test_trees, _ = small
    vectorizer = FragmentVectorizer(max_features=30).fit(trees, labels)
    X = vectorizer.transform(test_trees)
    assert X.dtype == np.float32 and X.shape == (len(test_trees), 30)
    names = vectorizer.get_feature_names_out()
    assert len(names) == 30 and all(name.startswith("(") for name in names)
    row = vectorizer.inverse_transform(X)[0]
    assert row == {names[at]: float(X.data[at_ - 0]) for at_, at in enumerate(X.indices[:X.indptr[1]])}


def test_partial_fit_is_a_pass_of_fit():
    random = np.random.default_rng(5)
    X = (random.random((300, 40)) < 0.2).astype(float)
    for y in ((X[:, 0] * X[:, 1] > 0).astype(int), X[:, :3].sum(axis=1).astype(int)):
        whole = PolynomialPassiveAggressive(iterations=1).fit(X, y)
        pieces = PolynomialPassiveAggressive()
        for begin in range(0, 300, 70):
            pieces.partial_fit(X[begin:begin + 70], y[begin:begin + 70], classes=np.unique(y) if begin == 0 else None)
        assert np.allclose(whole.decision_function(X), pieces.decision_function(X))
        loaded = pickle.loads(pickle.dumps(pieces))
        assert np.allclose(loaded.partial_fit(X[:9], y[:9]).decision_function(X),
                           pieces.partial_fit(X[:9], y[:9]).decision_function(X))
    with pytest.raises(ValueError, match="first call"):
        PolynomialPassiveAggressive().partial_fit(X, y)
    with pytest.raises(ValueError, match=r"y\[0\] is 77"):
        pieces.partial_fit(X[:1], [77])


def test_polynomial_model_is_that_of_psl(program, tmp_path):
    random = np.random.default_rng(6)
    X = (random.random((200, 30)) < 0.2).astype(float)
    y = np.where(X[:, 0] * X[:, 1] + X[:, 2] > 0, 1, -1)
    lines = [f"{label:+d} " + " ".join(f"{at + 1}:1" for at in np.flatnonzero(row)) for label, row in zip(y, X)]
    (tmp_path / "train.svm").write_text("\n".join(lines) + "\n")
    fitted = PolynomialPassiveAggressive(degree=3).fit(X, y)
    fitted.save(tmp_path / "own.model")
    program("psl", "--input", tmp_path / "train.svm", "--output", tmp_path / "psl.model", "--degree", 3)
    assert (tmp_path / "own.model").read_bytes() == (tmp_path / "psl.model").read_bytes()
    program("psc", "--model", tmp_path / "psl.model", "--input", tmp_path / "train.svm", "--output", tmp_path / "psc.tsv")
    values = [float(line.split("\t")[3]) for line in (tmp_path / "psc.tsv").read_text().splitlines()[1:]]
    assert np.array_equal(fitted.decision_function(X), values)
