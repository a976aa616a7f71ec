"""check.py WORK: the report of a comparison, and what it leads to, show hostile labels as text and fit."""

import sys
from pathlib import Path

from browser import Browser

work = Path(sys.argv[1])
with Browser() as browser:
    for width in (400, 900, 1600):
        page = browser.open(work / "report.html", width)
        assert not page.problems(), (width, page.problems())
        assert not page.errors() and len(page.addresses()) == 1, (page.errors(), page.addresses())
        assert page.evaluate("document.scripts.length") == 0 and page.evaluate("document.querySelectorAll('i:not([style]):not([class])').length") == 0
    assert any("<script>" in text for text in page.evaluate("[...document.querySelectorAll('td, th')].map(cell => cell.textContent)"))
    for link in page.evaluate("[...document.querySelectorAll('.confusion a, main > nav a')].map(link => link.getAttribute('href'))"):
        behind = browser.open(work / link)
        behind.wait_for("document.body.dataset.ready !== undefined")
        assert not behind.problems() and not behind.errors() and behind.evaluate("document.scripts.length") == 1, link
        if "predicted=" in link:
            assert behind.evaluate("document.querySelectorAll('#list tbody tr').length") > 0, link
print("hostile labels stay text, and cells lead to their examples")
