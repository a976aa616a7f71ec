"""How methods and labels are called in a report."""

import unicodedata

TITLES = {
    "words": "bag of words, linear",
    "productions": "bag of productions, linear",
    "exact": "exact SVM",
    "usvm": "uSVM",
    "isvm": "iSVM",
    "mined": "linearized, mined weights",
    "linearized": "linearized, retrained",
    "sparse": "sparse, whole space",
}


def short_titles(methods):
    """The titles up to their comma; after it where two methods share what is before."""
    first = [one["title"].split(", ")[0] for one in methods]
    return [name if first.count(name) == 1 else one["title"].split(", ")[-1] for name, one in zip(first, methods)]


def cut(label, most=60):
    """A label in one line of at most so many characters, of a longer one its beginning and its end; what ends a line or is no character shows as one."""
    shown = "".join("\N{REPLACEMENT CHARACTER}" if unicodedata.category(one) in ("Cc", "Zl", "Zp") else one for one in label)
    behind = most // 3
    return shown if len(shown) <= most else f"{shown[: most - behind - 1]}…{shown[-behind:]}"
