"""The styles of all pages, which the library owns: beside this file where the recipes are installed, else among its pages."""

import re
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_FOLDER = _HERE if (_HERE / "treeline.css").exists() else _HERE.parent.parent / "lib" / "classify" / "pages"
STYLE = "".join((_FOLDER / name).read_text(encoding="utf-8") for name in ("treeline.css", "drawing.css"))


def with_values(text):
    """`text` with every var(--NAME) replaced by its value in light colours, for drawings outside of pages."""
    def value(match):
        return re.search(rf"{match[1]}: ([^;]*);", STYLE)[1]  # light colours stand first
    return re.sub(r"var\((--[a-z0-9-]+)\)", value, text)
