"""Trees to vectors, a record batch at a time: for Spark, Ray and Dask."""

from __future__ import annotations

from functools import lru_cache

from ._validation import check_number

__all__ = ["transform_batch"]


@lru_cache(maxsize=8)
def _vectorizer(path: str, norm: str):
    from .vectorizer import FragmentVectorizer

    return FragmentVectorizer.from_dictionary(path, norm=norm)


def transform_batch(batch, vectorizer, *, tree: str = "tree", label: str | None = None, id: str | None = None,
                    first: int = 0, types: str = "tfx", norm: str = "kernel", n_threads: int = 1):
    """The rows that ``tfx`` makes of a record batch of trees.

    Parameters
    ----------
    batch : pyarrow.RecordBatch, pyarrow.Table or any Arrow data with named columns
    vectorizer : FragmentVectorizer, Dictionary or the path of a dictionary
        A path is opened once a process, so that it can be sent to workers; the folder must be there for them.
    tree, label, id : str
        Names of the columns: the trees as brackets; labels as texts (None: empty ones); whole numbers (None: counted
        from ``first``).
    types : {"tfx", "spark"}
        ``tfx``: id uint64, label dictionary<int32, string>, indices list<uint32>, values list<float>, with the metadata of the
        files of ``tfx``. ``spark``: id int64, label string, indices list<int32>, values list<float>.
    norm : {"kernel", "explicit", "none"}
        Where ``vectorizer`` is a dictionary.
    n_threads : int
        Of this call; workers of a cluster have one each.

    Returns
    -------
    pyarrow.RecordBatch

    Examples
    --------
    >>> def vectors(batches):  # doctest: +SKIP
    ...     for batch in batches:
    ...         yield transform_batch(batch, "dict/", label="label", id="id", types="spark")
    >>> frame.mapInArrow(vectors, "id long, label string, indices array<int>, values array<float>")  # doctest: +SKIP
    """
    import pyarrow

    if types not in ("tfx", "spark"):
        raise ValueError(f"types={types!r}; expected 'tfx' or 'spark'")
    check_number("first", first, least=0, whole=True)
    check_number("n_threads", n_threads, least=1, whole=True)
    if not hasattr(vectorizer, "transform"):
        vectorizer = _vectorizer(str(getattr(vectorizer, "path", vectorizer)), norm)
    table = vectorizer._space.transform_batch(batch, tree, label, id, first, types == "spark", n_threads)
    return pyarrow.RecordBatch._import_from_c_capsule(*table.__arrow_c_array__())
