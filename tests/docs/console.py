#!/usr/bin/env python3
"""Runs what the pages of docs/ show: their output is true, or the test fails.

    console.py --bin DIR PAGE.md...        compares; TREELINE_REFRESH=1 writes what was found into the pages instead

A block fenced by ```console holds commands, each on a line that starts with `$ ` (a line that ends in `\\` goes on in the next one),
and the output that follows them. In a block fenced by ```console varying a number in the output stands for any number: seconds, memory, what
depends on the machine. In one fenced by ```console once the output shown is that of some run: it is only
checked that the commands succeed. A block fenced by ```file NAME is first written to NAME. The blocks of a page run in order in one
scratch folder that has the project's data/, with the programs in PATH and `$TREELINE` the project's root; standard error is part of the output. In expected
output `...` on a line of its own stands for any lines.
"""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BLOCK = re.compile(r"^```(console(?: varying| once)?|file (\S+))\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# With the unit that may change with it.
NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:e[-+]?\d+)?(?: (?:kB|MB|GB|s|min \d+ s|k|M)\b)?(?:/s)?")


def steps(block):
    """The commands of a block, each with its expected output."""
    found = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ ") and not (found and found[-1][0].endswith("\\\n") and not found[-1][1]):
            found.append([line, ""])
        elif found and found[-1][0].endswith("\\\n") and not found[-1][1]:
            found[-1][0] += line
        elif found:
            found[-1][1] += line
        else:
            raise SystemExit(f"a console block starts with output: {line!r}")
    return found


def line_pattern(line, varying):
    if line.strip() == "...":
        return r"(?:.*\n)*?"
    if not varying:
        return re.escape(line)
    texts = NUMBER.split(line)
    return NUMBER.pattern.join(map(re.escape, texts))


def agrees(expected, found, varying):
    pattern = "".join(line_pattern(line, varying) for line in expected.splitlines(keepends=True))
    return re.fullmatch(pattern, found) is not None


def check(page, programs, refresh):
    """Runs a page; the problems found."""
    text = page.read_text(encoding="utf-8")
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        environment = {"PATH": f"{programs.resolve()}:{os.environ['PATH']}", "TREELINE": str(ROOT), "TREELINE_BIN": str(programs.resolve()), "HOME": folder, "LC_ALL": "C.UTF-8"}

        (Path(folder) / "data").symlink_to(ROOT / "data")

        def run(match):
            if match.group(2):
                (Path(folder) / match.group(2)).write_text(match.group(3), encoding="utf-8")
                return match.group(0)
            block = ""
            for command, expected in steps(match.group(3)):
                result = subprocess.run(["bash", "-c", command[2:]], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL)
                found = result.stdout.decode("utf-8", errors="replace").replace(folder, ".")
                how = match.group(1).removeprefix("console").strip()
                if result.returncode == 0 if how == "once" and expected else agrees(expected, found, how == "varying"):
                    found = expected
                elif not refresh:
                    difference = "".join(difflib.unified_diff(expected.splitlines(True), found.splitlines(True), "the page", "the program"))
                    problems.append(f"{page.name}: {command}{difference}")
                block += command + found
            return f"```{match.group(1)}\n{block}```"

        fresh = BLOCK.sub(run, text)
    if refresh and fresh != text:
        page.write_text(fresh, encoding="utf-8")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("pages", type=Path, nargs="+")
    options = parser.parse_args()
    problems = [problem for page in options.pages for problem in check(page, options.bin, os.environ.get("TREELINE_REFRESH") == "1")]
    print("\n".join(problems), end="")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
