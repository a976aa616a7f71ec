"""Record batches, alone and inside Spark and Dask: the rows of tfx."""

import importlib.util
import shutil
import subprocess
import sys

import pytest
from conftest import PROGRAMS, write_examples

import treeline
from treeline import FragmentVectorizer

pyarrow = pytest.importorskip("pyarrow")


@pytest.fixture(scope="module")
def extracted(sample, tmp_path_factory):
    """A vectorizer, a table of trees, and the rows that tfx makes of them."""

    trees, labels, test_trees, test_labels = sample
    vectorizer = FragmentVectorizer(max_features=300).fit(trees[:300], labels[:300])
    folder = tmp_path_factory.mktemp("batch")
    vectorizer.dictionary_.save(folder / "dict")
    subprocess.run([PROGRAMS / "tfx", "--dictionary", folder / "dict", "--input",
                    write_examples(folder / "test.tsv", test_trees, test_labels), "--output", folder / "vectors"],
                   check=True, capture_output=True)
    table = pyarrow.table({"id": range(len(test_trees)), "tree": test_trees, "label": test_labels})
    return vectorizer, table, pyarrow.ipc.open_file(folder / "vectors/part-00000-of-00001.arrow").read_all(), folder / "dict"


def test_batch_is_that_of_tfx(extracted):
    vectorizer, table, expected, dictionary = extracted
    batch = vectorizer.transform_batch(table.combine_chunks().to_batches()[0], label="label", id="id")
    assert batch.schema.equals(expected.schema)
    # The digests of its batches are the file's own.
    assert {**batch.schema.metadata, b"treeline.digests": b"xxh128"} == expected.schema.metadata
    assert pyarrow.table(batch).to_pydict() == expected.to_pydict()
    batches = [treeline.transform_batch(part, dictionary, label="label", id="id") for part in table.to_batches(100)]
    assert pyarrow.Table.from_batches(batches).to_pydict() == expected.to_pydict()
    numbered = treeline.transform_batch(table.slice(5, 3), dictionary, first=5)
    assert numbered["id"].to_pylist() == [5, 6, 7] and numbered["label"].to_pylist() == ["", "", ""]


def test_written_batches_are_the_bytes_of_tfx(extracted, tmp_path):
    vectorizer, table, expected, dictionary = extracted
    treeline.write_vectors(tmp_path / "own.arrow", vectorizer.transform(table["tree"]), table["label"].to_pylist(),
                           vectorizer.info_)
    assert (tmp_path / "own.arrow").read_bytes() == (dictionary.parent / "vectors/part-00000-of-00001.arrow").read_bytes()


def test_bad_batches(extracted):
    vectorizer, table, _, _ = extracted
    with pytest.raises(ValueError, match="no column 'forest'"):
        vectorizer.transform_batch(table, tree="forest")
    with pytest.raises(ValueError, match="types='x'"):
        vectorizer.transform_batch(table, types="x")
    with pytest.raises(TypeError, match="record batch"):
        vectorizer.transform_batch(table["tree"])
    with pytest.raises(TypeError, match="whole numbers"):
        vectorizer.transform_batch(table, id="tree")


def rows_of(rows):
    return sorted((row["id"], row["label"], list(row["indices"]), [float(value) for value in row["values"]]) for row in rows)


@pytest.mark.skipif(not importlib.util.find_spec("pyspark") or not shutil.which("java"),
                    reason="pyspark and Java; scripts/setup --ci installs them")
def test_spark(extracted, monkeypatch):
    from pyspark.sql import SparkSession

    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    _, table, expected, dictionary = extracted
    path = str(dictionary)

    def vectors(batches):
        for batch in batches:
            yield treeline.transform_batch(batch, path, label="label", id="id", types="spark")

    spark = (SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
             .config("spark.sql.shuffle.partitions", "4").config("spark.driver.bindAddress", "127.0.0.1")
             .config("spark.driver.host", "127.0.0.1").getOrCreate())
    try:
        frame = spark.createDataFrame(table.to_pandas()).repartition(4)
        assert frame.rdd.getNumPartitions() == 4
        result = frame.mapInArrow(vectors, "id long, label string, indices array<int>, values array<float>").collect()
    finally:
        spark.stop()
    assert rows_of(row.asDict() for row in result) == rows_of(expected.to_pylist())


def test_dask(extracted):
    dask = pytest.importorskip("dask")
    _, table, expected, dictionary = extracted
    path = str(dictionary)
    parts = [dask.delayed(treeline.transform_batch)(part, path, label="label", id="id") for part in table.to_batches(200)]
    result = pyarrow.Table.from_batches(dask.compute(*parts, scheduler="threads"))
    assert rows_of(result.to_pylist()) == rows_of(expected.to_pylist())
