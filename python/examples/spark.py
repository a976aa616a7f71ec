#!/usr/bin/env python3
"""spark.py DICTIONARY TREES.tsv OUTPUT: vectors of `LABEL<TAB>tree` lines, made by Spark on four partitions.

The dictionary (of fmi or fpl) must be a folder that all workers see. What is written to OUTPUT (Parquet) are the rows of
`tfx --dictionary DICTIONARY --input TREES.tsv`: id, label, indices, values.
"""

import sys

import pyarrow
from pyspark.sql import SparkSession

import treeline


def vectors_of(dictionary):
    """What mapInArrow calls on each partition; the dictionary is opened once a worker."""

    def vectors(batches):
        for batch in batches:
            yield treeline.transform_batch(batch, dictionary, label="label", id="id", types="spark")

    return vectors


def main(dictionary, trees, output):
    with open(trees, encoding="utf-8") as lines:
        labels, texts = zip(*(line.rstrip("\n").split("\t", 1) for line in lines))
    table = pyarrow.table({"id": range(len(texts)), "label": labels, "tree": texts})
    spark = SparkSession.builder.master("local[*]").getOrCreate()
    frame = spark.createDataFrame(table.to_pandas()).repartition(4)
    frame.mapInArrow(vectors_of(dictionary), "id long, label string, indices array<int>, values array<float>").write.parquet(output)
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
