#!/usr/bin/env python3
"""Lets the calls of every stage go wrong, one by one, and looks at what is left.

    faults.py --bin DIR --inject inject.so [--all | --sample N] [--seed S] [--only REGEX] [--work DIR]

For each command of commands.py and each kind of fault it disturbs the N-th call (all N with --all, else a seeded sample): kill
at it; EIO, ENOSPC, EACCES at write, fsync, rename, open, read, mmap, unlink; a failing allocation; a short write or read. Then:

- exit 0 means that every output has the bytes of an undisturbed run;
- any other exit is 1, 2 or 3 (or the kill), with a message led by the stage's name; each output is whole or absent;
- the same command, undisturbed, then ends in the bytes of an undisturbed run.

Exits with 1 and a line for each that does not hold. Ends with `N passed, N failed`.
"""

import argparse
import hashlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import COMMANDS, PREPARE

ROOT = Path(__file__).resolve().parents[2]
KINDS = [
    ("any", "kill"), ("write", "EIO"), ("write", "ENOSPC"), ("write", "short"), ("read", "EIO"), ("read", "short"), ("fsync", "EIO"),
    ("rename", "EACCES"), ("open", "EACCES"), ("open", "EIO"), ("mmap", "ENOMEM"), ("unlink", "EACCES"), ("mkdir", "ENOSPC"),
    ("truncate", "ENOSPC"), ("alloc", "ENOMEM"),
]
TIMEOUT = 60


class Faults:
    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.inputs = work / "inputs"
        self.environment = {"PATH": f"{options.bin.resolve()}:/usr/bin:/bin", "HOME": str(work), "LC_ALL": "C"}

    def prepare(self):
        self.inputs.mkdir()
        subprocess.run(["bash", "-euc", PREPARE.format(root=ROOT)], check=True, cwd=self.inputs, env=self.environment, capture_output=True)

    def run(self, command, folder, fault=None, count=None):
        environment = dict(self.environment)
        if fault or count:
            calls, kind, at = fault or (count[0], "EIO", 0)
            environment.update(LD_PRELOAD=str(self.options.inject.resolve()), FAULT_CALLS=calls, FAULT_WITH=kind, FAULT_AT=str(at))
        if count:
            environment["FAULT_COUNT"] = str(count[1])
        line = re.sub(r"%([\w.-]+)", lambda match: str(self.inputs / match.group(1)), command.format(root=ROOT))
        line = re.sub(r"@([\w.-]+)", r"\1", line)
        try:
            result = subprocess.run(line.split(), cwd=folder, env=environment, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "hangs", ""
        return result.returncode, result.stderr.decode(errors="replace")

    def content(self, path):
        """What an output is, as bytes: a dictionary is its export."""
        if path.is_dir() and (path / "CURRENT").exists():
            verified = subprocess.run(["fdi", "verify", path, "--log-level", "quiet"], env=self.environment, capture_output=True)
            exported = subprocess.run(["fdi", "export", path, "--log-level", "quiet"], env=self.environment, capture_output=True)
            return "damaged" if verified.returncode else hashlib.sha256(exported.stdout).hexdigest()
        if path.is_dir():
            return repr(sorted((each.name, self.content(each)) for each in path.iterdir()))
        return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "absent"

    def contents(self, command, folder):
        return {name: self.content(folder / name) for name in re.findall(r"@([\w.-]+)", command)}

    def reference(self, name, command):
        folder = self.work / f"{name}.reference"
        folder.mkdir()
        code, talk = self.run(command, folder)
        if code != 0:
            raise SystemExit(f"{name} fails undisturbed: {talk}")
        return self.contents(command, folder)

    def calls(self, name, command, kind):
        folder = Path(tempfile.mkdtemp(dir=self.work))
        count = folder / "count"
        self.run(command, folder, count=(kind, count))
        number = int(count.read_text())
        shutil.rmtree(folder)
        return number

    def disturb(self, name, command, fault, expected):
        """What is wrong after the fault and after the rerun, or None."""
        folder = Path(tempfile.mkdtemp(dir=self.work))
        try:
            code, talk = self.run(command, folder, fault)
            found = self.contents(command, folder)
            stage = command.split()[0]
            if code == "hangs":
                return "hangs"
            if code == 0 and found != expected:
                return f"exit 0, but {[key for key in found if found[key] != expected[key]]} differ"
            if code not in (0, 1, 2, 3) and not (code == -9 and fault[1] == "kill"):
                return f"crashes with {code}: {talk.strip()[-200:]}"
            if code in (1, 2, 3) and f"{stage}: " not in talk:
                return f"exit {code} without a message: {talk.strip()[-200:]}"
            if code != 0:
                for key in found:
                    if found[key] not in ("absent", expected[key]) and not (folder / key).is_dir():
                        return f"exit {code} leaves {key} half-written"
            code, talk = self.run(command, folder)
            if code != 0:
                return f"the rerun exits with {code}: {talk.strip()[-200:]}"
            again = self.contents(command, folder)
            if again != expected:
                return f"after the rerun {[key for key in again if again[key] != expected[key]]} differ"
            leftovers = [file.name for file in folder.iterdir() if ".tmp-" in file.name]
            return f"the rerun leaves {leftovers}" if leftovers else None
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--inject", type=Path, required=True)
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--sample", type=int, default=300, help="faults in all")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    parser.add_argument("--only", default="", help="commands whose name matches")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="faults."))
    work.mkdir(exist_ok=True)
    faults = Faults(options, work.resolve())
    faults.prepare()
    cases, expected = [], {}
    for name, command in COMMANDS.items():
        if re.search(options.only, name):
            expected[name] = faults.reference(name, command)
            counts = {kind: faults.calls(name, command, kind) for kind in {kind for kind, _ in KINDS}}
            cases += [(name, (kind, fault, at)) for kind, fault in KINDS for at in range(1, counts[kind] + 1)]
    print(f"{len(cases)} faults in {len(expected)} commands; seed {options.seed}", flush=True)
    if not options.all:
        # Allocations are most of all calls: every kind of every command has the same share.
        order = random.Random(options.seed)
        groups = {}
        for case in cases:
            groups.setdefault((case[0], case[1][:2]), []).append(case)
        cases = []
        while len(cases) < options.sample and any(groups.values()):
            for group in order.sample(list(groups.values()), len(groups)):
                if group and len(cases) < options.sample:
                    cases.append(group.pop(order.randrange(len(group))))
    with ThreadPoolExecutor(options.jobs) as pool:
        problems = list(pool.map(lambda case: faults.disturb(case[0], COMMANDS[case[0]], case[1], expected[case[0]]), cases))
    for (name, fault), problem in zip(cases, problems):
        if problem:
            print(f"{name}: {fault[1]} at {fault[0]} {fault[2]}: {problem}")
    failed = sum(1 for problem in problems if problem)
    print(f"{len(cases) - failed} passed, {failed} failed")
    if not options.work:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
