"""check_page.py REPORT PAGE: opens the page of a comparison in a real browser: all is there, fits, leads where it should, and fetches nothing."""

import csv
import json
import sys
from pathlib import Path
from urllib.parse import unquote

from browser import Browser

report, page = json.loads(Path(sys.argv[1]).read_text()), Path(sys.argv[2])
methods = {one["method"]: one for one in report["methods"]}
COUNTS = """({
    methods: document.querySelectorAll('table.methods tr.own').length, rows: document.querySelectorAll('table.methods tr').length, plots: document.querySelectorAll('figure svg').length,
    points: document.querySelectorAll('figure circle').length, bands: document.querySelectorAll('figure rect.band').length, fragments: document.querySelectorAll('.fragment svg.tree').length,
    whiskers: document.querySelectorAll('.whisker').length, matrices: document.querySelectorAll('.confusion').length, links: [...document.querySelectorAll('a[href]')].map(link => link.getAttribute('href'))})"""

numbers = {row[0]: row[1] for row in csv.reader(Path(sys.argv[1]).with_suffix(".csv").open())}
assert float(numbers["methods/sparse/f1"]) == methods["sparse"]["f1"] and float(numbers["methods/exact/accuracy_interval/0"]) == methods["exact"]["accuracy_interval"][0]
for one in methods.values():
    for scores in one["classes"].values():
        low, high = scores["f1_interval"]
        assert low <= scores["f1"] <= high, scores

with Browser() as browser:
    for width in (1600, 900, 400):
        for dark in (False, True):
            shown = browser.open(page, width, dark=dark)
            assert not shown.problems(), (width, shown.problems())
            assert not shown.errors(), shown.errors()
            assert [address for address in shown.addresses() if not address.startswith("file:")] == []
            assert len(shown.addresses()) == 1, "the page needs another file"
        print(f"{width}: looks well")
    found = shown.evaluate(COUNTS)
    classes = report["strongest"]["classes"]
    assert found["rows"] == len(methods) + 2 and found["methods"] == 2, found
    assert found["matrices"] == len(methods) and found["whiskers"] == 4 * len(report["classes"]), found
    assert found["fragments"] == sum(len(sides["for"]) + len(sides["against"]) for sides in classes.values()) > 6, found
    assert found["plots"] == 7 and found["bands"] == 1 and found["points"] > 30, found
    assert shown.evaluate("document.querySelector('.lead').textContent") == " ".join(report["advice"])
    for link in found["links"]:
        assert (page.parent / link.partition("#")[0]).exists(), link
    # The examples on which two methods differ, and a fragment in the dictionary, are behind their links.
    differing = next(link for link in found["links"] if "ids=" in link)
    why = browser.open(page.parent / unquote(differing))
    why.wait_for("document.body.dataset.ready !== undefined")
    wanted = differing.partition("ids=")[2].split(",")
    assert why.evaluate("document.querySelector('[role=status]').textContent").startswith(f"{len(wanted)} of "), differing
    dictionary = browser.open(page.parent / next(link for link in found["links"] if "#/f/" in link))
    dictionary.wait_for("document.body.dataset.ready !== undefined")
    assert dictionary.evaluate("document.querySelectorAll('svg.tree').length") > 0
    print("links lead to the fragments, and to the examples on which methods differ")
