#!/usr/bin/env python3
"""Holds what a tree kernel is in one place: who asks for kinds of kernels, and for what follows from them.

    check_families.py ROOT

Prints one line for each use outside the files below and exits with 1 if there are any. A new kernel is then a row in
lib/kernel/family.hpp, a new kind of fragment an evaluation in lib/kernel and a class in lib/fragment/fragment_family.cpp; code
elsewhere asks KernelFamily or FragmentFamily what it wants to know, not which kernel it has.
"""

import re
import sys
from pathlib import Path

FAMILY = "lib/kernel/family.hpp"
# What may be named, and where.
RULES = [
    # Single kernels: their table; the default; the numbers that files of SVM-light-TK give them.
    (r"\bTreeKernelKind::\w+", {FAMILY, "lib/kernel/description.hpp", "lib/store/svm_light_header.cpp"}),
    # Kinds of fragments: where one of the objects that know them is chosen.
    (r"\bFragmentKind::\w+", {FAMILY, "lib/fragment/fragment_family.cpp"}),
    (r"\bLoneNodes::\w+", {FAMILY, "lib/kernel/description.hpp", "lib/kernel/quadratic.cpp"}),
    # By label or by production: the evaluations, which are two, and what is laid out for them.
    (r"\bmatches_by_label\(",
     {FAMILY, "lib/kernel/description.hpp", "lib/kernel/quadratic.cpp", "lib/kernel/pairwise.cpp", "lib/kernel/delta_rows.hpp",
      "lib/kernel/target_index.cpp", "lib/kernel/node_index.cpp", "lib/fragment/tree_norm.cpp"}),
    # Tests of a kernel by name, in whatever spelling.
    (r"\b(is_partial|is_bow|is_subtree|is_subset|is_ptk|is_uptk)\b", set()),
]


def problems(root):
    for top in ("lib", "stages"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".hpp", ".cpp"):
                continue
            path = file.relative_to(root).as_posix()
            for number, line in enumerate(file.read_text(encoding="utf-8").split("\n"), 1):
                code = line.split("//")[0]
                for pattern, allowed in RULES:
                    if path not in allowed and (found := re.search(pattern, code)):
                        yield f"{path}:{number}: {found.group()} belongs to {', '.join(sorted(allowed)) or 'no file'}"


def main():
    found = list(problems(Path(sys.argv[1])))
    for problem in found:
        print(problem)
    print(f"{len(found)} questions about kernels in the wrong place")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
