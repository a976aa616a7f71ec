#!/usr/bin/env python3
"""skipped.py JUNIT: no test that ctest reports in this file was skipped.

Names those that were, each with what it printed, and exits with 1 if there are any. Only where the development data is not
there, tests that need it may be skipped; they are named all the same.
"""

import sys
import xml.etree.ElementTree
from pathlib import Path

NO_DATA = "skipped: no data folder"


def skipped_tests(report):
    """(name, output) of each test that did not run."""
    for test in xml.etree.ElementTree.parse(report).getroot().iter("testcase"):
        if test.get("status") not in ("run", "fail"):
            yield test.get("name"), (test.findtext("system-out") or "").strip()


def main():
    skipped = list(skipped_tests(Path(sys.argv[1])))
    wrong = [(name, output) for name, output in skipped if NO_DATA not in output]
    without_data = [name for name, output in skipped if NO_DATA in output]
    if without_data:
        print(f"no development data (TREELINE_DATA), so these {len(without_data)} tests say nothing: {' '.join(without_data)}")
    for name, output in wrong:
        print(f"skipped: {name}: {output or 'without a reason'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
