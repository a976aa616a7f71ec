#!/usr/bin/env python3
"""check.py --bin DIR --work DIR PAPER: runs the recipe of a paper on generated trees, twice, and looks at what it wrote.

The second run must make nothing again, a third one only what was taken away. Every table and figure of LISTED must be there, with numbers, in the page and in RESULTS.md.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / folder) for folder in ("tests/support", "pipelines/papers", "pipelines/report", "pipelines")]

from browser import Browser, find_browser
from gather import to_page

HOSTILE = "<script>alert(1)</script><img src=x>&amp;\"'"

LISTED = {
    "moschitti2006": ["time-st", "time-sst", "accuracy"],
    "pighin2009": ["table-1", "table-2", "figure-4", "figure-5", "figure-6", "fragments", "strongest"],
    "severyn2010": [
        "figure-2",
        "figure-2-time",
        "figure-3",
        "figure-4",
        "figure-4-time",
        "figure-5-1",
        "table-1",
        "figure-6",
    ],
    "severyn2011": ["figure-1a", "figure-1b", "figure-2"],
    "yoshinaga2010": ["table-2", "table-3", "figure-1", "figure-2", "figure-3", "figure-4"],
}


def run(options):
    command = [ROOT / "pipelines/papers" / f"{options.paper}.sh", "--data", ROOT / "data", "--work", options.work]
    done = subprocess.run(command, env={**os.environ, "TREELINE_BIN": options.bin}, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}\n{done.stderr}")
    return done.stderr


def expect(condition, message):
    if not condition:
        sys.exit(message)


def hostile(results):
    """The page of `results` with text in every table and plot that would break a careless one."""
    for item in results["items"]:
        item["title"] += HOSTILE
        if item["kind"] == "table":
            item["rows"].append([HOSTILE, "x" * 10000, *item["rows"][0]][: len(item["head"])])
        else:
            item["series"] = {name + HOSTILE: points for name, points in item["series"].items()}
    return to_page([results])


def look(page):
    """The page in a real browser: it fits, runs nothing, and fetches nothing."""
    with Browser() as browser:
        for width in (400, 900, 1600):
            shown = browser.open(page, width, dark=width == 900)
            expect(not shown.problems(), f"{page.name} at {width}: {shown.problems()}")
            expect(not shown.errors() and len(shown.addresses()) == 1, f"{shown.errors()} {shown.addresses()}")
            expect(shown.evaluate("document.scripts.length + document.images.length") == 0, f"{page.name}: text became markup")


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("paper", choices=list(LISTED))
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)

    expect(run(options), "the first run made nothing")
    page = (options.work / "papers.html").read_text()
    again = run(options)
    expect(again == "", f"the second run made again what was there:\n{again}")
    expect((options.work / "papers.html").read_text() == page, "the second run wrote another page")
    for ending in (".json", ".log"):  # as if a run had been killed between an output and its record
        record = sorted((options.work / options.paper / "measured").rglob(f"*{ending}"))[-1]
        record.unlink()
        again = run(options).splitlines()
        expect(
            len(again) == 1 and again[0].endswith(record.stem),
            f"expected that only {record.stem} is made again, found {again}",
        )

    results = json.loads((options.work / options.paper / "results.json").read_text())
    names = [item["name"] for item in results["items"]]
    expect(names == LISTED[options.paper], f"found {names}")
    markdown = (options.work / "RESULTS.md").read_text()
    for item in results["items"]:
        lines = (options.work / options.paper / "tables" / f"{item['name']}.tsv").read_text().splitlines()
        expect(len(lines) > 1 and re.search(r"\d", lines[1]), f"{item['name']} has no numbers")
        expect(f"### {item['title']}" in markdown, f"RESULTS.md lacks {item['title']}")
        if item["kind"] == "plot":
            drawing = (options.work / options.paper / "plots" / f"{item['name']}.svg").read_text()
            expect(drawing.startswith("<svg xmlns") and "<polyline" in drawing, f"{item['name']}.svg is no plot")
        expect(item["claims"], f"{item['name']} is not compared with what the paper says")
    expect(not re.search(r'(src|href)="(?!#)', page), "the page needs other files")
    expect(page.count("<svg") == sum(item["kind"] == "plot" for item in results["items"]), "the page lacks plots")
    if find_browser() is None:
        print("skipped: there is no browser to look at the page with; scripts/setup --ci installs one")
        sys.exit(77)
    look(options.work / "papers.html")
    (options.work / "hostile.html").write_text(hostile(results))
    look(options.work / "hostile.html")


if __name__ == "__main__":
    main()
