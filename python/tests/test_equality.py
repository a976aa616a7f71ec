"""Results are those of the programs, to the last bit."""

import numpy as np
import pytest
from conftest import DATA, ROOT, read_examples, write_examples

import treeline
from treeline import FragmentClassifier, FragmentVectorizer, SparseFragmentClassifier, TreeKernel, TreeSVC

SETS = {
    "sample": (ROOT / "data/sample.train.gz", ROOT / "data/sample.test.gz", 600, 200),
    "questions": (DATA / "qc/qc_const_train.tsv.gz", DATA / "qc/qc_const_test.tsv.gz", 500, 200),
    "roles": (DATA / "srl/ewt.train.rm.tsv.gz", DATA / "srl/ewt.dev.rm.tsv.gz", 600, 200),
    "boundaries": (DATA / "srl/ewt.train.bc.dat.gz", DATA / "srl/ewt.dev.bc.dat.gz", 1500, 500),
}


@pytest.fixture(scope="module", params=[pytest.param(name, marks=[] if name == "sample" else pytest.mark.data) for name in SETS])
def examples(request, tmp_path_factory):
    """Trees and labels, and the same as files."""
    train_path, test_path, train_count, test_count = SETS[request.param]
    if not train_path.exists():
        pytest.skip("skipped: no data folder")
    trees, labels = read_examples(train_path, train_count)
    test_trees, test_labels = read_examples(test_path, test_count)
    labels = [label.split(":")[0] for label in labels]
    test_labels = [label.split(":")[0] for label in test_labels]
    folder = tmp_path_factory.mktemp(request.param)
    return (trees, labels, write_examples(folder / "train.tsv", trees, labels),
            test_trees, test_labels, write_examples(folder / "test.tsv", test_trees, test_labels))


def predictions(path, classes):
    """Labels and decision values of a file of predictions, in the order of scikit-learn's classes, and as they are."""
    head, *rows = [line.split("\t") for line in path.read_text().splitlines()]
    values = np.array([[float(value) for value in row[3:]] for row in rows])
    labels = [name.removeprefix("value:") for name in head[3:]]
    if len(labels) == 1:
        ordered = values[:, 0] if labels[0] == classes[1] else -values[:, 0]
    else:
        ordered = values[:, [labels.index(label) for label in classes]]
    return [row[2] for row in rows], ordered, values


def test_sparse_model_is_that_of_fpl(examples, program, tmp_path):
    trees, labels, train, test_trees, _, test = examples
    clf = SparseFragmentClassifier(C=1, gap=1e-3).fit(trees, labels)
    program("fpl", "--input", train, "--output", tmp_path / "fpl", "-c", 1, "--gap", 1e-3)
    clf.save(tmp_path / "own")
    # The last line names the dictionary, whose digest has that of the input file.
    def weights(path):
        return (path / "model.linear").read_text().split("\ntreeline ")[0]

    assert weights(tmp_path / "own") == weights(tmp_path / "fpl")
    own, other = clf.fragments_.to_dict(), treeline.Dictionary(tmp_path / "fpl/dict").table().to_dict()
    for name, column in own.items():
        assert np.array_equal(column, other[name]), name
    for folder in ("own", "fpl"):
        program("esc", "--model", tmp_path / folder / "model.linear", "--dictionary", tmp_path / folder / "dict",
                "--trees", test, "--output", tmp_path / f"{folder}.tsv")
    assert (tmp_path / "own.tsv").read_bytes() == (tmp_path / "fpl.tsv").read_bytes()
    named, ordered, values = predictions(tmp_path / "fpl.tsv", clf.classes_.tolist())
    assert clf.predict(test_trees).tolist() == named
    assert np.array_equal(clf.decision_function(test_trees), ordered)


def test_pipeline_is_that_of_the_programs(examples, program, tmp_path):
    trees, labels, train, test_trees, test_labels, test = examples
    clf = FragmentClassifier(C=1, max_features=500, n_splits=2, random_state=3).fit(trees, labels)
    program("fsl", "--input", train, "--output", tmp_path / "models", "--splits", 2, "--seed", 3)
    program("fmi", "--models", tmp_path / "models", "--output", tmp_path / "dict", "--top", 500)
    program("tfx", "--dictionary", tmp_path / "dict", "--input", train, "--output", tmp_path / "vectors")
    program("tfx", "--dictionary", tmp_path / "dict", "--input", test, "--output", tmp_path / "test")
    program("esl", "--input", tmp_path / "vectors", "--output", tmp_path / "model.linear", "-c", 1, "--seed", 3)
    assert clf.dictionary_.digest == treeline.Dictionary(tmp_path / "dict").digest
    clf.save(tmp_path / "own")
    assert (tmp_path / "own/model.linear").read_bytes() == (tmp_path / "model.linear").read_bytes()

    vectorizer = FragmentVectorizer(max_features=500, n_splits=2, random_state=3, n_jobs=-1).fit(trees, labels)
    assert vectorizer.dictionary_.digest == clf.dictionary_.digest
    X = vectorizer.transform(test_trees)
    read = treeline.read_vectors(tmp_path / "test")
    assert read.labels == test_labels
    for name in ("indptr", "indices", "data"):
        assert np.array_equal(getattr(X, name), getattr(read.X, name))
    treeline.write_vectors(tmp_path / "own.arrow", X, test_labels, vectorizer.info_)
    assert (tmp_path / "own.arrow").read_bytes() == (tmp_path / "test/part-00000-of-00001.arrow").read_bytes()

    program("esc", "--model", tmp_path / "model.linear", "--input", tmp_path / "own.arrow", "--output",
            tmp_path / "esc.tsv")
    named, ordered, values = predictions(tmp_path / "esc.tsv", clf.classes_.tolist())
    assert clf.predict(test_trees).tolist() == named
    assert np.array_equal(clf.decision_function(test_trees), ordered)
    model = treeline.LinearModel(tmp_path / "model.linear", tmp_path / "dict")
    assert model.predict(test_trees) == named
    assert np.array_equal(model.decision_function(test_trees), values)
    assert np.array_equal(model.decision_function(X), values)


@pytest.mark.parametrize("solver", ["smo", "usvm"])
def test_kernel_machine_is_that_of_ksl(examples, program, tmp_path, solver):
    trees, labels, train, test_trees, _, test = examples
    svc = TreeSVC(solver=solver, sample=100).fit(trees, labels)
    program("ksl", "--input", train, "--output", tmp_path / "ksl", "--solver", solver, "--sample", 100)
    svc.save(tmp_path / "own")
    files = [tmp_path / "own"] if (tmp_path / "own").is_file() else sorted((tmp_path / "own").glob("*.svm"))
    assert files
    for file in files:
        assert file.read_bytes() == (tmp_path / "ksl" / file.relative_to(tmp_path / "own")).read_bytes()
    program("ksc", "--model", tmp_path / "ksl", "--input", test, "--output", tmp_path / "ksc.tsv")
    named, ordered, values = predictions(tmp_path / "ksc.tsv", svc.classes_.tolist())
    assert svc.predict(test_trees).tolist() == named
    assert np.array_equal(svc.decision_function(test_trees), ordered)
    for path in ("own", "ksl"):
        model = treeline.KernelModel(tmp_path / path)
        assert model.predict(test_trees) == named
        assert np.array_equal(model.decision_function(test_trees), values)


@pytest.mark.parametrize("kernel", ["sst(lambda=0.4)", "ptk", "0.5*sst-bow+ptk(norm=none)"])
def test_kernel_values_are_those_of_ksm(examples, program, tmp_path, kernel):
    trees, _, train, test_trees, _, test = examples
    own = TreeKernel(kernel).fit(trees[:100])
    program("ksm", "--matrix", "--kernel", kernel, "--input", test, "--other", train, "--limit", 100, "--output",
            tmp_path / "matrix.npy")
    assert np.array_equal(own.transform(test_trees[:100]), np.load(tmp_path / "matrix.npy"))
    program("ksm", "--matrix", "--kernel", kernel, "--input", train, "--limit", 100, "--output", tmp_path / "square.npy")
    assert np.array_equal(own.fit_transform(trees[:100]), np.load(tmp_path / "square.npy"))


def test_results_do_not_depend_on_threads(small):
    trees, labels, test_trees, _ = small
    for estimator in (SparseFragmentClassifier(gap=1e-3), FragmentClassifier(max_features=200), TreeSVC()):
        one = estimator.set_params(n_jobs=1).fit(trees, labels).decision_function(test_trees)
        four = estimator.set_params(n_jobs=4).fit(trees, labels).decision_function(test_trees)
        assert np.array_equal(one, four)
