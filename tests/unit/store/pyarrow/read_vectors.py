#!/usr/bin/env python3
"""read_vectors.py WRITE_VECTORS: what that program writes opens in pyarrow and says the same as the text beside it.

Where this interpreter has no pyarrow, the one that TREELINE_PYTHON names is tried, or that of scripts/setup --ci. Exit code
77 (skipped) where there is none.
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

try:
    import pyarrow
    import pyarrow.ipc
except ImportError:
    set_up = Path(__file__).resolve().parents[4] / "build/deps/python/bin/python3"
    other = os.environ.get("TREELINE_PYTHON") or str(set_up)
    if os.path.exists(other) and os.path.abspath(other) != os.path.abspath(sys.executable):
        os.execv(other, [other, "-B", *sys.argv])
    print("skipped: pyarrow is not installed; scripts/setup --ci does that")
    sys.exit(77)


def read_text(path):
    rows = []
    for line in path.read_text(encoding="utf-8").splitlines():
        label, *entries = line.split(" ")
        pairs = [entry.split(":") for entry in entries]
        rows.append((label, [int(index) - 1 for index, _ in pairs], [float(value) for _, value in pairs]))
    return rows


def main():
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.argv[1], folder], check=True)
        expected = read_text(Path(folder) / "vectors.svm")
        for name in ("vectors", "numbers", "compressed"):
            with pyarrow.memory_map(str(Path(folder) / f"{name}.arrow")) as source:
                table = pyarrow.ipc.open_file(source).read_all()
                metadata = table.schema.metadata
                assert metadata[b"treeline.format"] == b"treeline vectors 1", metadata
                assert metadata[b"treeline.fragments"] == b"1000", metadata
                label_type = pyarrow.float64() if name == "numbers" else pyarrow.dictionary(pyarrow.int32(), pyarrow.utf8())
                types = [pyarrow.uint64(), label_type]
                assert table.schema.types[:2] == types, table.schema
                assert table.schema.names == ["id", "label", "indices", "values"], table.schema
                assert table.schema.field("indices").type.value_type == pyarrow.uint32()
                assert table.schema.field("values").type.value_type == pyarrow.float32()
                columns = table.to_pydict()
            assert columns["id"] == list(range(len(expected))), name
            labels = [f"{label:g}" if name == "numbers" else label for label in columns["label"]]
            found = list(zip(labels, columns["indices"], columns["values"]))
            assert found == expected, name
    print(f"pyarrow {pyarrow.__version__} reads {len(expected)} rows as they were written")


if __name__ == "__main__":
    main()
