#!/usr/bin/env python3
"""Holds the include table of lib/README.md true.

    check_includes.py ROOT

Reads every #include line below ROOT/lib, ROOT/stages and ROOT/tests; prints one line for each that the table does not
allow and exits with 1 if there are any.
"""

import re
import sys
from pathlib import Path

# What a module may include besides itself.
MODULES = {
    "base": set(),
    "tree": {"base"},
    "data": {"base", "tree"},
    "kernel": {"base", "tree"},
    "learn": {"base", "tree", "kernel"},
    "fragment": {"base", "tree", "kernel"},
    "store": {"base", "tree", "kernel", "learn", "fragment"},
}

# Headers from outside, and the only files (patterns on the path from the root) that may include them.
SET_UP = r"tests/dependencies/.*"
OUTSIDE = [
    (r"rocksdb/", rf"lib/store/.*\.cpp|tests/unit/store/.*|{SET_UP}", "RocksDB belongs to lib/store/*.cpp"),
    (r"arrow/", rf"lib/store/.*\.cpp|tests/unit/store/.*|{SET_UP}", "Arrow belongs to lib/store/*.cpp"),
    (r"(liblinear/)?linear\.h$", rf"lib/learn/liblinear_adapter\.[ch]pp|{SET_UP}", "LIBLINEAR belongs to lib/learn/liblinear_adapter"),
    (r"CLI/", r"stages/.*", "CLI11 belongs to stages/"),
    (r"catch2/", r"tests/support/catch(_main)?\.[ch]pp", "Catch2 is included through support/catch.hpp"),
    (r"benchmark/", r"tests/bench/.*", "Google Benchmark belongs to tests/bench"),
    (r"iostream$", r"(stages|tests)/.*", "the library never prints"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def project_problem(path, header):
    """Why the file `path` (parts from the root) may not include the project's `header`, or None."""
    folder = header.split("/")[0]
    if ".." in header.split("/") or "/" not in header:
        return "write it from lib/, stages/ or tests/, as in \"base/error.hpp\""
    if path[0] == "tests":
        return None
    if path[0] == "lib":
        own = path[1]
        if folder == own or folder in MODULES.get(own, set()):
            return None
        allowed = ", ".join(name for name in MODULES if name in MODULES.get(own, set())) or "nothing else"
        return f"{own} may include {allowed}"
    own = path[1]
    if folder in MODULES or folder in (own, "common"):
        return None
    return "a stage may include lib/, stages/common and itself"


def problems(root):
    for top in ("lib", "stages", "tests"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".hpp", ".cpp", ".h", ".cc"):
                continue
            path = file.relative_to(root)
            for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
                match = INCLUDE.match(line)
                if not match:
                    continue
                quote, header = match.groups()
                reasons = [
                    reason
                    for pattern, allowed, reason in OUTSIDE
                    if re.match(pattern, header) and not re.fullmatch(allowed, path.as_posix())
                ]
                outside = any(re.match(pattern, header) for pattern, _, _ in OUTSIDE)
                if quote == '"' and not outside:
                    reasons.append(project_problem(path.parts, header))
                elif quote == "<" and header.split("/")[0] in MODULES:
                    reasons.append("the project's headers are included with quotes")
                for reason in filter(None, reasons):
                    yield f"{path}:{number}: includes {header}; {reason}"


def main():
    root = Path(sys.argv[1])
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"{len(found)} includes against the table")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
