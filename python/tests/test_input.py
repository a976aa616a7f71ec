"""What may stand for a tree, and what is said about what may not."""

import numpy as np
import pytest

import treeline
from treeline import (FragmentClassifier, FragmentVectorizer, PolynomialPassiveAggressive, SparseFragmentClassifier,
                      TreeKernel, TreeSVC)

TREE = "(S (NP (DT the) (NN cat)) (VP (VBZ sleeps)))"
TUPLE = ("S", [("NP", [("DT", ["the"]), ("NN", ["cat"])]), ("VP", [("VBZ", ["sleeps"])])])


class Node:
    """Like stanza's constituency objects: leaves are nodes without children."""

    def __init__(self, label, *children):
        self.label = label
        self.children = children


STANZA = Node("S", Node("NP", Node("DT", Node("the")), Node("NN", Node("cat"))), Node("VP", Node("VBZ", Node("sleeps"))))


def test_objects_that_are_trees():
    assert treeline.Tree(TREE) == TREE
    assert treeline.Tree(TUPLE) == TREE
    assert treeline.Tree(["S", [["A", ["a"]]]]) == "(S (A a))"
    assert treeline.Tree(STANZA) == TREE
    assert treeline.Tree(("A (", ["b)"])) == r"(A\ \( b\))"
    deep = ("A", ["a"])
    for _ in range(5000):
        deep = ("A", [deep])
    assert treeline.Tree(deep).count("(") == 5001


def test_nltk_trees():
    nltk = pytest.importorskip("nltk")
    assert treeline.Tree(nltk.Tree.fromstring(TREE)) == TREE


def columns():
    texts = [TREE, "(A a)", "(Ä ö)"]
    yield "list", texts
    yield "tuple", tuple(texts)
    yield "array of texts", np.array(texts)
    yield "array of objects", np.array(texts, dtype=object)
    yield "trees", [TUPLE, ("A", ["a"]), ("Ä", ["ö"])]
    yield "mixed", [TREE, ("A", ["a"]), treeline.Tree("(Ä ö)")]
    pandas = pytest.importorskip("pandas")
    yield "pandas strings", pandas.Series(texts)
    yield "pandas objects", pandas.Series([TUPLE, "(A a)", "(Ä ö)"], dtype=object)
    pyarrow = pytest.importorskip("pyarrow")
    for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view()):
        yield f"Arrow {kind}", pyarrow.array(texts, kind)
        yield f"Arrow {kind} slice", pyarrow.array(["x", *texts, "y"], kind)[1:4]
    yield "Arrow chunks", pyarrow.chunked_array([texts[:1], texts[1:]])
    yield "Arrow dictionary", pyarrow.array(texts).dictionary_encode()
    yield "Arrow column", pyarrow.table({"tree": texts})["tree"]


@pytest.mark.parametrize("name, X", list(columns()), ids=lambda value: value if isinstance(value, str) else "")
def test_columns_of_trees(name, X):
    expected = TreeKernel().fit_transform([TREE, "(A a)", "(Ä ö)"])
    assert np.array_equal(TreeKernel().fit(X).fit_transform(X), expected)


def test_text_of_arrow_is_not_copied():
    pyarrow = pytest.importorskip("pyarrow")
    trees = pyarrow.array([TREE] * 10)
    before = pyarrow.total_allocated_bytes()
    TreeKernel().fit(trees)
    assert pyarrow.total_allocated_bytes() == before


GOOD = [TREE, "(A a)"] * 4
LABELS = ["x", "y"] * 4
CLASSIFIERS = [SparseFragmentClassifier(gap=1e-2), FragmentClassifier(max_features=10), FragmentVectorizer(max_features=10),
               TreeSVC()]
BAD_TREES = [
    ([*GOOD[:3], 7, *GOOD[4:]], TypeError, r"X\[3\].*found a int"),
    ([*GOOD[:3], None, *GOOD[4:]], TypeError, r"X\[3\].*NoneType"),
    ([*GOOD[:3], b"(A a)", *GOOD[4:]], TypeError, r"X\[3\].*bytes"),
    ([*GOOD[:3], "(A (B b)", *GOOD[4:]], ValueError, r"X\[3\]: column 1: this '\(' is never closed"),
    ([*GOOD[:3], "(A b))", *GOOD[4:]], ValueError, r"X\[3\]: column 6: unbalanced '\)'"),
    ([*GOOD[:3], "(Ä ö))", *GOOD[4:]], ValueError, r"X\[3\]: column 6: unbalanced '\)'"),
    ([*GOOD[:3], "cat", *GOOD[4:]], ValueError, r"X\[3\]: column 1"),
    ([*GOOD[:3], "", *GOOD[4:]], ValueError, r"X\[3\]"),
    ([*GOOD[:3], "(A \ud800)", *GOOD[4:]], ValueError, r"X\[3\].*surrogates"),
    ([*GOOD[:3], ("A", "b"), *GOOD[4:]], TypeError, r"X\[3\].*children of a node are a text"),
    ([*GOOD[:3], ("A", 3), *GOOD[4:]], TypeError, r"X\[3\].*children of a node are a int"),
    ([*GOOD[:3], (3, []), *GOOD[4:]], TypeError, r"X\[3\].*label is a int"),
    ([*GOOD[:3], ("", ["a"]), *GOOD[4:]], ValueError, r"X\[3\]"),
    ([*GOOD[:3], ("A\nB", ["a"]), *GOOD[4:]], ValueError, r"X\[3\]"),
    ([], ValueError, "no trees"),
    (TREE, TypeError, "one text"),
    (8, TypeError, "sequence of trees"),
    (np.zeros((8, 2)), ValueError, "shape"),
    (np.zeros(8), TypeError, "numbers"),
    (np.array([GOOD]), ValueError, "shape"),
]


@pytest.mark.parametrize("estimator", [*CLASSIFIERS, TreeKernel()], ids=lambda one: type(one).__name__)
@pytest.mark.parametrize("X, error, message", BAD_TREES, ids=lambda value: value if isinstance(value, str) else "")
def test_bad_trees(estimator, X, error, message):
    with pytest.raises(error, match=message):
        estimator.fit(X, LABELS)
    fitted = estimator.fit(GOOD, LABELS)
    with pytest.raises(error, match=message):
        (fitted.predict if hasattr(fitted, "predict") else fitted.transform)(X)


@pytest.mark.parametrize("y, error, message", [
    (["x"] * 8, ValueError, "one class"),
    (LABELS[:5], ValueError, "8 trees and y has 5"),
    ([*LABELS[:3], None, *LABELS[4:]], ValueError, r"y\[3\] is None"),
    ([1, 2, float("nan"), 1, 1, 2, 1, 2], ValueError, r"y\[2\] is nan"),
    ([1, 2, float("inf"), 1, 1, 2, 1, 2], ValueError, r"y\[2\] is inf"),
    ([0.5, 1.5, 2.25, 1, 1, 2, 1, 2], ValueError, "continuous"),
    (["1", "1.0"] * 4, ValueError, "one number"),
    (["a", "b\n"] * 4, ValueError, "blanks"),
    (None, ValueError, "y"),
    (np.zeros((8, 2)), ValueError, "shape|1d|multi"),
])
def test_bad_labels(y, error, message):
    for estimator in CLASSIFIERS:
        with pytest.raises(error, match=message):
            estimator.fit(GOOD, y)


def test_mixed_labels():
    with pytest.raises((TypeError, ValueError), match="types|mix|Unknown"):
        TreeSVC().fit(GOOD, np.array(["x", 1] * 4, dtype=object))


@pytest.mark.parametrize("weights", [[1] * 7, [float("nan")] * 8, [-1] * 8, [0] * 8, "x"])
def test_bad_weights(weights):
    with pytest.raises((ValueError, TypeError)):
        TreeSVC().fit(GOOD, LABELS, sample_weight=weights)


@pytest.mark.parametrize("parameters, message", [
    ({"kernel": "nothing"}, "nothing"), ({"kernel": "sst(lambda=2)"}, "lambda"), ({"C": 0}, "C=0"), ({"C": "x"}, "C='x'"),
    ({"C": float("nan")}, "C=nan"), ({"memory": "lots"}, "memory='lots'"), ({"n_jobs": 0}, "n_jobs=0"),
    ({"random_state": -1}, "random_state=-1"), ({"progress": 3}, "progress=3")])
def test_bad_parameters(parameters, message):
    for estimator in (SparseFragmentClassifier(**parameters), TreeSVC(**parameters), FragmentClassifier(**parameters)):
        with pytest.raises(ValueError, match=message.replace("(", r"\(")):
            estimator.fit(GOOD, LABELS)


def test_bad_words():
    for estimator, message in ((SparseFragmentClassifier(loss="hinge"), "loss='hinge'; expected one of"),
                               (TreeSVC(solver="x"), "solver='x'; expected one of"),
                               (FragmentClassifier(solver="x"), "solver='x'; expected one of"),
                               (FragmentClassifier(norm="x"), "norm='x'; expected one of")):
        with pytest.raises(ValueError, match=message):
            estimator.fit(GOOD, LABELS)


def test_bad_arrow():
    pyarrow = pytest.importorskip("pyarrow")
    fitted = TreeKernel().fit(GOOD)
    with pytest.raises(ValueError, match=r"X\[1\] is missing"):
        fitted.transform(pyarrow.array([TREE, None]))
    with pytest.raises(TypeError, match="expected strings"):
        fitted.transform(pyarrow.array([1, 2]))
    with pytest.raises(ValueError, match="one column"):
        fitted.transform(pyarrow.table({"a": [TREE]}))
    with pytest.raises(ValueError, match=r"X\[1\]: column 1"):
        fitted.transform(pyarrow.array([TREE, "(A"]))
    wrong = pyarrow.StringArray.from_buffers(1, pyarrow.py_buffer(np.array([0, 4], np.int32)), pyarrow.py_buffer(b"(\xff )"))
    with pytest.raises(ValueError, match=r"X\[0\] is not valid UTF-8"):
        fitted.transform(wrong)


def test_binary_features_are_checked():
    with pytest.raises(ValueError, match="0 and 1"):
        PolynomialPassiveAggressive(binarize=None).fit([[0, 2], [1, 0]], [0, 1])
    with pytest.raises(ValueError, match="degree=5"):
        PolynomialPassiveAggressive(degree=5).fit([[0, 1], [1, 0]], [0, 1])


CONLLU = """# text = The cat sleeps
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\t_
2\tcat\tcat\tNOUN\tNN\t_\t3\tnsubj\t_\t_
3\tsleeps\tsleep\tVERB\tVBZ\t_\t0\troot\t_\t_

"""


def test_conllu(tmp_path):
    (tmp_path / "one.conllu").write_text(CONLLU)
    expected = ["(root (nsubj (det (DET the)) (NOUN cat)) (VERB sleep))"]
    assert treeline.from_conllu(CONLLU) == expected
    assert treeline.from_conllu(tmp_path / "one.conllu") == expected
    assert treeline.from_conllu(CONLLU, structure="loct", lemmas=False, lower=True) == ["(sleeps (cat the))"]
    with pytest.raises(ValueError, match="the text:2"):
        treeline.from_conllu(CONLLU.replace("\t2\tdet", "\t9\tdet"))
    with pytest.raises(OSError):
        treeline.from_conllu(tmp_path / "none.conllu")


def test_benepar_and_stanza():
    class Span:
        class _:
            parse_string = TREE

    class Doc:
        sents = [Span(), Span()]

    class Sentence:
        constituency = STANZA

    class Document:
        sentences = [Sentence()]

    assert treeline.from_benepar(Doc()) == [TREE, TREE]
    assert treeline.from_benepar(Span()) == [TREE]
    assert treeline.from_stanza(Document()) == [TREE]
    assert treeline.from_stanza(STANZA) == [TREE]
