"""ten_lines.py FOLDER: what the README promises, with the package that is installed: its lines, and an import within 0.3 s."""

import gzip
import subprocess
import sys
import time
from pathlib import Path

data = Path(sys.argv[1])
IMPORT = "import time; begin = time.perf_counter(); import treeline; print(time.perf_counter() - begin)"


def read(name):
    with gzip.open(data / name, "rt", encoding="utf-8") as file:
        labels, trees = zip(*(line.rstrip("\n").split("\t") for line in file))
    return list(trees), list(labels)


train, test = ("sample.train.gz", "sample.test.gz") if (data / "sample.train.gz").exists() else (
    "qc_const_train.tsv.gz", "qc_const_test.tsv.gz")
trees, labels = read(train)
test_trees, test_labels = read(test)
labels, test_labels = ([label.split(":")[0] for label in some] for some in (labels, test_labels))

from treeline import SparseFragmentClassifier

begin = time.perf_counter()
clf = SparseFragmentClassifier(kernel="sst(lambda=0.4)", C=1).fit(trees, labels)
score = clf.score(test_trees, test_labels)
print(clf.fragments_.to_pandas().head())
print(clf.explain(test_trees[0]))
print(f"{len(trees)} trees, {len(clf.fragments_)} fragments, accuracy {score:.4f}, {time.perf_counter() - begin:.1f} s")
assert score > 0.8, score
assert "<svg" in clf.explain(test_trees[0])._repr_html_()

seconds = min(float(subprocess.run([sys.executable, "-I", "-c", IMPORT], check=True, capture_output=True, text=True).stdout)
              for _ in range(5))
print(f"import: {seconds:.3f} s")
assert seconds < 0.3, seconds
