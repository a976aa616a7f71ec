"""Tree-kernel learning as fast, readable linear models.

Estimators with scikit-learn's contract over trees (bracket strings, ``nltk.Tree``, ``(label, children)``, Arrow or pandas
columns), and the files of Treeline's programs. Programs and package are made of the same library: the same input and parameters
give the same numbers.

>>> from treeline import SparseFragmentClassifier
>>> clf = SparseFragmentClassifier(kernel="sst(lambda=0.4)", C=1).fit(trees, labels)  # doctest: +SKIP
>>> clf.explain(test_trees[0])  # doctest: +SKIP
"""

from ._core import __version__

# Names, and the modules that have them; imported when they are first asked for, so that `import treeline` is quick.
_HOMES = {
    "FragmentClassifier": "estimators",
    "FragmentVectorizer": "vectorizer",
    "PolynomialPassiveAggressive": "polynomial",
    "SparseFragmentClassifier": "estimators",
    "TreeKernel": "kernels",
    "TreeSVC": "kernels",
    "Dictionary": "files",
    "Explanation": "explanations",
    "FragmentTable": "files",
    "KernelModel": "files",
    "LinearModel": "files",
    "Vectors": "files",
    "read_vectors": "files",
    "write_vectors": "files",
    "transform_batch": "batch",
    "Tree": "trees",
    "from_benepar": "trees",
    "from_conllu": "trees",
    "from_stanza": "trees",
}

__all__ = ["__version__", *sorted(_HOMES)]


def __getattr__(name):
    if name not in _HOMES:
        raise AttributeError(f"module 'treeline' has no attribute '{name}'")
    from importlib import import_module

    value = getattr(import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__():
    return sorted(__all__)
