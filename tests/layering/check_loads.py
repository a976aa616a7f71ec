#!/usr/bin/env python3
"""Checks which large libraries the programs load: those that they call, no others. Loading Arrow and RocksDB takes longer than many a run.

    check_loads.py DIR      DIR: the folder of the programs
"""

import re
import subprocess
import sys
from pathlib import Path

LARGE = {"libarrow", "librocksdb"}
MAY_LOAD = {"tdp": set(), "ksl": set(), "fsl": set(), "ksc": {"libarrow"}, "ksm": {"libarrow"}, "fmi": {"librocksdb"}, "fpl": {"librocksdb"}}


def main():
    failed = 0
    for program, allowed in MAY_LOAD.items():
        told = subprocess.run(["readelf", "--dynamic", Path(sys.argv[1]) / program], check=True, capture_output=True, text=True).stdout
        loaded = LARGE & set(re.findall(r"\(NEEDED\).*\[([a-z]+)", told))
        if loaded - allowed:
            failed += 1
            print(f"{program} loads {' and '.join(sorted(loaded - allowed))}: which of the sources that are compiled together (GROUPS in lib/) calls it?")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
