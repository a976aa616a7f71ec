#!/usr/bin/env python3
"""Holds the walk of lib/README.md true: its names exist, and it never goes back.

    check_walk.py ROOT

In the section "One example through the rooms" every `room::name` must be a word of a header of lib/room, and the steps
(`1. **room**...`) must name rooms in the order of lib/layers.txt. Prints what does not hold and exits with 1 if anything does not.
"""

import re
import sys
from pathlib import Path

from check_includes import read_layers

TITLE = "## One example through the rooms"


def problems(root):
    text = (root / "lib/README.md").read_text(encoding="utf-8")
    if TITLE not in text:
        yield f"lib/README.md: no section '{TITLE}'"
        return
    walk = text.split(TITLE, 1)[1].split("\n## ", 1)[0]
    rooms = list(read_layers(root))
    steps = re.findall(r"^\d+\. \*\*(\w+)\*\*", walk, re.M)
    for room in steps:
        if room not in rooms:
            yield f"lib/README.md: the walk enters '{room}', which is no folder of lib/"
    numbers = [rooms.index(room) for room in steps if room in rooms]
    if len(steps) < 5 or numbers != sorted(set(numbers)):
        yield f"lib/README.md: the walk goes back, or is short: {' '.join(steps)}"
    for room, name in sorted(set(re.findall(r"`(\w+)::(\w+)", walk))):
        headers = sorted((root / "lib" / room).glob("*.hpp"))
        if not any(re.search(rf"\b{name}\b", header.read_text(encoding="utf-8")) for header in headers):
            yield f"lib/README.md: {room}::{name} is in no header of lib/{room}"


def main():
    found = list(problems(Path(sys.argv[1])))
    for problem in found:
        print(problem)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
