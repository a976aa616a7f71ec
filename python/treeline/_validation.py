"""What parameters and data mean, before the library sees them."""

from __future__ import annotations

import numbers
import os
import re

import numpy as np
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, column_or_1d

from . import _core

_SIZE = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?)\s*(|[kMGT])(?:i?B)?\s*$")
_UNITS = {"": 1, "k": 1 << 10, "M": 1 << 20, "G": 1 << 30, "T": 1 << 40}
_CONTROL = re.compile(r"[\x00-\x1f\x7f]")


def check_memory(memory: str | int | None) -> int:
    """Bytes that ``memory`` stands for: a number, a text such as ``"2G"``, or None for half of the machine's."""
    if memory is None:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
    if isinstance(memory, str):
        found = _SIZE.match(memory)
        if not found:
            raise ValueError(f"memory={memory!r}; expected a size such as '512M' or '4G'")
        return int(float(found[1]) * _UNITS[found[2]])
    if isinstance(memory, numbers.Integral) and memory > 0:
        return int(memory)
    raise ValueError(f"memory={memory!r}; expected bytes above 0, or a size such as '4G'")


def check_threads(n_jobs: int | None) -> int:
    """Threads, as joblib counts jobs: None is 1, -1 all, -2 all but one."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r}; expected a whole number other than 0, or None")
    return int(n_jobs) if n_jobs > 0 else max(1, _core.available_threads() + 1 + int(n_jobs))


def check_seed(random_state) -> int:
    """The seed of the library: an integer as it is, a generator by its next number, None as 1 (the programs' default)."""
    if random_state is None:
        return 1
    if isinstance(random_state, numbers.Integral):
        if random_state < 0:
            raise ValueError(f"random_state={random_state!r}; expected a number from 0 on")
        return int(random_state)
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(1 << 31))
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(1 << 31))
    raise ValueError(f"random_state={random_state!r}; expected None, a number from 0 on or a generator")


def check_number(name: str, value, *, above: float | None = None, least: float | None = None, whole: bool = False):
    """``value`` where it is a finite number within its range; ValueError otherwise."""
    kind = numbers.Integral if whole else numbers.Real
    good = isinstance(value, kind) and not isinstance(value, (bool, np.bool_)) and np.isfinite(value)
    good = good and (above is None or value > above) and (least is None or value >= least)
    if not good:
        bound = f" above {above}" if above is not None else f" of at least {least}" if least is not None else ""
        raise ValueError(f"{name}={value!r}; expected a {'whole ' if whole else ''}number{bound}")
    return value


def check_progress(progress):
    """A function of (task, done, total), or None. ``True`` and ``"tqdm"`` stand for a bar of tqdm."""
    if progress is None or progress is False:
        return None
    if progress is True or progress == "tqdm":
        return _TqdmBars()
    if not callable(progress):
        raise ValueError(f"progress={progress!r}; expected a function of (task, done, total), True or None")
    return progress


class _TqdmBars:
    """A bar of tqdm a task."""

    def __init__(self):
        self._bar = None
        self._task = None

    def __call__(self, task: str, done: int, total: int):
        from tqdm.auto import tqdm

        if task != self._task:
            if self._bar is not None:
                self._bar.close()
            self._bar = tqdm(total=total or None, desc=task)
            self._task = task
        self._bar.update(done - self._bar.n)
        if total and done >= total:
            self._bar.close()


class Classes:
    """The classes of ``y`` and the texts that the library knows them by.

    Classes are sorted as scikit-learn does; the library orders its own labels, and of two takes the larger number or the later
    word as the positive one. ``columns`` and ``sign`` translate.
    """

    def __init__(self, y, n_samples: int | None = None):
        y = column_or_1d(y, warn=True)
        if n_samples is not None and len(y) != n_samples:
            raise ValueError(f"X has {n_samples} trees and y has {len(y)} labels: inconsistent numbers of samples")
        if y.dtype.kind == "f" and not np.isfinite(y).all():
            raise ValueError(f"y[{int(np.argmin(np.isfinite(y)))}] is {y[np.argmin(np.isfinite(y))]}; "
                             "expected labels without NaN and infinity")
        if y.dtype == object:
            for number, label in enumerate(y):
                if label is None or (isinstance(label, float) and np.isnan(label)):
                    raise ValueError(f"y[{number}] is {label}; expected a label")
        try:
            check_classification_targets(y)
            self.values, self.codes = np.unique(y, return_inverse=True)
        except TypeError:
            raise TypeError("y has labels of types that cannot be compared, such as numbers and texts; "
                            "make all of them texts or all of them numbers") from None
        if len(self.values) < 2:
            raise ValueError("y has examples of one class only: Classifier can't train when only one class is present; "
                             "give examples of two classes or more")
        self.texts = [_text_of(value) for value in self.values]
        known = {}
        for value, text in zip(self.values, self.texts):
            number = _number_of(text)
            key = text if number is None else number
            if key in known:
                raise ValueError(f"y has the labels {known[key]!r} and {value!r}, which are one number; write both alike")
            known[key] = value

    def check_weights(self, weights) -> None:
        """ValueError where the examples of all classes but one weigh nothing."""
        if weights is not None and len(np.unique(self.codes[weights > 0])) < 2:
            raise ValueError("sample_weight leaves examples of one class only; give examples of two classes a weight above 0")

    def labels(self) -> list[str]:
        """The text of each example's label."""
        return [self.texts[code] for code in self.codes]


def _text_of(label) -> str:
    text = str(label)
    if not text or text != text.strip() or _CONTROL.search(text):
        raise ValueError(f"the label {label!r}; expected a text without blanks at its ends and without control characters")
    return text


def _number_of(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def check_sample_weight(sample_weight, n_samples: int) -> np.ndarray | None:
    """Weights of examples as float64, or None where all are 1."""
    if sample_weight is None:
        return None
    weights = _check_sample_weight(sample_weight, np.empty((n_samples, 1)), dtype=np.float64, ensure_non_negative=True)
    if not weights.any():
        raise ValueError("sample_weight is 0 for every example; expected some above 0")
    return None if (weights == 1).all() else np.ascontiguousarray(weights)


def check_number_of(X) -> int:
    """The number of examples; ValueError where there are none."""
    n_samples = number_of(X)
    if n_samples == 0:
        raise ValueError("X has no trees: Found array with 0 sample(s) while a minimum of 1 is required")
    return n_samples


def number_of(X) -> int:
    """How many examples there are."""
    if hasattr(X, "shape") and not callable(X.shape):
        if len(X.shape) != 1:
            raise ValueError(f"expected a one-dimensional array of trees, got an array of shape {tuple(X.shape)}; "
                             "Reshape your data: give one column")
        return X.shape[0]
    try:
        return len(X)
    except TypeError:
        raise TypeError(f"expected a sequence of trees, got a {type(X).__name__}") from None
