#!/usr/bin/env python3
"""Holds functions of lib/ and stages/ to 80 lines and files to 400.

    check_sizes.py ROOT

Prints one line for each that is longer and exits with 1 if there are any. A function is a block in braces after a closing
parenthesis (with what may stand between: const, noexcept, initializers ...); its lines are those from its head to the
closing brace. Lambdas and local classes count as lines of the function around them.
"""

import re
import sys
from pathlib import Path

MOST_LINES_OF_FUNCTION = 80
MOST_LINES_OF_FILE = 400

# Comments, and literals in which braces mean nothing.
NO_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"([^()\\ ]*)\(.*?\)\1"|"(?:[^"\\\n]|\\.)*"|(?<![0-9a-fA-F])\'(?:[^\'\\\n]|\\.)+\'', re.DOTALL)
NOT_FUNCTIONS = ("if", "for", "while", "switch", "catch", "return", "namespace")


def code_only(text):
    """`text` with comments, literals and values in braces (`member_{1}`) blanked; lines stay where they are."""
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())

    code, count = NO_CODE.sub(blank, text), 1
    while count:
        code, count = re.subn(r"(?<=[\w>)])\{[^{}]*\}", blank, code)
    return code


def name_of(head):
    """The name of the function that `head`, the text from the last statement to an opening brace, declares, or None."""
    if ")" not in head or re.search(r"\b(namespace|enum)\b|=\s*$", head):
        return None
    match = re.search(r"((?:\w+(?:<\w+>)?::)*~?\w+|operator\s*\S+?)\s*\(", head)
    if not match or match.group(1).split("::")[-1] in NOT_FUNCTIONS:
        return None
    return match.group(1)


def functions(text):
    """(name, first line, number of lines) of each outermost function in `text`."""
    code = code_only(text)
    inside = []  # for each open brace: the name, if it opens a function that is not within another
    for match in re.finditer(r"[{}]", code):
        place = match.start()
        if match.group() == "{":
            begin = max(code.rfind(mark, 0, place) for mark in ";{}") + 1
            begin += re.match(r"(\s|#[^\n]*\n|(public|private|protected)\s*:)*", code[begin:place]).end()
            inside.append((None if any(name for name, _ in inside) else name_of(code[begin:place]), begin))
        elif inside:
            name, begin = inside.pop()
            if name:
                yield name, code.count("\n", 0, begin) + 1, code.count("\n", begin, place) + 1


def problems(root):
    for top in ("lib", "stages"):
        for file in sorted((root / top).rglob("*")):
            if file.suffix not in (".hpp", ".cpp"):
                continue
            path = file.relative_to(root).as_posix()
            text = file.read_text(encoding="utf-8")
            lines = text.count("\n")
            if lines > MOST_LINES_OF_FILE:
                yield f"{path}: {lines} lines; at most {MOST_LINES_OF_FILE}"
            for name, line, count in functions(text):
                if count > MOST_LINES_OF_FUNCTION:
                    yield f"{path}:{line}: {name} has {count} lines; at most {MOST_LINES_OF_FUNCTION}"


def main():
    found = list(problems(Path(sys.argv[1])))
    for problem in found:
        print(problem)
    print(f"{len(found)} functions or files that are too long")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
