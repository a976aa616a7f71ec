"""Trees: what may stand for one, and where they come from."""

from __future__ import annotations

import os
import tempfile

from . import _core
from ._html import as_html

__all__ = ["Tree", "as_trees", "from_benepar", "from_conllu", "from_stanza"]


class Tree(str):
    """A tree as brackets that draws itself in a notebook; a string everywhere else.

    Parameters
    ----------
    tree : str, nltk.Tree, (label, children) or any object with ``label`` and ``children``
        Checked: what is no tree raises ValueError with the column, or TypeError.

    Examples
    --------
    >>> Tree(("NP", [("DT", ["the"]), ("NN", ["cat"])]))
    Tree('(NP (DT the) (NN cat))')
    """

    def __new__(cls, tree):
        return super().__new__(cls, _core.parse_trees([tree])[0])

    def __repr__(self):
        return f"Tree({str.__repr__(self)})"

    def _repr_html_(self) -> str:
        return as_html(_core.tree_svg(self))


def as_trees(X):
    """``X`` as the library reads it: Arrow data as it is, everything else a sequence of trees."""
    if isinstance(X, (str, bytes)):
        raise TypeError("X is one text; expected a sequence of trees, [tree]")
    if hasattr(X, "iloc"):  # a pandas column; strings cross by Arrow where pandas has it
        return X if _gives_arrow(X) else list(X)
    if hasattr(X, "dtype") and getattr(X.dtype, "kind", "O") not in "OUT":
        raise TypeError(f"X has numbers ({X.dtype}); expected trees: bracket strings, nltk.Tree or (label, children)")
    return X


def _gives_arrow(column) -> bool:
    if str(column.dtype) == "object" or not hasattr(column, "__arrow_c_stream__"):
        return False
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return False
    return True


def from_conllu(source, *, structure: str = "grct", lemmas: bool = True, lower: bool = False,
                drop_punctuation: bool = False) -> list[Tree]:
    """Trees of dependency parses, as ``tdp dependency`` makes them.

    Parameters
    ----------
    source : path or str
        A file (plain, gzip or zstd), or CoNLL-U text, told apart by its line breaks.
    structure : {"grct", "lct", "loct", "plain"}
        Croce, Moschitti & Basili (2011): relations over tags and words, words over all, words only; ``plain`` has
        the words among the dependents.
    lemmas, lower, drop_punctuation : bool
        Lemmas in place of forms; words in lower case; without words tagged PUNCT.

    Returns
    -------
    list of Tree
        One a sentence.
    """
    path, temporary = os.fspath(source), None
    if "\n" in path:
        with tempfile.NamedTemporaryFile("w", suffix=".conllu", delete=False, encoding="utf-8") as file:
            file.write(path)
        path = temporary = file.name
    try:
        texts = _core.conllu_trees(path, structure, lemmas, lower, drop_punctuation)
    except ValueError as error:
        if temporary is None:
            raise
        raise ValueError(str(error).replace(temporary, "the text")) from None
    finally:
        if temporary is not None:
            os.unlink(temporary)
    return [Tree(text) for text in texts]


def from_benepar(parsed) -> list[Tree]:
    """Trees of what spaCy with benepar returns: a document (one tree a sentence), a span, or several of them."""
    if hasattr(parsed, "sents"):
        parsed = parsed.sents
    elif hasattr(parsed, "_"):
        parsed = [parsed]
    return [Tree(span._.parse_string) for span in parsed]


def from_stanza(parsed) -> list[Tree]:
    """Trees of a stanza document (one a sentence), of sentences, or of constituency objects."""
    if hasattr(parsed, "sentences"):
        parsed = parsed.sentences
    elif hasattr(parsed, "constituency") or hasattr(parsed, "children"):
        parsed = [parsed]
    return [Tree(getattr(one, "constituency", one)) for one in parsed]
