"""Trees as explicit vectors over mined fragments."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import scipy.sparse
from sklearn.base import TransformerMixin
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._base import Resources, TreeEstimator
from ._validation import Classes, check_number, check_number_of, check_sample_weight
from .files import Dictionary, FragmentTable

__all__ = ["FragmentVectorizer"]


def mine_dictionary(estimator, trees, labels, weights, path: Path) -> None:
    """The dictionary that ``fsl`` and ``fmi`` would make, at ``path``."""
    machine = _core.MachineSettings()
    machine.kernel = str(estimator.kernel)
    machine.c = check_number("kernel_C", estimator.kernel_C, above=0)
    machine.cost_factor = check_number("cost_factor", estimator.cost_factor, above=0)
    machine.solver = "smo"
    machine.seed = estimator._seed()
    machine.memory = estimator._memory()
    miner = _core.MinerSettings()
    miner.miner = "exact"
    miner.top = check_number("max_features", estimator.max_features, least=1, whole=True)
    splits = 0 if estimator.n_splits is None else check_number("n_splits", estimator.n_splits, least=1, whole=True)
    with tempfile.TemporaryDirectory(prefix="treeline-") as folder:
        models = str(Path(folder) / "models")
        _core.train_splits(trees, labels, weights, machine, splits, models, *estimator._resources())
        _core.mine(models, str(path), miner, *estimator._resources())


class FragmentVectorizer(Resources, TransformerMixin, TreeEstimator):
    """Trees as vectors over the fragments that decide: kernel machines are trained and mined (fsl, fmi), trees rewritten (tfx).

    Parameters
    ----------
    kernel : str
        See SparseFragmentClassifier.
    max_features : int
        Fragments that each kernel machine (one a class and split) gives to the dictionary, the exact top of the whole space.
    n_splits : int or None
        Parts of the data, a kernel machine each; None: as many as suit their number.
    norm : {"kernel", "explicit", "none"}
        What vectors are divided by.
    kernel_C, cost_factor : float
        Cost of errors of the kernel machines; how many times more those on positive examples cost.
    memory, random_state, n_jobs, progress
        See SparseFragmentClassifier.

    Attributes
    ----------
    dictionary_ : Dictionary
    fragments_ : FragmentTable
    certificate_ : list of dict
        For each kernel machine: norm, retained, least; see FragmentClassifier.
    info_ : dict
        What the vectors mean, for ``write_vectors``.

    Examples
    --------
    >>> trees = ["(S (A a) (B b))", "(S (A a) (C c))"] * 4
    >>> FragmentVectorizer(max_features=5).fit_transform(trees, ["b", "c"] * 4).shape
    (8, 5)
    """

    def __init__(self, kernel="sst(lambda=0.4)", max_features=10_000, n_splits=1, *, norm="kernel", kernel_C=1,
                 cost_factor=1, memory=None, random_state=None, n_jobs=None, progress=None):
        self.kernel = kernel
        self.max_features = max_features
        self.n_splits = n_splits
        self.norm = norm
        self.kernel_C = kernel_C
        self.cost_factor = cost_factor
        self.memory = memory
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.progress = progress

    @classmethod
    def from_dictionary(cls, dictionary, **parameters) -> FragmentVectorizer:
        """A fitted vectorizer over a dictionary that is there: a Dictionary, or the path of one that ``fmi`` or ``fpl`` wrote."""
        dictionary = dictionary if isinstance(dictionary, Dictionary) else Dictionary(dictionary)
        vectorizer = cls(**{"kernel": dictionary.kernel, **parameters})
        vectorizer._adopt(dictionary)
        return vectorizer

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _adopt(self, dictionary: Dictionary) -> None:
        self.dictionary_ = dictionary
        self.certificate_ = dictionary.models
        self._make_space()

    def _make_space(self) -> None:
        self._space = _core.TreeSpace(self.dictionary_._core, str(self.norm))

    def __getstate__(self):
        state = super().__getstate__().copy()
        state.pop("_space", None)
        return state

    def __setstate__(self, state):
        super().__setstate__(state)
        if "dictionary_" in state:
            self._make_space()

    @property
    def fragments_(self) -> FragmentTable:
        """The fragments, a column of the vectors each."""
        check_is_fitted(self)
        return self.dictionary_.table()

    @property
    def info_(self) -> dict:
        check_is_fitted(self)
        return self._space.info

    def fit(self, X, y, sample_weight=None):
        """Trains kernel machines and mines their fragments.

        Parameters
        ----------
        X : sequence of trees
        y : sequence of labels
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        self
        """
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        trees = self._trees(X, reset=True)
        n_samples = check_number_of(trees)
        classes = Classes(y, n_samples)
        weights = check_sample_weight(sample_weight, n_samples)
        classes.check_weights(weights)
        folder = tempfile.TemporaryDirectory(prefix="treeline-")
        path = Path(folder.name) / "dict"
        mine_dictionary(self, trees, classes.labels(), weights, path)
        self._adopt(Dictionary._own(folder, path))
        return self

    def transform(self, X) -> scipy.sparse.csr_array:
        """Vectors as ``tfx`` makes them.

        Parameters
        ----------
        X : sequence of trees

        Returns
        -------
        csr_array of shape (n_samples, n_fragments), float32
        """
        check_is_fitted(self)
        ends, indices, values = self._space.transform(self._trees(X), *self._resources())
        return scipy.sparse.csr_array((values, indices, ends), shape=(len(ends) - 1, len(self.dictionary_)))

    def inverse_transform(self, X) -> list[dict[str, float]]:
        """The fragments of each row with their values.

        Parameters
        ----------
        X : sparse or dense matrix of shape (n_samples, n_fragments)
        """
        check_is_fitted(self)
        X = scipy.sparse.csr_array(X)
        if X.shape[1] != len(self.dictionary_):
            raise ValueError(f"X has {X.shape[1]} features, but {type(self).__name__} is expecting {len(self.dictionary_)}")
        names = self.get_feature_names_out()
        return [{names[at]: float(value) for at, value in zip(X.indices[begin:end], X.data[begin:end])}
                for begin, end in zip(X.indptr, X.indptr[1:])]

    def get_feature_names_out(self, input_features=None) -> np.ndarray:
        """The text of each fragment, by column."""
        check_is_fitted(self)
        return np.array(self.fragments_["fragment"], dtype=object)

    def transform_batch(self, batch, **columns):
        """See ``treeline.transform_batch``; runs inside ``mapInArrow``, ``map_batches`` and ``map_partitions``."""
        from .batch import transform_batch

        check_is_fitted(self)
        return transform_batch(batch, self, **columns)

    @property
    def _n_features_out(self) -> int:
        return len(self.dictionary_)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_space")
