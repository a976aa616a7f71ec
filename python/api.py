#!/usr/bin/env python3
"""api.py [--check]: writes API.md from the docstrings of the package; with --check it only says whether the page is current.

Reads the sources, so that neither the package nor its requirements need be installed.
"""

import argparse
import ast
import inspect
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
HEAD = """# The Python package, name by name

Made from the docstrings by `python/api.py`; [README.md](README.md) has the tour.
"""


def homes():
    """Public names and their modules, as the package lists them."""
    module = ast.parse((HERE / "treeline/__init__.py").read_text(encoding="utf-8"))
    for node in module.body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "_HOMES":
            return ast.literal_eval(node.value)
    raise SystemExit("treeline/__init__.py has no _HOMES")


def signature(function, skip_self):
    arguments = ast.unparse(function.args)
    if skip_self:
        arguments = arguments.removeprefix("self").removeprefix("cls").removeprefix(", ")
    return f"({arguments})"


def bases_of(tree, node):
    """The class and those of the same module that it is made of, the nearest first."""
    known = {item.name: item for item in tree.body if isinstance(item, ast.ClassDef)}
    found = [node]
    for base in node.bases:
        if isinstance(base, ast.Name) and base.id in known:
            found += bases_of(tree, known[base.id])
    return found


def members(tree, node, modules):
    """Public methods with a docstring, those of bases in the package included."""
    seen = {}
    classes = bases_of(tree, node)
    for base in node.bases:
        name = base.id if isinstance(base, ast.Name) else ""
        for other in modules.values():
            classes += [item for item in other.body if isinstance(item, ast.ClassDef) and item.name == name]
    for one in classes:
        for item in one.body:
            if isinstance(item, ast.FunctionDef) and not item.name.startswith("_") and ast.get_docstring(item):
                seen.setdefault(item.name, item)
    return seen.values()


def text_of(docstring):
    """A docstring in numpydoc's form as Markdown: headings in bold, sections as they are."""
    out, lines, fence = [], inspect.cleandoc(docstring).splitlines(), False
    for number, line in enumerate(lines):
        underline = number + 1 < len(lines) and lines[number + 1] and set(lines[number + 1]) == {"-"}
        if line and set(line) == {"-"}:
            continue
        if line.startswith(">>>") and not fence:
            out += ["```python"]
            fence = True
        if fence and not line:
            out += ["```"]
            fence = False
        explained = number + 1 < len(lines) and lines[number + 1].startswith("    ")
        out.append(f"**{line}**\n" if underline else line if fence else entry(line, explained))
    return "\n".join(out + (["```"] if fence else []))


def entry(line, explained):
    """A line of a section: `name : type`, or a name with a text below it, becomes an item; its text is set in."""
    if line.startswith("    "):
        return "  " + line.strip()
    name, colon, kind = line.partition(" : ")
    if not line or not all(part.strip().isidentifier() for part in name.split(",")) or not (colon or explained):
        return line
    return f"- `{name}`: {kind}" if colon else f"- `{name}`:"


def page():
    modules = {name: ast.parse((HERE / f"treeline/{name}.py").read_text(encoding="utf-8"))
               for name in {*homes().values(), "_base"}}
    parts = [HEAD]
    for name, module in sorted(homes().items(), key=lambda item: item[0].lower()):
        node = next(item for item in modules[module].body if getattr(item, "name", None) == name)
        made = next((item for item in getattr(node, "body", []) if getattr(item, "name", None) == "__init__"), None)
        arguments = signature(node, False) if isinstance(node, ast.FunctionDef) else signature(made, True) if made else ""
        parts.append(f"## {name}\n\n```python\ntreeline.{name}{arguments}\n```\n\n{text_of(ast.get_docstring(node) or '')}\n")
        if isinstance(node, ast.ClassDef):
            for item in members(modules[module], node, modules):
                is_property = any(isinstance(one, ast.Name) and one.id == "property" for one in item.decorator_list)
                called = f"`{item.name}`" if is_property else f"`{item.name}{signature(item, True)}`"
                parts.append(f"### {called}\n\n{text_of(ast.get_docstring(item))}\n")
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    target = HERE / "API.md"
    if parser.parse_args().check:
        if not target.exists() or target.read_text(encoding="utf-8") != page():
            sys.exit("python/API.md is not what the docstrings say; run python/api.py")
    else:
        target.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
