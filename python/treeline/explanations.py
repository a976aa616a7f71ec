"""Why an example got its label."""

from __future__ import annotations

from . import _core
from ._html import as_html

__all__ = ["Explanation"]


class Explanation:
    """The fragments that decided, each with its part of the decision value: a drawing in a notebook, text elsewhere.

    Attributes
    ----------
    label
        The class that was predicted.
    decision : float
        Its decision value (of two classes, that of the positive one): the sum of all contributions and the bias.
    contributions : list of dict
        The largest, by amount: feature, fragment, value, weight, product.
    rest, rest_count, bias
        The sum of the other contributions, their number, and the constant part.
    """

    def __init__(self, explanation: _core.Explanation, label=None):
        self._core = explanation
        self.label = explanation.predicted if label is None else label

    @property
    def decision(self) -> float:
        return self._core.decision

    @property
    def contributions(self) -> list[dict]:
        return self._core.top

    @property
    def rest(self) -> float:
        return self._core.rest

    @property
    def rest_count(self) -> int:
        return self._core.rest_count

    @property
    def bias(self) -> float:
        return self._core.bias

    def to_json(self) -> str:
        """One line, as ``esc --explain`` writes it."""
        return self._core.to_json()

    def __repr__(self) -> str:
        return self._core.to_text()

    def _repr_html_(self) -> str:
        return as_html(self._core.to_html())
