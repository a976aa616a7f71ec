"""Dictionaries, tables, explanations and drawings."""

import os
import pickle
import signal
import threading
import time

import numpy as np
import pytest

import treeline
from treeline import FragmentVectorizer, SparseFragmentClassifier, TreeKernel, TreeSVC


@pytest.fixture(scope="module")
def fitted(sample):
    trees, labels, _, _ = sample
    return SparseFragmentClassifier(gap=1e-3).fit(trees[:200], labels[:200])


def test_dictionary(fitted, tmp_path):
    dictionary = fitted.dictionary_
    assert len(dictionary) == len(list(dictionary)) == len(dictionary.table())
    first = dictionary[0]
    assert first == next(iter(dictionary)) and dictionary[-len(dictionary)] == first
    assert dictionary.find(first["fragment"]) == 0 and first["fragment"] in dictionary
    assert dictionary.find("(NOTHING)") is None
    with pytest.raises(ValueError, match="column"):
        dictionary.find("(NP")
    with pytest.raises(IndexError):
        dictionary[len(dictionary)]
    assert dictionary[1:4]["fragment"] == dictionary.table()["fragment"][1:4]
    assert len(dictionary.top(3)) == 3
    assert abs(dictionary.top(1, "+1")["relevance"][0]) == max(abs(dictionary.table()["relevance"]))
    with pytest.raises(ValueError, match="class"):
        dictionary.top(3, "none")
    dictionary.save(tmp_path / "dict")
    assert treeline.Dictionary(tmp_path / "dict").digest == dictionary.digest
    assert pickle.loads(pickle.dumps(dictionary)).digest == dictionary.digest
    with pytest.raises((ValueError, OSError, RuntimeError)):
        treeline.Dictionary(tmp_path / "none")


def test_tables_cross_by_arrow(fitted):
    pyarrow = pytest.importorskip("pyarrow")
    pandas = pytest.importorskip("pandas")
    table = pyarrow.table(fitted.fragments_)
    assert table.schema.names == fitted.fragments_.column_names
    assert table["fragment"].to_pylist() == fitted.fragments_["fragment"]
    assert table.equals(fitted.dictionary_.to_arrow())
    frame = fitted.fragments_.to_pandas()
    pandas.testing.assert_frame_equal(frame, pandas.DataFrame(table.to_pydict()), check_dtype=False)


def test_explanations_add_up(fitted, sample):
    tree = sample[2][0]
    why = fitted.explain(tree)
    assert why.label == fitted.predict([tree])[0]
    total = sum(one["product"] for one in why.contributions) + why.rest + why.bias
    assert total == pytest.approx(why.decision)
    assert why.contributions[0]["fragment"] in repr(why)
    assert "<svg" in why._repr_html_()
    both = fitted.explain(sample[2][:2], count=2)
    assert len(both) == 2 and len(both[1].contributions) == 2 and both[1].rest_count > 0


def test_drawings(fitted):
    assert "<svg" in treeline.Tree("(NP (DT the) (NN <cat>))")._repr_html_()
    assert "&lt;cat&gt;" in treeline.Tree("(NP (DT the) (NN <cat>))")._repr_html_()
    assert fitted.fragments_._repr_html_().count("<svg") == min(10, len(fitted.fragments_))
    assert "fragments" in fitted.dictionary_._repr_html_()


def test_progress_is_told(small):
    trees, labels, _, _ = small
    told = []
    SparseFragmentClassifier(gap=1e-2, progress=lambda *event: told.append(event)).fit(trees, labels)
    assert told and all(isinstance(task, str) and done >= 0 for task, done, _ in told)

    def fail(task, done, total):
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        TreeKernel(progress=fail).fit_transform(trees * 40)


def test_interrupts_end_the_work(sample):
    trees, labels, _, _ = sample
    svc = TreeKernel("ptk")
    threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        for _ in range(1000):
            svc.fit_transform(trees)
    assert time.monotonic() - begin < 30


def test_others_run_while_the_library_works(sample):
    trees, labels, _, _ = sample
    counted = 0
    done = threading.Event()

    def work():
        TreeKernel("ptk").fit_transform(trees)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    while not done.is_set():
        counted += 1
        time.sleep(0.001)
    thread.join()
    assert counted > 1


def test_from_dictionary(fitted, sample):
    vectorizer = FragmentVectorizer.from_dictionary(fitted.dictionary_)
    X = vectorizer.transform(sample[2][:20])
    model = fitted._classifier
    weights = np.array(fitted.fragments_["relevance"])
    assert X.shape == (20, len(weights))
    assert model.labels[0] == "+1"
    scores = np.where(fitted.classes_[1] == "+1", 1, -1) * fitted.decision_function(sample[2][:20])
    assert np.allclose(X @ weights + fitted.explain(sample[2][0]).bias, scores, atol=1e-5)


def test_models_of_vectors_need_no_dictionary(fitted, sample, tmp_path):
    fitted.save(tmp_path / "model")
    model = treeline.LinearModel(tmp_path / "model/model.linear")
    with pytest.raises(ValueError, match="dictionary"):
        model.predict(sample[2][:2])
    assert model.labels == ["+1", "-1"] and model.weights.shape[1] == 1


def test_damaged_files(tmp_path):
    (tmp_path / "model").write_text("nothing\n")
    with pytest.raises(ValueError, match="model:1"):
        treeline.KernelModel(tmp_path / "model")
    with pytest.raises(ValueError, match="model"):
        treeline.LinearModel(tmp_path / "model")
    with pytest.raises(ValueError):
        treeline.read_vectors(tmp_path / "model")
    with pytest.raises(OSError):
        treeline.KernelModel(tmp_path / "none")


def test_values_that_are_no_numbers_decide_nothing(small, tmp_path):
    trees, labels, _, _ = small
    TreeSVC().fit(trees, labels).save(tmp_path / "model.svm")
    lines = (tmp_path / "model.svm").read_text().splitlines()
    head = [line.rstrip() for line in lines if "|BT|" not in line and not line.startswith("# digest")]
    vectors = [line.split(" ", 1) for line in lines if "|BT|" in line]
    large = [("-1e308 " if number.startswith("-") else "1e308 ") + tree for number, tree in vectors]
    at = next(i for i, line in enumerate(head) if "threshold b" in line) + 1
    (tmp_path / "large.svm").write_text("\n".join(head[:at] + large + head[at:]) + "\n")
    with pytest.raises(ValueError, match="not a finite number"):
        treeline.KernelModel(tmp_path / "large.svm").predict(trees)


def test_weights_are_costs(small):
    trees, labels, _, _ = small
    weights = np.ones(len(trees))
    assert np.array_equal(TreeSVC().fit(trees, labels, weights).decision_function(trees),
                          TreeSVC().fit(trees, labels).decision_function(trees))
    weights[:100] = 1e-6
    without = TreeSVC().fit(trees[100:], labels[100:])
    assert np.mean(TreeSVC().fit(trees, labels, weights).predict(trees) == without.predict(trees)) > 0.98
