"""What notebooks show: the drawings of the programs' pages, in their style."""

from __future__ import annotations

from functools import cache

from . import _core


@cache
def _style() -> str:
    return f"<style>.treeline {{ {_core.page_style()} }}</style>"


def as_html(body: str) -> str:
    """Markup with the style of the pages, which applies to it alone."""
    return f'<div class="treeline">{_style()}{body}</div>'


def escape(text: str) -> str:
    return _core.escape_markup(text)
