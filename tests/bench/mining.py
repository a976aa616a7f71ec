#!/usr/bin/env python3
"""How mining and the dictionary grow, as Markdown tables.

    tests/bench/mining.py [--bin build/release/bin]             # the data is ../shared/data or $TREELINE_DATA

Models are exact SVMs (`ksl`) of the first lines of srl/ewt.train.bc. Times are the best of three runs of `fmi` on one
thread, the dictionary written and synced.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time


def run(program, *arguments):
    """CPU seconds, wall-clock seconds, standard error."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    result = subprocess.run([program, *map(str, arguments), "--log-level", "debug"], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                            text=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, wall, result.stderr


def best(times, *command, made=None):
    """The least CPU and wall-clock seconds; `made` is removed before each run, since what is up to date is not made again."""
    runs = []
    for _ in range(times):
        if made is not None:
            shutil.rmtree(made, ignore_errors=True)
        runs.append(run(*command))
    return min(r[0] for r in runs), min(r[1] for r in runs), runs[0][2]


def found(pattern, text):
    match = re.search(pattern, text)
    return match.group(1) if match else sys.exit(f"no '{pattern}' in: {text}")


def mining(bench, folder, train, lines, tops):
    print("lines | support vectors | L | patterns visited | norm retained | seconds | CPU seconds | peak memory")
    print("---|---|---|---|---|---|---|---", flush=True)
    for count in lines:
        model = folder / f"{count}.svm"
        run(bench / "ksl", "--input", train, "--limit", count, "--output", model, "--threads", 2)
        for top in tops:
            cpu, wall, talk = best(3, bench / "fmi", "--models", model, "--top", top, "--threads", 1, "--output",
                                   folder / f"top{top}", made=folder / f"top{top}")
            print(f"{count:,} | {int(found('([0-9]+) support vectors', talk)):,} | {top:,} | "
                  f"{int(found('([0-9]+) patterns visited', talk)):,} | {found('norm retained ([0-9.]+%)', talk)} | "
                  f"{wall:.2f} | {cpu:.2f} | {found('peak memory (.*)', talk)}", flush=True)


def splits(bench, folder, train, threads):
    """Ten models of a tenth of the data each."""
    run(bench / "fsl", "--input", train, "--output", folder / "models", "--splits", 10, "--threads", 2)
    cpu, wall, talk = best(3, bench / "fmi", "--models", folder / "models", "--top", 10000, "--threads", threads,
                           "--output", folder / "ten", made=folder / "ten")
    print(f"\nTen models of a tenth of all lines each, L = 10,000 each, {threads} threads: {wall:.2f} s "
          f"({cpu:.2f} s CPU), {int(found('([0-9]+) fragments, [0-9]+ labels', talk)):,} fragments.")
    for line in re.findall(r"fmi: (.* fragments are new .*)", talk):
        print(f"- {line}")


def dictionary(bench, folder, model, top):
    _, wall, talk = run(bench / "fmi", "--models", model, "--top", top, "--force", "--output", folder / "large")
    shared = found(r"\(([0-9.]+) times shared\)", talk)
    each = found(r"\(([0-9.]+) a fragment\)", talk)
    opened = best(5, bench / "fdi", "top", folder / "large", "-n", 1, "--log-level", "quiet")
    shown = best(5, bench / "fdi", "show", folder / "large", top // 2, "--log-level", "quiet")
    nothing = best(5, bench / "fdi", "--version")
    print(f"\nA dictionary of {top:,} fragments: mined and written in {wall:.1f} s on all threads, {each} bytes a fragment, tails "
          f"shared {shared} times; `fdi top -n 1` {1000 * opened[1]:.0f} ms, `fdi show` {1000 * shown[1]:.0f} ms, of which the "
          f"program's own start (`fdi --version`) is {1000 * nothing[1]:.0f} ms.")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--lines", default="10000,20000,50000,100000")
    parser.add_argument("--tops", default="1000,10000,100000")
    parser.add_argument("--parts", default="mining,splits,dictionary")
    options = parser.parse_args()
    bench = pathlib.Path(options.bin).resolve()
    train = pathlib.Path(os.environ.get("TREELINE_DATA", "../shared/data")) / "srl/ewt.train.bc.dat.gz"
    if not train.is_file():
        sys.exit(f"no data: {train}")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        lines = [int(count) for count in options.lines.split(",")]
        if "mining" in options.parts:
            mining(bench, folder, train, lines, [int(top) for top in options.tops.split(",")])
        if "splits" in options.parts:
            splits(bench, folder, train, 2)
        if "dictionary" in options.parts:
            model = folder / "for-dictionary.svm"
            run(bench / "ksl", "--input", train, "--limit", lines[-1], "--output", model)
            dictionary(bench, folder, model, 1000000)


if __name__ == "__main__":
    main()
