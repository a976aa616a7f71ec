"""check.py PAGE JSON: the page of a path shows every step, fits, and fetches nothing."""

import json
import sys

from browser import Browser

page, path = sys.argv[1], json.load(open(sys.argv[2]))
with Browser() as browser:
    for width in (400, 900, 1600):
        shown = browser.open(page, width, dark=width == 900)
        assert not shown.problems(), (width, shown.problems())
        assert not shown.errors(), shown.errors()
        assert len(shown.addresses()) == 1 and shown.evaluate("document.scripts.length") == 1
    assert shown.evaluate("document.querySelectorAll('table:last-of-type tr.chosen').length") == 1
    rows = shown.evaluate("[...document.querySelectorAll('main > .scroll:last-child tbody tr')].map(row => row.cells[1].textContent)")
    assert rows == [str(step["features"]) for step in path["steps"]], rows
    assert shown.evaluate("document.querySelectorAll('polyline').length") >= len(path["features"]) + 1
    assert any("<script>" in text for text in shown.evaluate("[...document.querySelectorAll('td')].map(cell => cell.textContent)"))
print("the page of a path fits at 400, 900 and 1600, its texts are texts")
