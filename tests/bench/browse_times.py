#!/usr/bin/env python3
"""browse_times.py --bin DIR DICT SITE [PATTERN...]: makes the pages of a dictionary and times them in a real browser: how long they take to make, to
open, and until a search for each pattern shows its first rows, and all its matches."""

import argparse
import subprocess
import sys
import time
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "support"))

from browser import Browser

PATTERNS = ["(NP (DT the) *)", "(NP (DT) (NN))", "(S (NP *) (VP *))", "(PP (IN of) (NP (NN*) *))", "(NN* *ing)", "(* (IN with) *)", "zzz"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("dictionary")
    parser.add_argument("site", type=Path)
    parser.add_argument("patterns", nargs="*", default=PATTERNS)
    options = parser.parse_args()
    start = time.monotonic()
    subprocess.run([options.bin / "fdi", "browse", options.dictionary, "--output", options.site, "--force", "--log-level", "quiet"], check=True)
    made = time.monotonic() - start
    size = sum(file.stat().st_size for file in options.site.rglob("*") if file.is_file())
    print(f"made in {made:.1f} s, {size / 1e6:.0f} MB")
    with Browser() as browser:
        for what, address in [("opened", "#/"), *((pattern, f"#/?q={quote(pattern)}") for pattern in options.patterns)]:
            page = browser.open(f"{options.site}/index.html{address}")
            page.wait_for("document.body.dataset.ready !== undefined")
            first = page.evaluate("document.querySelector('[role=status]').dataset.milliseconds")
            complete = page.evaluate("performance.now()")
            found = page.evaluate("document.querySelector('[role=status]').textContent")
            print(f"{what}: first rows {first} ms after the data were asked for; complete {complete:.0f} ms after the page began to load; {found}")


if __name__ == "__main__":
    main()
