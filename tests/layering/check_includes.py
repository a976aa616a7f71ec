#!/usr/bin/env python3
"""Holds lib/layers.txt, the table of who may include whom, true.

    check_includes.py ROOT

Reads every #include line below ROOT/lib, ROOT/stages and ROOT/tests; prints one line for each that the table does not
allow and exits with 1 if there are any.
"""

import re
import sys
from pathlib import Path

# Headers from outside, and the only files (patterns on the path from the root) that may include them.
SET_UP = r"tests/dependencies/.*"
OUTSIDE = [
    (r"rocksdb/", rf"lib/store/.*\.cpp|tests/unit/store/.*|tests/fuzz/dictionary_rows\.cpp|{SET_UP}", "RocksDB belongs to lib/store/*.cpp"),
    (r"arrow/", rf"lib/store/.*\.cpp|tests/unit/store/.*|{SET_UP}", "Arrow belongs to lib/store/*.cpp"),
    (r"(liblinear/)?linear\.h$", rf"lib/linear/liblinear_adapter\.[ch]pp|{SET_UP}", "LIBLINEAR belongs to lib/linear/liblinear_adapter"),
    (r"CLI/", r"stages/.*|tests/stage/common/.*", "CLI11 belongs to stages/"),
    (r"catch2/", r"tests/support/catch(_main)?\.[ch]pp", "Catch2 is included through support/catch.hpp"),
    (r"benchmark/", r"tests/bench/.*", "Google Benchmark belongs to tests/bench"),
    (r"iostream$", r"(stages|tests)/.*", "the library never prints"),
]

INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def read_layers(root):
    """The folders of lib/, in order, each with the set of those that it may include."""
    layers = {}
    for number, line in enumerate((root / "lib/layers.txt").read_text(encoding="utf-8").splitlines(), start=1):
        if line.startswith("#") or not line.strip():
            continue
        folder, _, allowed = line.partition(":")
        unknown = set(allowed.split()) - set(layers)
        if unknown:
            raise SystemExit(f"lib/layers.txt:{number}: {folder} comes before {', '.join(sorted(unknown))}")
        layers[folder] = set(allowed.split())
    return layers


def table(layers):
    """The layers as the Markdown table that lib/README.md shows."""
    rows = "".join(f"| `{name}` | {' '.join(f'`{other}`' for other in layers if other in allowed)} |\n" for name, allowed in layers.items())
    return "| folder | may include |\n|---|---|\n" + rows


def project_problem(layers, path, header):
    """Why the file `path` (parts from the root) may not include the project's `header`, or None."""
    folder = header.split("/")[0]
    if ".." in header.split("/") or "/" not in header:
        return "write it from lib/, stages/ or tests/, as in \"base/error.hpp\""
    if path[0] == "tests":
        return None
    if path[0] == "lib":
        own = path[1]
        if folder == own or folder in layers.get(own, set()):
            return None
        allowed = ", ".join(name for name in layers if name in layers.get(own, set())) or "nothing else"
        return f"{own} may include {allowed}"
    own = path[1]
    if folder in layers or folder in (own, "common"):
        return None
    return "a stage may include lib/, stages/common and itself"


def problems(root):
    layers = read_layers(root)
    if table(layers) not in (root / "lib/README.md").read_text(encoding="utf-8"):
        yield f"lib/README.md: its table is not that of lib/layers.txt, which is\n{table(layers)}"
    for folder in sorted(path.name for path in (root / "lib").iterdir() if path.is_dir()):
        if folder not in layers:
            yield f"lib/{folder}: has no line in lib/layers.txt"
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
                    reasons.append(project_problem(layers, path.parts, header))
                elif quote == "<" and header.split("/")[0] in layers:
                    reasons.append("the project's headers are included with quotes")
                for reason in filter(None, reasons):
                    yield f"{path}:{number}: includes {header}; {reason}"


def main():
    root = Path(sys.argv[1])
    found = list(problems(root))
    for problem in found:
        print(problem)
    print(f"{len(found)} violations of lib/layers.txt")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
