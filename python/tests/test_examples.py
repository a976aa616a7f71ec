"""The notebooks run, and show what they should."""

from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient")
import nbformat  # noqa: E402  comes with nbclient

EXAMPLES = Path(__file__).resolve().parents[1] / "examples"


@pytest.mark.parametrize("path", sorted(EXAMPLES.glob("*.ipynb")), ids=lambda path: path.stem)
def test_notebook(path):
    book = nbformat.read(path, as_version=4)
    assert not any(cell.get("outputs") for cell in book.cells), "clear the outputs before a commit"
    nbclient.NotebookClient(book, timeout=300, kernel_name="python3", resources={"metadata": {"path": EXAMPLES}}).execute()
    shown = [output["data"] for cell in book.cells for output in cell.get("outputs", []) if "data" in output]
    assert sum("<svg" in data.get("text/html", "") for data in shown) >= 2
