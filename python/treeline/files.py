"""Files of the programs, in Python."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import scipy.sparse

from . import _core
from ._decision import decide
from ._html import as_html, escape
from .explanations import Explanation
from .trees import as_trees

__all__ = ["Dictionary", "FragmentTable", "KernelModel", "LinearModel", "Vectors", "read_vectors", "write_vectors"]


class FragmentTable:
    """Fragments as a table; Arrow data without a copy (``pyarrow.table(x)``, ``polars.from_arrow(x)``).

    Columns: id, fragment (its text), relevance, class, size (productions), nodes, depth, count.
    """

    def __init__(self, table: _core.ArrowTable):
        self._table = table

    def __len__(self) -> int:
        return len(self._table)

    @property
    def column_names(self) -> list[str]:
        return self._table.column_names()

    def __getitem__(self, name: str):
        """A column: numbers as an array, texts as a list."""
        return self._table.column(name)

    def __arrow_c_stream__(self, requested_schema=None):
        return self._table.__arrow_c_stream__(requested_schema)

    def to_dict(self) -> dict:
        return {name: self[name] for name in self.column_names}

    def to_pandas(self):
        """A ``pandas.DataFrame``."""
        import pandas

        return pandas.DataFrame(self.to_dict())

    def to_arrow(self):
        """A ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def __repr__(self) -> str:
        lines = [f"{relevance:+.6f}  {label}  {text}" for relevance, label, text in
                 zip(self["relevance"][:10], self["class"][:10], self["fragment"][:10])]
        return "\n".join([f"FragmentTable of {len(self)} fragments", *lines, *(["..."] if len(self) > 10 else [])])

    def _repr_html_(self) -> str:
        rows = "".join(
            f'<tr><td class="number">{number}</td><td class="number {"for" if relevance > 0 else "against"}">{relevance:+.6f}</td>'
            f"<td>{escape(label)}</td><td><code>{escape(text)}</code></td><td>{_core.fragment_svg(text)}</td></tr>"
            for number, relevance, label, text, _ in
            zip(self["id"], self["relevance"], self["class"], self["fragment"], range(10)))
        head = "<tr><th></th><th>relevance</th><th>class</th><th>fragment</th><th></th></tr>"
        return as_html(f"<p>{len(self)} fragments</p><table>{head}{rows}</table>")


class Dictionary(Sequence):
    """A fragment dictionary: a folder that ``fmi`` or ``fpl`` has written, or an estimator.

    Fragments are numbered by rank. ``len``, iteration, ``d[7]`` (a dict), slices (a FragmentTable).

    Parameters
    ----------
    path : path
        The folder. It stays where it is; a pickle holds its files.
    """

    def __init__(self, path):
        self._core = _core.Dictionary(os.fspath(path))
        self._folder = None

    @classmethod
    def _own(cls, folder: tempfile.TemporaryDirectory, path) -> Dictionary:
        """Keeps a temporary folder as long as the dictionary."""
        dictionary = cls(path)
        dictionary._folder = folder
        return dictionary

    @property
    def path(self) -> Path:
        return Path(self._core.path)

    @property
    def digest(self) -> str:
        """Of the content; vectors and models made with the dictionary repeat it."""
        return self._core.digest

    @property
    def kernel(self) -> str:
        return self._core.kernel

    @property
    def classes(self) -> list[str]:
        return self._core.classes()

    @property
    def models(self) -> list[dict]:
        """What the fragments were mined from, with the norm that they retain."""
        return self._core.models

    def __len__(self) -> int:
        return len(self._core)

    def __getitem__(self, number):
        if isinstance(number, slice):
            begin, end, step = number.indices(len(self))
            if step != 1:
                raise ValueError("slices of a dictionary have no step")
            return FragmentTable(self._core.table(begin, max(begin, end)))
        at = number + len(self) if number < 0 else number
        if not 0 <= at < len(self):
            raise IndexError(f"fragment {number} of {len(self)}")
        return self._core.get(at)

    def __iter__(self) -> Iterator[dict]:
        table = FragmentTable(self._core.table(0, len(self)))
        names = table.column_names
        for row in zip(*(table[name] for name in names)):
            yield {name: value.item() if isinstance(value, np.generic) else value for name, value in zip(names, row)}

    def find(self, fragment: str) -> int | None:
        """The number of a fragment, written as ``(NP (DT) (NN cat))``; None where it is not there."""
        return self._core.find(fragment)

    def __contains__(self, fragment) -> bool:
        return self.find(fragment) is not None

    def top(self, count: int = 20, label=None) -> FragmentTable:
        """The most relevant fragments, of all classes or for one."""
        if label is None:
            return self[:count]
        return FragmentTable(self._core.top_of_class(count, str(label)))

    def table(self) -> FragmentTable:
        return self[:]

    def to_arrow(self):
        """A ``pyarrow.Table`` of all fragments."""
        return self.table().to_arrow()

    def save(self, path) -> None:
        """Copies the folder, for the programs."""
        shutil.copytree(self.path, path)

    def __reduce__(self):
        return _unpack_dictionary, ({str(file.relative_to(self.path)): file.read_bytes()
                                     for file in sorted(self.path.rglob("*")) if file.is_file()},)

    def __repr__(self) -> str:
        return f"<treeline.Dictionary of {len(self)} fragments, {self.kernel}>"

    def _repr_html_(self) -> str:
        return self.table()._repr_html_()


def _unpack_dictionary(files: dict[str, bytes]) -> Dictionary:
    folder = tempfile.TemporaryDirectory(prefix="treeline-")
    path = Path(folder.name) / "dict"
    for name, content in files.items():
        file = path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content)
    return Dictionary._own(folder, path)


class Vectors(NamedTuple):
    """Explicit vectors of examples, in the order of their ids."""

    X: scipy.sparse.csr_array  #: float32, a column a feature
    labels: list[str]
    ids: np.ndarray
    weights: np.ndarray
    info: dict  #: kernel, norm, vectors, fragments, dictionary (its digest)


def read_vectors(path) -> Vectors:
    """Vectors that ``tfx`` has written: a folder of parts, or one Arrow file.

    ``X, labels, *_ = read_vectors("vectors/")``; indices of columns are those of the dictionary's fragments.
    """
    (ends, indices, values), ids, labels, weights, info = _core.read_vectors(os.fspath(path))
    columns = max(info["fragments"], int(indices.max()) + 1 if len(indices) else 0)
    X = scipy.sparse.csr_array((values, indices, ends), shape=(len(labels), columns))
    return Vectors(X, labels, ids, weights, info)


def write_vectors(path, X, labels, info: dict) -> None:
    """Vectors as an Arrow file that ``esl`` and ``esc`` read.

    Parameters
    ----------
    path : path
        The file, such as ``vectors.arrow``.
    X : sparse matrix of shape (n_samples, n_features)
        Written as float32.
    labels : sequence of length n_samples
    info : dict
        What the vectors mean, as ``read_vectors`` and ``FragmentVectorizer.info_`` have it.
    """
    X = scipy.sparse.csr_array(X, dtype=np.float32)
    X.sort_indices()
    labels = [str(label) for label in labels]
    if len(labels) != X.shape[0]:
        raise ValueError(f"X has {X.shape[0]} rows and there are {len(labels)} labels")
    _core.write_vectors(os.fspath(path), X.indptr.astype(np.int64), X.indices.astype(np.int32), X.data, labels, info)


class LinearModel:
    """A linear model that ``esl``, ``fpl`` or an estimator has written, with its dictionary where trees are to be classified.

    Parameters
    ----------
    path : path
        ``model.linear``.
    dictionary : path, optional
        The dictionary that the model is over; without it the model knows vectors only.
    """

    def __init__(self, path, dictionary=None):
        self._values = _core.read_linear_model(os.fspath(path))
        self._core = None if dictionary is None else _core.TreeClassifier.read(os.fspath(dictionary), os.fspath(path))

    @property
    def labels(self) -> list[str]:
        """As the model orders them: of two classes the positive one first."""
        return self._values["labels"]

    @property
    def weights(self) -> np.ndarray:
        """(features, columns), the constant feature's last where ``bias`` is not below 0."""
        return self._values["weights"]

    @property
    def bias(self) -> float:
        return self._values["bias"]

    @property
    def info(self) -> dict:
        return {name: self._values[name] for name in ("solver", "kernel", "norm", "fragments", "dictionary", "features")}

    def decision_function(self, X) -> np.ndarray:
        """One column a class, or a single one that is positive for the first of two. X: trees, or vectors as ``tfx`` makes them."""
        if scipy.sparse.issparse(X) or (isinstance(X, np.ndarray) and X.dtype.kind == "f"):
            return self._decide_vectors(scipy.sparse.csr_array(X))
        return self._trees().decide(as_trees(X), False, 0, None)

    def _decide_vectors(self, X) -> np.ndarray:
        """Sums in the order of the indices, the constant feature last, as the programs do."""
        weights, features = self.weights, self._values["features"]
        values = np.zeros((X.shape[0], weights.shape[1]))
        for row in range(X.shape[0]):
            for at in range(X.indptr[row], X.indptr[row + 1]):
                if X.indices[at] < features:
                    values[row] += weights[X.indices[at]] * np.float64(X.data[at])
        return values + self.bias * weights[features] if self.bias >= 0 else values

    def predict(self, X) -> list[str]:
        return [self.labels[number] for number in decide(self.decision_function(X))]

    def explain(self, X, count: int = 10) -> list[Explanation]:
        return [Explanation(one) for one in self._trees().explain(as_trees(X), count)]

    def _trees(self) -> _core.TreeClassifier:
        if self._core is None:
            raise ValueError("the model knows vectors only; give its dictionary: LinearModel(path, dictionary)")
        return self._core

    def __repr__(self) -> str:
        return f"<treeline.LinearModel of {self._values['features']} features, classes {', '.join(self.labels)}>"


class KernelModel:
    """Kernel machines that ``ksl``, ``fsl`` or an estimator has written: a file, or a folder of them.

    Parameters
    ----------
    path : path
    """

    def __init__(self, path):
        self._core = _core.KernelClassifier.read(os.fspath(path))

    @property
    def labels(self) -> list[str]:
        return self._core.labels

    @property
    def kernel(self) -> str:
        return self._core.kernel

    @property
    def support(self) -> list[str]:
        """Trees of the support vectors."""
        return self._core.support()

    @property
    def machines(self) -> list[tuple]:
        """Of each: positive class, numbers of its support vectors, their coefficients, threshold."""
        return self._core.coefficients()

    def decision_function(self, X) -> np.ndarray:
        return self._core.decide(as_trees(X), 0, None)

    def predict(self, X) -> list[str]:
        return [self.labels[number] for number in decide(self.decision_function(X))]

    def __repr__(self) -> str:
        return f"<treeline.KernelModel of {len(self.support)} support vectors, {self.kernel}>"
