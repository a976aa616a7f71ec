#!/usr/bin/env python3
"""Functions of Python programs as trees, one example a line: LABEL<TAB>tree.

    python_trees.py [--words is,has] [--least N] [--most N] FILE.py... > functions.tsv

The tree is the syntax tree of the function's body without its documentation and its name; constants are their types, names stay. The
label is the first word of the function's name (`is` of is_empty and isEmpty); with --words, functions with other words are left out.
Files that are no Python 3 are named on standard error and skipped, functions of fewer than --least or more than --most nodes are too.
"""

import argparse
import ast
import re
import sys
from pathlib import Path


def children_of(node):
    """What stands below a node: nodes, and names as strings."""
    for name, value in ast.iter_fields(node):
        if name in ("ctx", "type_comment", "kind", "annotation", "returns", "decorator_list"):
            continue
        for item in value if isinstance(value, list) else [value]:
            if isinstance(item, ast.AST):
                yield item
            elif isinstance(item, str) and item.isidentifier():
                yield item


def to_tree(node):
    """The node in brackets, and how many nodes it has. No recursion: programs may be nested deeply."""
    parts, size, waiting = [], 0, [node]
    while waiting:
        item = waiting.pop()
        if isinstance(item, str):
            parts.append(item if item == ")" else " " + item)
            continue
        size += 1
        parts.append(" (" + type(item).__name__)
        if isinstance(item, ast.Constant):
            parts.append(f" {type(item.value).__name__})")
            continue
        waiting.append(")")
        waiting.extend(reversed(list(children_of(item))))
    return "".join(parts).strip(), size


def body_of(function):
    """The function as a node of its arguments and statements alone."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return ast.Module(body=[function.args, *body], type_ignores=[])


def first_word(name):
    words = re.findall(r"[A-Z]*[a-z]+|[A-Z]+", name)
    return words[0].lower() if words else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", default="", help="labels to keep, separated by commas; all where empty")
    parser.add_argument("--least", type=int, default=5, help="nodes of a function at least")
    parser.add_argument("--most", type=int, default=500, help="nodes of a function at most")
    parser.add_argument("files", type=Path, nargs="+")
    options = parser.parse_args()
    words = set(filter(None, options.words.split(",")))
    for path in options.files:
        try:
            program = ast.parse(path.read_bytes())
        except (SyntaxError, ValueError, OSError) as error:
            print(f"python_trees.py: {path}: {error}; skipped", file=sys.stderr)
            continue
        for function in ast.walk(program):
            if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
                continue
            label = first_word(function.name)
            tree, size = to_tree(body_of(function))
            if label and (not words or label in words) and options.least <= size <= options.most:
                print(f"{label}\t{tree}")


if __name__ == "__main__":
    main()
