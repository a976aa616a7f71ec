#!/usr/bin/env python3
"""Seconds of every stage by two builds, and their ratios.

    stage_ratios.py OLD_BIN NEW_BIN --data FILE [--lines N] [--turns N] [--work DIR]

FILE has examples of two classes (SVM-light-TK lines or LABEL<TAB>tree), of which the first --lines are used. Each stage reads what the
old build wrote before it, so that both do the same work; the builds take turns, and the least user + system time of --turns counts.
Prints a line a stage: old seconds, new seconds, new / old.
"""

import argparse
import gzip
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
    ("psc", "psc --model model.psl --input vectors --binarize --output {out}", "binary.tsv"),
]


def seconds(command, binary, folder, name, is_kept):
    """User and system time of a command that writes `name`."""
    out = folder / (name if is_kept else "again")
    line = command.format(out=out.name).split()
    line[0] = str(binary / line[0])
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(line, cwd=folder, capture_output=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode:
        raise SystemExit(f"{' '.join(line)}: {done.stderr.decode(errors='replace')}")
    if not is_kept:
        for made in folder.glob("*again*"):
            shutil.rmtree(made) if made.is_dir() else made.unlink()
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--lines", type=int, default=50000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--work", type=Path)
    options = parser.parse_args()
    folder = options.work or Path(tempfile.mkdtemp(prefix="stage_ratios."))
    folder.mkdir(exist_ok=True)
    with (gzip.open if options.data.suffix == ".gz" else open)(options.data, "rt") as source:
        lines = list(islice(source, options.lines))
    (folder / "train").write_text("".join(lines))
    (folder / "few").write_text("".join(lines[:1500]))
    print("stage\told\tnew\tnew / old")
    for stage, command, name in STAGES:
        times = {"old": [], "new": []}
        seconds(command, options.old.resolve(), folder, name, True)
        for _ in range(options.turns):
            for build in times:
                times[build].append(seconds(command, getattr(options, build).resolve(), folder, name, False))
        old, new = min(times["old"]), min(times["new"])
        print(f"{stage}\t{old:.2f}\t{new:.2f}\t{new / old:.3f}", flush=True)
    if not options.work:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
