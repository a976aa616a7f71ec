"""Which class decision values speak for: the programs' rule, for matrices."""

from __future__ import annotations

import numpy as np


def decide(values: np.ndarray) -> np.ndarray:
    """Of each row the place of a class among the model's labels: a single value is for the first of two classes above 0; of
    several, one a class, the largest decides, of equals the first."""
    if not np.isfinite(values).all():
        raise ValueError("a decision value is not a finite number: the weights of the model, or the features of the example, "
                         "are too large")
    return (values[:, 0] <= 0).astype(int) if values.shape[1] == 1 else values.argmax(axis=1)
