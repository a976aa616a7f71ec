"""What the estimators over trees have in common."""

from __future__ import annotations

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from ._decision import decide
from ._validation import (Classes, check_memory, check_number_of, check_progress, check_sample_weight, check_seed,
                          check_threads)
from .trees import as_trees


class TreeEstimator(BaseEstimator):
    """An estimator whose X is a sequence of trees."""

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        tags.input_tags.string = True
        return tags

    def _trees(self, X, reset: bool = False):
        """X as the library reads it."""
        check_number_of(X)
        return as_trees(X)

    def _resources(self) -> tuple:
        """Threads and the progress callback, as every call of the library takes them."""
        return check_threads(self.n_jobs), check_progress(self.progress)


class TreeClassifierMixin(ClassifierMixin):
    """Classification by a fitted ``_decide(trees)``: decision values with a column a label of ``_labels()``, or a single one that is
    positive for the first of two."""

    def _start(self, X, y, sample_weight):
        """Checks what fit() is given: trees, classes, weights."""
        if y is None:
            raise ValueError("requires y to be passed, but the target y is None")
        trees = self._trees(X, reset=True)
        n_samples = check_number_of(trees)
        classes = Classes(y, n_samples)
        weights = check_sample_weight(sample_weight, n_samples)
        classes.check_weights(weights)
        self.classes_ = classes.values
        self._texts = classes.texts
        return trees, classes.labels(), weights

    def _columns(self) -> list[int]:
        """For each class, in the order of classes_, the number of its label in the model."""
        labels = self._labels()
        return [labels.index(text) if text in labels else _same_number(labels, text) for text in self._texts]

    def decision_function(self, X) -> np.ndarray:
        """Decision values.

        Parameters
        ----------
        X : sequence of trees

        Returns
        -------
        ndarray of shape (n_samples,) or (n_samples, n_classes)
            Two classes: positive for ``classes_[1]``.
        """
        check_is_fitted(self)
        values = self._decide(self._trees(X))
        columns = self._columns()
        if values.shape[1] == 1:
            return values[:, 0] if columns[1] == 0 else -values[:, 0]
        return np.ascontiguousarray(values[:, columns])

    def predict(self, X) -> np.ndarray:
        """The class of each tree.

        Parameters
        ----------
        X : sequence of trees

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        check_is_fitted(self)
        chosen = decide(self._decide(self._trees(X)))
        by_label = np.argsort(self._columns())
        return self.classes_[by_label[chosen]]


def _same_number(labels: list[str], text: str) -> int:
    """The label that is written in another way, `+1` for `1`."""
    for number, label in enumerate(labels):
        try:
            if float(label) == float(text):
                return number
        except ValueError:
            continue
    raise AssertionError(f"the model has no label {text!r}")


class Resources:
    """Parameters that every estimator has; documented here, stored by each."""

    n_jobs: int | None
    random_state: object
    memory: str | int | None
    progress: object

    def _memory(self) -> int:
        return check_memory(self.memory)

    def _seed(self) -> int:
        return check_seed(self.random_state)
