"""Tree kernels, and machines over them."""

from __future__ import annotations

import os

import numpy as np
from sklearn.base import ClassNamePrefixFeaturesOutMixin, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import Resources, TreeClassifierMixin, TreeEstimator
from ._validation import check_number

__all__ = ["TreeKernel", "TreeSVC"]


class TreeKernel(ClassNamePrefixFeaturesOutMixin, TransformerMixin, TreeEstimator):
    """Values of a tree kernel between trees, for ``SVC(kernel="precomputed")`` and other kernel methods (``ksm``).

    Parameters
    ----------
    kernel : str
        ``st sst st-bow sst-bow (lambda=0.4)``, ``ptk uptk (lambda=0.4,mu=0.4,p=0,terminal=1,gaps=skipped)``, all with
        ``(norm=none)``; sums such as ``0.6*sst+0.4*ptk``.
    n_jobs : int or None
        Threads; -1 is all. The result does not depend on it.
    progress : callable, True or None
        Called with (task, done, total); True: bars of tqdm.

    Examples
    --------
    >>> TreeKernel("sst(lambda=0.4)").fit_transform(["(A (B b))", "(A (B c))"]).round(3)
    array([[1.   , 0.373],
           [0.373, 1.   ]])
    """

    def __init__(self, kernel="sst(lambda=0.4)", *, n_jobs=None, progress=None):
        self.kernel = kernel
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X, y=None):
        """Keeps the trees that others will be compared with.

        Parameters
        ----------
        X : sequence of trees
        y : ignored

        Returns
        -------
        self
        """
        self.trees_ = _core.parse_trees(self._trees(X, reset=True))
        _core.canonical_kernel(str(self.kernel))
        return self

    def transform(self, X) -> np.ndarray:
        """K(x, y) for every x of X and every y that was fitted.

        Parameters
        ----------
        X : sequence of trees

        Returns
        -------
        ndarray of shape (n_samples, n_fitted)
        """
        check_is_fitted(self)
        return _core.kernel_matrix(str(self.kernel), self._trees(X), self.trees_, *self._resources())

    def fit_transform(self, X, y=None) -> np.ndarray:
        """The symmetric matrix of X with itself; see fit and transform."""
        self.fit(X)
        return _core.kernel_matrix(str(self.kernel), self.trees_, None, *self._resources())

    @property
    def _n_features_out(self) -> int:
        return len(self.trees_)


class TreeSVC(Resources, TreeClassifierMixin, TreeEstimator):
    """Support vector machines with a tree kernel: exact (SMO) or by cutting planes (``ksl``, ``ksc``).

    Parameters
    ----------
    kernel : str
        See TreeKernel.
    C : float
        Cost of errors.
    solver : {"smo", "usvm", "isvm"}
        Exact in the dual; cutting planes on uniform or on importance samples, without bias.
    cost_factor : float
        Errors on positive examples cost so many times more.
    epsilon : float
        Tolerance of the optimality conditions (smo), or of the mean hinge loss.
    bias : bool
        Of smo.
    sample : int
        Examples of a cut (usvm, isvm); 0 is all.
    constant : float
        Value of a constant feature in place of a bias (usvm, isvm).
    memory, random_state, n_jobs, progress
        See SparseFragmentClassifier; the memory is for kernel values.

    Attributes
    ----------
    classes_ : ndarray
    support_trees_ : list of str
    machines_ : list of tuple
        Of each: positive class, numbers of its support vectors in support_trees_, their coefficients, threshold.
    """

    def __init__(self, kernel="sst(lambda=0.4)", C=1, *, solver="smo", cost_factor=1, epsilon=1e-3, bias=True,
                 sample=1000, constant=0, memory=None, random_state=None, n_jobs=None, progress=None):
        self.kernel = kernel
        self.C = C
        self.solver = solver
        self.cost_factor = cost_factor
        self.epsilon = epsilon
        self.bias = bias
        self.sample = sample
        self.constant = constant
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    def fit(self, X, y, sample_weight=None):
        """Trains the machines.

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
        settings = _core.MachineSettings()
        settings.kernel = str(self.kernel)
        settings.c = check_number("C", self.C, above=0)
        settings.solver = str(self.solver)
        settings.cost_factor = check_number("cost_factor", self.cost_factor, above=0)
        settings.epsilon = check_number("epsilon", self.epsilon, above=0)
        settings.bias = bool(self.bias)
        settings.sample = check_number("sample", self.sample, least=0, whole=True)
        settings.constant = check_number("constant", self.constant, least=0)
        settings.seed = self._seed()
        settings.memory = self._memory()
        self._classifier = _core.KernelClassifier.train(trees, labels, weights, settings, *self._resources())
        return self

    @property
    def support_trees_(self) -> list[str]:
        check_is_fitted(self)
        return self._classifier.support()

    @property
    def machines_(self) -> list[tuple]:
        check_is_fitted(self)
        return self._classifier.coefficients()

    def _labels(self) -> list[str]:
        return self._classifier.labels

    def _decide(self, trees) -> np.ndarray:
        return self._classifier.decide(trees, *self._resources())

    def save(self, path) -> None:
        """Writes what ``ksl`` writes, for ``ksc`` and ``fmi``: a file for two classes, a folder for more."""
        check_is_fitted(self)
        self._classifier.write(os.fspath(path))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_classifier")
