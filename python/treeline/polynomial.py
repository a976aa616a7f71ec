"""Online learning with conjunctions of binary features."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.preprocessing import binarize
from sklearn.utils.validation import check_is_fitted, validate_data

from . import _core
from ._base import Resources, _same_number
from ._decision import decide
from ._validation import Classes, check_number, check_progress, check_threads

__all__ = ["PolynomialPassiveAggressive"]


class PolynomialPassiveAggressive(Resources, ClassifierMixin, BaseEstimator):
    """Passive-aggressive learning with the kernel (x.y + 1)^degree of binary features, by kernel slicing (``psl``, ``psc``).

    X is a matrix, sparse or dense, of binary features; column j is feature j + 1 of the programs.

    Parameters
    ----------
    degree : int
        1 to 4.
    C : float
        Aggressiveness of ``pa1`` and ``pa2``.
    iterations : int
        Passes over the data; fewer where one has changed nothing.
    update : {"pa1", "pa2", "pa", "perceptron"}
    average : bool
        The model is the mean of the weights after each example.
    shuffle : bool
        Every pass in another order.
    binarize : float or None
        Features above it are 1, the others 0; None: X has nothing but 0 and 1, which is checked.
    method : {"sl", "sp", "ke", "pki"}
        How margins are computed: slicing, splitting, expansion, kernel. All give the same model up to rounding.
    step_norm : {"kernel", "features"}
        What a step is divided by.
    memory : str, int or None
        Bytes for explicit weights, such as "1G"; None: half of the machine's.
    random_state : int, generator or None
        Of the orders; None is 1.
    n_jobs : int or None
        Threads of predictions.
    progress : callable, True or None

    Attributes
    ----------
    classes_ : ndarray
    n_features_in_ : int
    n_support_ : int
        Support vectors of the model.
    """

    def __init__(self, degree=2, C=1, *, iterations=20, update="pa1", average=True, shuffle=False, binarize=0.0, method="sl",
                 step_norm="kernel", memory=None, random_state=None, n_jobs=None, progress=None):
        self.degree = degree
        self.C = C
        self.iterations = iterations
        self.update = update
        self.average = average
        self.shuffle = shuffle
        self.binarize = binarize
        self.method = method
        self.step_norm = step_norm
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.classifier_tags.poor_score = True  # on data that are not binary
        return tags

    def _settings(self) -> _core.PolynomialSettings:
        settings = _core.PolynomialSettings()
        settings.degree = check_number("degree", self.degree, least=1, whole=True)
        if settings.degree > 4:
            raise ValueError(f"degree={self.degree}; expected 1 to 4")
        settings.c = check_number("C", self.C, above=0)
        settings.iterations = check_number("iterations", self.iterations, least=1, whole=True)
        settings.update = str(self.update)
        settings.method = str(self.method)
        settings.step_norm = str(self.step_norm)
        settings.average = bool(self.average)
        settings.shuffle = bool(self.shuffle)
        settings.seed = self._seed()
        settings.memory = self._memory()
        return settings

    def _rows(self, X, reset: bool):
        """Offsets and columns of the features that are 1."""
        X = validate_data(self, X, reset=reset, accept_sparse="csr", dtype="numeric")
        if self.binarize is None:
            values = X.data if scipy.sparse.issparse(X) else X
            if not np.isin(values, (0, 1)).all():
                raise ValueError("X has values other than 0 and 1; expected binary features, or binarize=0.0")
            X = scipy.sparse.csr_array(X)
        else:
            X = scipy.sparse.csr_array(binarize(scipy.sparse.csr_array(X) if self.binarize >= 0 else X,
                                                threshold=self.binarize))
        X.eliminate_zeros()
        X.sort_indices()
        return X.indptr.astype(np.int64), X.indices.astype(np.int64)

    def fit(self, X, y):
        """Learns from all examples, in passes.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
        y : labels of shape (n_samples,)

        Returns
        -------
        self
        """
        settings = self._settings()
        X, y = validate_data(self, X, y, accept_sparse="csr", dtype="numeric")
        classes = Classes(y)
        ends, columns = self._rows(X, reset=True)
        self._machine = _core.PolynomialMachine.train(ends, columns, classes.labels(), settings,
                                                      check_threads(self.n_jobs), check_progress(self.progress))
        self.classes_ = classes.values
        self._texts = classes.texts
        self._online = None
        return self

    def partial_fit(self, X, y, classes=None):
        """Learns from each example once, in order, going on from where earlier calls ended. What fit() has learned is left behind.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)
        y : labels of shape (n_samples,)
        classes : labels
            All that may ever come; needed in the first call.

        Returns
        -------
        self
        """
        settings = self._settings()
        first = not hasattr(self, "classes_")
        if first and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        X, y = validate_data(self, X, y, reset=first, accept_sparse="csr", dtype="numeric")
        if classes is not None:
            known = Classes(np.unique(classes))
            if not first and not np.array_equal(known.values, self.classes_):
                raise ValueError(f"classes={list(classes)!r} is not what the first call to partial_fit was given")
            self.classes_, self._texts = known.values, known.texts
        if getattr(self, "_online", None) is None:
            self._online = _core.OnlineMachine(self._texts)
        places = np.searchsorted(self.classes_, y)
        unknown = (places == len(self.classes_)) | (self.classes_[np.minimum(places, len(self.classes_) - 1)] != y)
        if unknown.any():
            raise ValueError(f"y[{int(unknown.argmax())}] is {y[unknown.argmax()]}, which is not among the classes")
        self._online.learn(*self._rows(X, reset=False), [self._texts[place] for place in places], settings,
                           check_progress(self.progress))
        self._machine = self._online.machine(settings)
        return self

    def __getstate__(self):
        state = super().__getstate__().copy()
        if "_machine" in state:
            with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
                self._machine.write(os.path.join(folder, "model"))
                state["_machine"] = Path(folder, "model").read_bytes()
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_machine" in state:
            with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
                Path(folder, "model").write_bytes(state["_machine"])
                self._machine = _core.PolynomialMachine.read(os.path.join(folder, "model"), self._memory())

    @property
    def n_support_(self) -> int:
        check_is_fitted(self)
        return len(self._machine)

    def _margins(self, X) -> np.ndarray:
        check_is_fitted(self)
        return self._machine.margins(*self._rows(X, reset=False), check_threads(self.n_jobs))

    def _columns(self) -> list[int]:
        labels = self._machine.labels
        return [labels.index(text) if text in labels else _same_number(labels, text) for text in self._texts]

    def decision_function(self, X) -> np.ndarray:
        """Margins; of two classes, positive for ``classes_[1]``.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
        """
        margins = self._margins(X)
        columns = self._columns()
        if margins.shape[1] == 1:
            return margins[:, 0] if columns[1] == 0 else -margins[:, 0]
        return np.ascontiguousarray(margins[:, columns])

    def predict(self, X) -> np.ndarray:
        """The class of each row.

        Parameters
        ----------
        X : matrix of shape (n_samples, n_features)

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        chosen = decide(self._margins(X))
        return self.classes_[np.argsort(self._columns())[chosen]]

    def save(self, path) -> None:
        """Writes the model file that ``psl`` writes, for ``psc``."""
        check_is_fitted(self)
        self._machine.write(os.fspath(path))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_machine")
