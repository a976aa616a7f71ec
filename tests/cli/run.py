#!/usr/bin/env python3
"""Runs the command-line cases of this folder; README.md says what a case is."""

import argparse
import difflib
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
SKIPPED = 77


def data_folder():
    folder = Path(os.environ.get("TREELINE_DATA") or HERE.parents[1] / ".." / "shared" / "data").resolve()
    return str(folder) if folder.is_dir() else ""


def read(path, default=b""):
    return path.read_bytes() if path.exists() else default


def difference(name, expected, found):
    """A unified diff of two byte strings as text, or one line where they are not text."""
    try:
        lines = [text.decode("utf-8").splitlines(keepends=True) for text in (expected, found)]
    except UnicodeDecodeError:
        return f"{name}: {len(expected)} bytes expected, {len(found)} other bytes found\n"
    diff = difflib.unified_diff(*lines, f"{name} (expected)", f"{name} (found)")
    return "".join(line if line.endswith("\n") else line + "\n\\ no newline at the end\n" for line in diff)


def unmatched(patterns, text):
    """The first pattern that matches no line after the match of the one before it, or None."""
    lines = iter(text.splitlines())
    for pattern in patterns:
        if not any(re.search(pattern, line) for line in lines):
            return pattern
    return None


class Case:
    def __init__(self, folder, programs, seconds):
        self.folder = folder
        self.seconds = seconds
        self.environment = {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ.get('PATH', '')}",
            "CASE": str(folder),
            "TREELINE_DATA": data_folder(),
            "LC_ALL": "C.UTF-8",
        }
        self.failures = []

    def run(self, refresh=False):
        """Runs the case: True passed, False failed (see `failures`), None skipped."""
        with tempfile.TemporaryDirectory(prefix="treeline-cli-") as scratch:
            done = subprocess.run(
                ["bash", "-euo", "pipefail", str(self.folder / "cmd")],
                cwd=scratch,
                env=self.environment,
                input=read(self.folder / "stdin"),
                capture_output=True,
                timeout=self.seconds,
            )
            expected_exit = int(read(self.folder / "exit", b"0"))
            if done.returncode == SKIPPED:
                if not self.environment["TREELINE_DATA"] and b"TREELINE_DATA" in read(self.folder / "cmd"):
                    print("skipped: no data folder; set TREELINE_DATA")
                return None
            if done.returncode != expected_exit:
                self.failures.append(f"exit code {done.returncode}, expected {expected_exit}\n")
                if refresh:
                    self.write("exit", f"{done.returncode}\n".encode())
            expected = read(self.folder / "stdout")
            if done.stdout != expected:
                self.failures.append(difference("stdout", expected, done.stdout))
                if refresh:
                    self.write("stdout", done.stdout)
            self.check_stderr(done.stderr.decode("utf-8", "replace"), refresh)
            self.check_files(Path(scratch), refresh)
            if self.failures and done.stderr:
                self.failures.append("stderr was:\n" + done.stderr.decode("utf-8", "replace"))
        return not self.failures

    def check_stderr(self, found, refresh):
        file = self.folder / "stderr"
        if not file.exists():
            return
        patterns = file.read_text(encoding="utf-8").splitlines()
        missing = unmatched(patterns, found)
        if patterns and missing is None or not patterns and not found:
            return
        self.failures.append(
            f"no line of stderr matches: {missing}\n" if patterns else "stderr is not empty\n"
        )
        if refresh:
            self.write("stderr", "".join(re.escape(line) + "\n" for line in found.splitlines()).encode())

    def check_files(self, scratch, refresh):
        expected = self.folder / "files"
        for file in sorted(expected.rglob("*")):
            name = file.relative_to(expected)
            if file.is_dir():
                continue
            if file.suffix == ".absent":
                if (scratch / name).with_suffix("").exists():
                    self.failures.append(f"{name.with_suffix('')} is there, but must not be\n")
            elif not (scratch / name).is_file():
                self.failures.append(f"{name} was not written\n")
            elif read(scratch / name) != read(file):
                self.failures.append(difference(str(name), read(file), read(scratch / name)))
                if refresh:
                    self.write(f"files/{name}", read(scratch / name))

    def write(self, name, content):
        (self.folder / name).write_bytes(content)


def cases(root, wanted):
    """Folders of the cases below `root` that `wanted` (STAGE or STAGE/CASE; nothing = all) names."""
    found = [command.parent for command in sorted(root.glob("*/*/cmd"))]
    for name in wanted:
        if not any(name in (case.parent.name, f"{case.parent.name}/{case.name}") for case in found):
            sys.exit(f"run.py: no case '{name}' in {root}")
    return [
        case
        for case in found
        if not wanted or case.parent.name in wanted or f"{case.parent.name}/{case.name}" in wanted
    ]


def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bin", type=Path, required=True, help="folder of the built programs")
    parser.add_argument("--cases", type=Path, default=HERE, help="folder of the cases (default: this one)")
    parser.add_argument("--seconds", type=int, default=300, help="that a case may take")
    parser.add_argument("wanted", nargs="*", metavar="STAGE[/CASE]")
    options = parser.parse_args(arguments)
    refresh = os.environ.get("TREELINE_REFRESH") == "1"

    counts = {True: 0, False: 0, None: 0}
    for folder in cases(options.cases.resolve(), options.wanted):
        case = Case(folder, options.bin.resolve(), options.seconds)
        result = case.run(refresh)
        counts[result] += 1
        word = {True: "passed", False: "refreshed" if refresh else "FAILED", None: "skipped"}[result]
        print(f"{folder.parent.name}/{folder.name}: {word}")
        print("".join(case.failures), end="")
    print(f"{counts[True]} passed, {counts[False]} {'refreshed' if refresh else 'failed'}, {counts[None]} skipped")
    if counts[False] and not refresh:
        return 1
    return SKIPPED if counts[None] and not counts[True] else 0


if __name__ == "__main__":
    sys.exit(main())
