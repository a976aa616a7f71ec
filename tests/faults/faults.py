#!/usr/bin/env python3
"""Lets the calls of every stage go wrong, one by one, and looks at what is left.

    faults.py --bin DIR --inject inject.so [--all | --sample N] [--seed S] [--only REGEX] [--kind REGEX] [--last N] [--work DIR]

For each command of commands.py and each kind of fault it disturbs the N-th call (all N with --all, else a seeded sample): kill
at it, with and without the loss of what no fsync() has made safe; SIGTERM, which must leave no temporary file; a thread that is not
to be had; EIO, ENOSPC, EACCES and others at write, fsync, rename, open, read, mmap, unlink, stat, close, seek, lock and the reading of
folders; a failing allocation, be it any or one of a library that takes those ill; a short write or read. Then:

- exit 0 means that every output has the bytes of an undisturbed run;
- any other exit is 1, 2 or 3 (or the kill), with a message led by the stage's name, which names the file that the call was about;
  each output is whole or absent;
- the same command, undisturbed, then ends in the bytes of an undisturbed run.

--all takes every call but allocations, of which there are most, and of these --allocations a command and library. Exits with 1 and a line for each that
does not hold. Ends with `N passed, N failed`.
"""

import hashlib
import random
import re
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from commands import COMMANDS, memory_folder, option_parser, prepare_inputs, told

ROOT = Path(__file__).resolve().parents[2]
KINDS = [
    ("any", "kill"), ("any", "lose"), ("any", "term"), ("thread", "EAGAIN"), ("write", "EIO"), ("write", "ENOSPC"), ("write", "short"),
    ("read", "EIO"), ("read", "short"), ("fsync", "EIO"), ("rename", "EACCES"), ("open", "EACCES"), ("open", "EIO"), ("open", "EMFILE"),
    ("close", "EIO"), ("stat", "EIO"), ("stat", "EACCES"), ("folder", "EIO"), ("seek", "EIO"), ("lock", "EIO"), ("chmod", "EACCES"),
    ("mmap", "ENOMEM"), ("unlink", "EACCES"), ("mkdir", "ENOSPC"), ("truncate", "ENOSPC"), ("alloc", "ENOMEM"), ("alloc@libtbb", "ENOMEM"),
    ("alloc@liblinear", "ENOMEM"), ("alloc@librocksdb", "ENOMEM"), ("alloc@libarrow", "ENOMEM"),
]
TIMEOUT = 60


class Faults:
    def __init__(self, options, work):
        self.options = options
        self.work = work
        self.inputs = work / "inputs"
        self.environment = {"PATH": f"{options.bin.resolve()}:/usr/bin:/bin", "HOME": str(work), "LC_ALL": "C"}

    def run(self, command, folder, fault=None, count=None):
        environment = dict(self.environment)
        if fault or count:
            calls, kind, at = fault or (count[0], "EIO", 0)
            calls, _, library = calls.partition("@")
            environment.update(LD_PRELOAD=str(self.options.inject.resolve()), FAULT_CALLS=calls, FAULT_WITH=kind, FAULT_AT=str(at),
                               FAULT_PATH=str(folder) + ".path", **({"FAULT_FROM": library} if library else {}))
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
        """What an output is, as bytes: a dictionary is the digest of its content, which `fdi verify` computes from the fragments."""
        if path.is_dir() and (path / "CURRENT").exists():
            verified = subprocess.run(["fdi", "verify", path, "--log-level", "quiet"], env=self.environment, capture_output=True)
            return "damaged" if verified.returncode else verified.stdout.decode()
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
        code, talk = self.run(command, folder, count=(kind, count))
        if code != 0 or not count.exists():
            raise SystemExit(f"{name} fails while its calls ({kind}) are counted, with {code}: {talk}")
        number = int(count.read_text())
        shutil.rmtree(folder)
        return number

    def unnamed(self, command, folder, talk):
        """The path that the failing call was about, if no part of it is in what the program said."""
        try:
            path = Path(Path(str(folder) + ".path").read_text())
        except OSError:
            return None
        if not path.name or path.parts[:2] in (("/", "proc"), ("/", "sys")) or path.name.startswith(("pipe:", "socket:", "anon_inode")):
            return None
        # A temporary name is that of its output; of a library's file in a folder the folder is said.
        names = {re.sub(r"^\.(.*?)\.tmp-.*", r"\1", part) for part in path.parts} - {*folder.parts, "/", ".", "inputs"}
        # A name within a folder that is being walked through.
        names |= set() if path.is_absolute() else set(re.findall(r"@([\w.-]+)", command))
        return None if any(name in talk for name in names) else str(path)

    def disturb(self, name, command, fault, expected):
        """What is wrong after the fault and after the rerun, or None."""
        folder = Path(tempfile.mkdtemp(dir=self.work))
        try:
            code, talk = self.run(command, folder, fault)
            stage = command.split()[0]
            if code == "hangs":
                return "hangs"
            if code not in (0, 1, 2, 3) and (code, fault[1]) not in ((-9, "kill"), (-9, "lose"), (-15, "term")):
                return f"crashes with {code}: {talk.strip()[-200:]}"
            if code in (1, 2, 3) and f"{stage}: " not in talk:
                return f"exit {code} without a message: {talk.strip()[-200:]}"
            if code in (1, 2, 3) and not fault[0].startswith("alloc") and (path := self.unnamed(command, folder, talk)):
                return f"exit {code}, and the message does not name {path}: {talk.strip()[-200:]}"
            # What says whose an unfinished output is may stay.
            if fault[1] == "term" and (left := [name for name in leftovers_in(folder) if not name.endswith(".tmp-plan")]):
                return f"exit {code} leaves {left}"
            if code == 0:
                found = self.contents(command, folder)
                if found != expected:
                    return f"exit 0, but {[key for key in found if found[key] != expected[key]]} differ"
            else:
                for key in expected:
                    if not (folder / key).is_dir() and self.content(folder / key) not in ("absent", expected[key]):
                        return f"exit {code} leaves {key} half-written"
            code, talk = self.run(command, folder)
            if code != 0:
                return f"the rerun exits with {code}: {talk.strip()[-200:]}"
            again = self.contents(command, folder)
            if again != expected:
                return f"after the rerun {[key for key in again if again[key] != expected[key]]} differ"
            left = leftovers_in(folder)
            return f"the rerun leaves {left}" if left else None
        finally:
            shutil.rmtree(folder, ignore_errors=True)
            Path(str(folder) + ".path").unlink(missing_ok=True)


def leftovers_in(folder):
    return [file.name for file in folder.rglob(".*.tmp-*")]


def main():
    parser = option_parser(__doc__, sampled="faults")
    parser.add_argument("--inject", type=Path, required=True)
    parser.add_argument("--allocations", type=int, default=200, help="with --all: failing allocations of a command")
    parser.add_argument("--last", type=int, default=sys.maxsize, help="only so many calls of a kind, the last ones of a command")
    parser.add_argument("--kind", default="", help="faults whose CALL:FAULT matches, such as read:EIO")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="faults.", dir=memory_folder()))
    work.mkdir(exist_ok=True)
    faults = Faults(options, work.resolve())
    prepare_inputs(faults.inputs, faults.environment, ROOT)
    cases, expected = [], {}
    kinds = [kind for kind in KINDS if re.search(options.kind, ":".join(kind))]
    for name, command in COMMANDS.items():
        if re.search(options.only, name):
            expected[name] = faults.reference(name, command)
            counts = {kind: faults.calls(name, command, kind) for kind in {kind for kind, _ in kinds}}
            # One more: the data are lost after the end.
            cases += [(name, (kind, fault, at)) for kind, fault in kinds
                      for at in range(max(1, counts[kind] - options.last + 1), counts[kind] + 1 + (fault == "lose"))]
    print(f"{len(cases)} faults in {len(expected)} commands; seed {options.seed}", flush=True)
    if options.all:
        allocations = {}
        for case in cases:
            if case[1][0].startswith("alloc"):
                allocations.setdefault((case[0], case[1][0]), []).append(case)
        cases = [case for case in cases if not case[1][0].startswith("alloc")]
        for each in allocations.values():
            cases += random.Random(options.seed).sample(each, min(options.allocations, len(each)))
        print(f"{len(cases)} of them", flush=True)
    else:
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
    failed = 0
    with ThreadPoolExecutor(options.jobs) as pool:
        problems = pool.map(lambda case: faults.disturb(case[0], COMMANDS[case[0]], case[1], expected[case[0]]), cases)
        for (name, fault), problem in zip(cases, told(problems, len(cases))):
            if problem:
                failed += 1
                print(f"{name}: {fault[1]} at {fault[0]} {fault[2]}: {problem}", flush=True)
    done = {}
    for name, fault in cases:
        done.setdefault(name, {}).setdefault(fault[1], []).append(fault)
    for name, of_command in done.items():
        print(f"{name}: " + ", ".join(f"{len(each)} {kind}" for kind, each in sorted(of_command.items())))
    print(f"{len(cases) - failed} passed, {failed} failed")
    if not options.work:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
