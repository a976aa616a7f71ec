#!/usr/bin/env python3
"""Seconds of every stage by two builds, and their ratios.

    stage_ratios.py OLD_BIN NEW_BIN --data FILE [--lines N] [--turns N] [--only REGEX] [--instructions] [--work DIR]

FILE has examples of two classes (SVM-light-TK lines or LABEL<TAB>tree), of which the first --lines are used. Each build reads what it
wrote before itself, as formats may differ. The builds take turns, and the least user + system time of --turns counts. Prints a line a stage:
old seconds, new seconds, new / old; with --instructions millions of instructions, counted by valgrind, which a busy machine
does not change (some fifty times slower: take few --lines).
"""

import argparse
import gzip
import re
import resource
import shutil
import subprocess
import tempfile
from itertools import islice
from pathlib import Path

STAGES = [
    ("tdp", "tdp convert --input train --from auto --to svmlight-tk --output {out}", "train.dat"),
    ("ksm", "ksm --input few --matrix --kernel sst --threads 1 --output {out}", "matrix.npy"),
    ("ksl", "ksl --input train --threads 1 --output {out}", "model.svm"),
    ("ksc", "ksc --model model.svm --input train --threads 1 --output {out}", "kernel.tsv"),
    ("fsl", "fsl --input train --splits 4 --splitting random --threads 1 --output {out}", "models"),
    ("fmi", "fmi --models models --top 10000 --threads 1 --output {out}", "dict"),
    ("tfx", "tfx --dictionary dict --input train --threads 1 --output {out}", "vectors"),
    ("esl", "esl --input vectors --threads 1 --output {out}", "model.linear"),
    ("esc", "esc --model model.linear --input vectors --threads 1 --output {out}", "linear.tsv"),
    ("esc --trees", "esc --model model.linear --dictionary dict --trees train --threads 1 --output {out}", "trees.tsv"),
    ("psl", "psl --input vectors --binarize --degree 2 --iterations 1 --output {out}", "model.psl"),
    ("psc", "psc --model model.psl --input vectors --binarize --threads 1 --output {out}", "binary.tsv"),
    ("fdi", "fdi export dict --output {out}", "dict.tsv"),
]


def cost(command, binary, folder, name, instructions):
    """What a command that writes `name` takes: user and system seconds, or millions of instructions."""
    line = command.format(out=name).split()
    line[0] = str(binary / line[0])
    if instructions:
        line = ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *line]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(line, cwd=folder, capture_output=True, text=True, errors="replace")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(line)}: {done.stderr}")
    if instructions:
        return int(re.search(r"Collected : (\d+)", done.stderr).group(1)) / 1e6
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure(command, binary, folder, instructions):
    """The same of a command whose output is not kept."""
    taken = cost(command, binary, folder, "again", instructions)
    for made in folder.glob("*again*"):
        shutil.rmtree(made) if made.is_dir() else made.unlink()
    return taken


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=50000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--work", type=Path)
    parser.add_argument("--only", default="", help="measure only stages whose name matches")
    parser.add_argument("--instructions", action="store_true")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="stage_ratios."))
    with (gzip.open if options.data.suffix == ".gz" else open)(options.data, "rt") as source:
        lines = list(islice(source, options.lines))
    builds = {build: (getattr(options, build).resolve(), work / build) for build in ("old", "new")}
    for _, folder in builds.values():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "train").write_text("".join(lines))
        (folder / "few").write_text("".join(lines[:1500]))
    print("stage\told\tnew\tnew / old")
    for stage, command, name in STAGES:
        taken = {build: [] for build in builds}
        for binary, folder in builds.values():
            cost(command, binary, folder, name, False)
        if not re.search(options.only, stage):
            continue
        for _ in range(1 if options.instructions else options.turns):
            for build, (binary, folder) in builds.items():
                taken[build].append(measure(command, binary, folder, options.instructions))
        old, new = min(taken["old"]), min(taken["new"])
        print(f"{stage}\t{old:.2f}\t{new:.2f}\t{new / old:.3f}", flush=True)
    if not options.work:
        shutil.rmtree(work)


if __name__ == "__main__":
    main()
