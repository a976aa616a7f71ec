"""Linear classifiers over fragments of trees."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path

import numpy as np
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import Resources, TreeClassifierMixin, TreeEstimator
from ._validation import check_number
from .explanations import Explanation
from .files import Dictionary, FragmentTable
from .vectorizer import mine_dictionary

__all__ = ["FragmentClassifier", "SparseFragmentClassifier"]


def _is_logistic(self) -> bool:
    return self._gives_probabilities()


class _LinearFragmentClassifier(Resources, TreeClassifierMixin, TreeEstimator):
    """A fitted ``model_`` folder with ``dict`` and ``model.linear``, as the programs have it."""

    def _adopt(self, folder: tempfile.TemporaryDirectory) -> None:
        self._folder = folder
        path = Path(folder.name) / "model"
        self.dictionary_ = Dictionary._own(folder, path / "dict")
        self._model_text = (path / "model.linear").read_bytes()
        self._classifier = _core.TreeClassifier.read(str(path / "dict"), str(path / "model.linear"))

    def __getstate__(self):
        state = super().__getstate__().copy()
        state.pop("_folder", None)
        state.pop("_classifier", None)
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if "_model_text" in state:
            with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
                model = Path(folder) / "model.linear"
                model.write_bytes(self._model_text)
                self._classifier = _core.TreeClassifier.read(str(self.dictionary_.path), str(model))

    @property
    def fragments_(self) -> FragmentTable:
        """The fragments of the model with their relevances."""
        check_is_fitted(self)
        return self.dictionary_.table()

    def _labels(self) -> list[str]:
        return self._classifier.labels

    def _decide(self, trees) -> np.ndarray:
        threads, progress = self._resources()
        return self._classifier.decide(trees, False, threads, progress)

    @available_if(_is_logistic)
    def predict_proba(self, X) -> np.ndarray:
        """Probabilities of the classes, where the loss is logistic.

        Parameters
        ----------
        X : sequence of trees

        Returns
        -------
        ndarray of shape (n_samples, n_classes)
        """
        check_is_fitted(self)
        threads, progress = self._resources()
        values = self._classifier.decide(self._trees(X), True, threads, progress)
        return np.ascontiguousarray(values[:, self._columns()])

    @available_if(_is_logistic)
    def predict_log_proba(self, X) -> np.ndarray:
        """The logarithms of predict_proba."""
        return np.log(self.predict_proba(X))

    def explain(self, X, count: int = 10):
        """Why trees get their labels.

        Parameters
        ----------
        X : a tree, or a sequence of trees
        count : int
            Fragments that are listed; the others are summed up.

        Returns
        -------
        Explanation or list of Explanation
        """
        check_is_fitted(self)
        check_number("count", count, least=0, whole=True)
        one = isinstance(X, (str, tuple)) or hasattr(X, "label")
        trees = [X] if one else self._trees(X)
        by_label = dict(zip(np.array(self._labels(), dtype=object)[self._columns()], self.classes_))
        explained = [Explanation(each, by_label[each.predicted]) for each in self._classifier.explain(trees, count)]
        return explained[0] if one else explained

    def save(self, path) -> None:
        """Writes a folder for the programs: ``esc --model PATH/model.linear --dictionary PATH/dict``."""
        check_is_fitted(self)
        path = Path(os.fspath(path))
        path.mkdir(parents=True)
        shutil.copytree(self.dictionary_.path, path / "dict")
        (path / "model.linear").write_bytes(self._model_text)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_classifier")


class SparseFragmentClassifier(_LinearFragmentClassifier):
    """A sparse linear model over all fragments of a tree kernel, with a proof of how near to the best one it is (``fpl``).

    Minimizes ||w||_1 + l2/2 ||w||_2^2 + C sum_i c_i loss(y_i (w.x_i + b)) over the whole fragment space, a class against the rest.

    Parameters
    ----------
    kernel : str
        Whose fragments are the features: ``st sst st-bow sst-bow ptk uptk`` with ``(lambda=0.4,mu=0.4,...)``.
    C : float or "search"
        Cost of errors. ``"search"`` takes the best of a path by cross-validation over ``folds``; ``C_`` tells it.
    loss : {"squared-hinge", "logistic"}
        ``logistic`` gives probabilities.
    l2 : float
        Factor of ||w||_2^2 / 2 (elastic net).
    cost_factor : float
        Errors on examples of a question's positive class cost so many times more.
    gap : float
        Learning ends when (objective - its proven lower bound) / objective is at most this.
    max_fragments : int or None
        Follows C from small values up, and keeps the last model that has no more features.
    folds : int
        Of the search.
    memory : str, int or None
        Bytes for columns, such as "2G"; None: half of the machine's.
    random_state : int, generator or None
        Deals the folds of the search; None is 1.
    n_jobs : int or None
        Threads; -1 is all. The result does not depend on it.
    progress : callable, True or None
        Called with (task, done, total); True: bars of tqdm.

    Attributes
    ----------
    classes_ : ndarray
    fragments_ : FragmentTable
        Fragments with a weight, by relevance.
    dictionary_ : Dictionary
    C_ : float
        The C of the model.
    certificate_ : list of dict
        For each question: class, objective, bound (no model over any fragments has an objective below it), gap, whether the gap asked
        for was reached, features, rounds, patterns looked at.

    Examples
    --------
    >>> trees = ["(S (A a) (B b))", "(S (A a) (C c))"] * 4
    >>> SparseFragmentClassifier(C=10).fit(trees, ["b", "c"] * 4).predict(trees[:2]).tolist()
    ['b', 'c']
    """

    def __init__(self, kernel="sst(lambda=0.4)", C=1, *, loss="squared-hinge", l2=0, cost_factor=1, gap=1e-4,
                 max_fragments=None, folds=5, memory=None, random_state=None, n_jobs=None, progress=None):
        self.kernel = kernel
        self.C = C
        self.loss = loss
        self.l2 = l2
        self.cost_factor = cost_factor
        self.gap = gap
        self.max_fragments = max_fragments
        self.folds = folds
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X, y, sample_weight=None):
        """Learns from labelled trees.

        Parameters
        ----------
        X : sequence of trees
        y : sequence of labels
        sample_weight : array-like of shape (n_samples,), optional
            Factors of C for the errors of single examples.

        Returns
        -------
        self
        """
        trees, labels, weights = self._start(X, y, sample_weight)
        settings = self._settings()
        folder = tempfile.TemporaryDirectory(prefix="treeline-")
        self.C_, self.certificate_ = _core.learn_sparse(trees, labels, weights, settings,
                                                        str(Path(folder.name) / "model"), *self._resources())
        self._adopt(folder)
        return self

    def _settings(self) -> _core.SparseSettings:
        settings = _core.SparseSettings()
        settings.kernel = str(self.kernel)
        settings.search = self.C == "search"
        if not settings.search:
            settings.c = float(check_number("C", self.C, above=0))
        settings.folds = check_number("folds", self.folds, least=2, whole=True)
        settings.max_fragments = 0 if self.max_fragments is None else check_number(
            "max_fragments", self.max_fragments, least=1, whole=True)
        settings.loss = str(self.loss)
        settings.cost_factor = check_number("cost_factor", self.cost_factor, above=0)
        settings.l2 = check_number("l2", self.l2, least=0)
        settings.gap = check_number("gap", self.gap, above=0)
        settings.seed = self._seed()
        settings.memory = self._memory()
        return settings

    def _gives_probabilities(self) -> bool:
        return self.loss == "logistic"


class FragmentClassifier(_LinearFragmentClassifier):
    """Kernel machines, their heaviest fragments, and a linear model over them: the pipeline fsl, fmi, tfx, esl, esc.

    Parameters
    ----------
    kernel : str
        See SparseFragmentClassifier.
    C : float
        Cost of errors of the linear model.
    solver : str
        Of the linear model: one of LIBLINEAR's, ``l2r-l2loss-svc l2r-lr l2r-l1loss-svc-dual l1r-l2loss-svc ...``.
        ``l2r-lr``, ``l2r-lr-dual`` and ``l1r-lr`` give probabilities.
    bias : float
        Value of the constant feature; below 0 there is none.
    max_features : int
        Fragments that each kernel machine gives to the dictionary.
    n_splits : int or None
        Kernel machines are trained on so many parts of the data; None: as many as suit their number.
    kernel_C : float
        Cost of errors of the kernel machines.
    cost_factor : float
        Of the kernel machines; errors on positive examples cost so many times more.
    norm : {"kernel", "explicit", "none"}
        What vectors are divided by.
    memory, random_state, n_jobs, progress
        See SparseFragmentClassifier.

    Attributes
    ----------
    classes_, dictionary_, fragments_
    certificate_ : list of dict
        For each kernel machine: class, norm of its weights, the norm that the fragments listed for it retain, and the least
        relevance among them: no fragment that is not listed has a larger one.
    """

    def __init__(self, kernel="sst(lambda=0.4)", C=1, *, solver="l2r-l2loss-svc", bias=1, max_features=10_000, n_splits=1,
                 kernel_C=1, cost_factor=1, norm="kernel", memory=None, random_state=None, n_jobs=None, progress=None):
        self.kernel = kernel
        self.C = C
        self.solver = solver
        self.bias = bias
        self.max_features = max_features
        self.n_splits = n_splits
        self.kernel_C = kernel_C
        self.cost_factor = cost_factor
        self.norm = norm
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X, y, sample_weight=None):
        """Learns from labelled trees.

        Parameters
        ----------
        X : sequence of trees
        y : sequence of labels
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        trees, labels, weights = self._start(X, y, sample_weight)
        settings = _core.LinearSettings()
        settings.solver = str(self.solver)
        settings.c = check_number("C", self.C, above=0)
        settings.bias = check_number("bias", self.bias)
        settings.seed = self._seed()
        folder = tempfile.TemporaryDirectory(prefix="treeline-")
        model = Path(folder.name) / "model"
        model.mkdir()
        mine_dictionary(self, trees, labels, weights, model / "dict")
        _core.train_linear(trees, labels, weights, str(model / "dict"), str(self.norm), settings,
                           str(model / "model.linear"), *self._resources())
        self._adopt(folder)
        self.certificate_ = self.dictionary_.models
        return self

    def _gives_probabilities(self) -> bool:
        return str(self.solver).endswith(("-lr", "-lr-dual"))
