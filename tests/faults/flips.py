#!/usr/bin/env python3
"""Damages every kind of file that stages write and lets every stage that reads it run: refused, or harmless, never silently wrong.

    flips.py --bin DIR [--all | --sample N] [--seed S] [--only REGEX] [--work DIR]

A case is one file, one bit of it flipped or its end cut off, and one consumer. With its manifest beside it or, where the file is
checked by itself, also without. A consumer that exits with 0 must have written the bytes of an undisturbed run; any other exit is
1, 2 or 3 with a message. --all: 180 cases for each pair of file and consumer. Ends with `N passed, N failed`.
"""

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

from commands import FLIPS, memory_folder, option_parser, prepare_inputs, told

ROOT = Path(__file__).resolve().parents[2]
PER_PAIR = 180
TIMEOUT = 60


class Flips:
    def __init__(self, options, work):
        self.work = work
        self.inputs = work / "inputs"
        self.environment = {"PATH": f"{options.bin.resolve()}:/usr/bin:/bin", "HOME": str(work), "LC_ALL": "C"}

    def run(self, command, folder, inputs):
        """Exit code, what was said, and the digest of what was written apart from manifests, which name the inputs."""
        out = folder / "out"
        out.mkdir()
        line = re.sub(r"%([\w.-]+)", lambda match: str(inputs / match.group(1)), command.format(root=ROOT)).replace("@", "")
        try:
            result = subprocess.run(line.split(), cwd=out, env=self.environment, capture_output=True, timeout=TIMEOUT)
        except subprocess.TimeoutExpired:
            return "hangs", "", ""
        digest = hashlib.sha256(result.stdout)
        for file in sorted(out.rglob("*")):
            if file.is_file() and not file.name.endswith("manifest.json") and not (file.parent / "CURRENT").exists():
                digest.update(str(file.relative_to(out)).encode() + file.read_bytes())
        for dictionary in sorted(out.rglob("CURRENT")):
            exported = subprocess.run(["fdi", "export", dictionary.parent], env=self.environment, capture_output=True)
            digest.update(exported.stdout)
        return result.returncode, result.stderr.decode(errors="replace"), digest.hexdigest()

    def pairs(self, only):
        """(consumer, file below inputs, whether it is checked without a manifest), every file that a pattern names."""
        found = []
        for name, (command, patterns) in FLIPS.items():
            if re.search(only, name):
                for pattern in patterns:
                    alone = pattern.endswith("!")
                    files = sorted(file for file in self.inputs.glob(pattern.rstrip("!")) if file.is_file() and file.stat().st_size)
                    if not files:
                        raise SystemExit(f"{name}: no file {pattern}")
                    found += [(name, file.relative_to(self.inputs), alone) for file in files]
        return found

    def reference(self, name):
        folder = Path(tempfile.mkdtemp(dir=self.work))
        code, talk, digest = self.run(FLIPS[name][0], folder, self.inputs)
        if code != 0:
            raise SystemExit(f"{name} fails undisturbed: {talk}")
        shutil.rmtree(folder)
        return digest

    def damage(self, name, file, alone, seed, expected):
        """What is wrong about the consumer of a damaged file, or None; and whether it was refused."""
        chance = random.Random(seed)
        folder = Path(tempfile.mkdtemp(dir=self.work))
        try:
            inputs = folder / "inputs"
            used = {file.parts[0]} | set(re.findall(r"%([\w.-]+)", FLIPS[name][0]))
            inputs.mkdir()
            for used_name in used:
                for each in self.inputs.glob(used_name + "*"):
                    if each.name in (used_name, used_name + ".manifest.json") and not (inputs / each.name).exists():
                        copy_linked(each, inputs / each.name)
            bytes_ = bytearray((inputs / file).read_bytes())
            at = chance.randrange(len(bytes_))
            cut = chance.random() < 0.2
            if cut:
                del bytes_[at:]
            else:
                bytes_[at] ^= 1 << chance.randrange(8)
            (inputs / file).unlink()
            (inputs / file).write_bytes(bytes_)
            bare = alone and chance.random() < 0.5
            if bare:
                (inputs / (str(file) + ".manifest.json")).unlink(missing_ok=True)
            code, talk, digest = self.run(FLIPS[name][0], folder, inputs)
            what = f"{name}, {file}{' without manifest' if bare else ''}, {'cut' if cut else 'flip'} at {at} of {len(bytes_)}"
            if code == "hangs":
                return f"{what}: hangs", False
            if code not in (0, 1, 2, 3):
                return f"{what}: crashes with {code}: {talk.strip()[-200:]}", False
            if code == 0:
                return (f"{what}: silently wrong" if digest != expected else None), False
            return (None if f"{name.split('-')[0]}: " in talk else f"{what}: exit {code} without a message"), True
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def copy_linked(source, target):
    if source.is_dir():
        target.mkdir()
        for each in source.iterdir():
            copy_linked(each, target / each.name)
    else:
        os.link(source, target)


def main():
    options = option_parser(__doc__, sampled="damaged files").parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="flips.", dir=memory_folder()))
    work.mkdir(exist_ok=True)
    flips = Flips(options, work.resolve())
    prepare_inputs(flips.inputs, flips.environment, ROOT)
    pairs = flips.pairs(options.only)
    expected = {name: flips.reference(name) for name in {name for name, _, _ in pairs}}
    order = random.Random(options.seed)
    consumers = {}
    for pair in pairs:
        consumers.setdefault((pair[0], pair[1].parts[0]), []).append(pair)
    cases = []
    for _ in range(PER_PAIR):
        for group in order.sample(list(consumers.values()), len(consumers)):
            cases.append((order.choice(group), order.randrange(2**32)))
    if not options.all:
        cases = cases[: options.sample]
    print(f"{len(cases)} damaged files, {len(consumers)} pairs of artifact and consumer; seed {options.seed}", flush=True)
    with ThreadPoolExecutor(options.jobs) as pool:
        results = pool.map(lambda case: flips.damage(*case[0], case[1], expected[case[0][0]]), cases)
        results = list(told(results, len(cases)))
    for problem, _ in results:
        if problem:
            print(problem)
    failed = sum(1 for problem, _ in results if problem)
    print(f"{sum(refused for _, refused in results)} refused")
    print(f"{len(cases) - failed} passed, {failed} failed")
    if not options.work:
        shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
