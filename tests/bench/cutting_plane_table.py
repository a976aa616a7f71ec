#!/usr/bin/env python3
"""Cutting planes against the exact solver: sample size, F1, seconds, support vectors.

    cutting_plane_table.py --bin build/release/bin table       # five kernels on boundary data (Table 1 of the 2010 paper)
    cutting_plane_table.py --bin build/release/bin classes     # six question classes, one against the rest
    cutting_plane_table.py --bin build/release/bin imbalance   # the rare class, -j
    cutting_plane_table.py --bin build/release/bin threads     # CPU and wall-clock seconds on 1 and 2 threads

Seconds are CPU seconds of training (reading included) unless said otherwise. The data is ../shared/data or $TREELINE_DATA.
"""

import argparse
import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile
import time


class Bench:
    def __init__(self, options):
        self.bin = pathlib.Path(options.bin).resolve()
        self.data = pathlib.Path(os.environ.get("TREELINE_DATA", "../shared/data")).resolve()
        self.threads = options.threads
        self.folder = tempfile.TemporaryDirectory()

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def call(self, program, *arguments):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = time.monotonic()
        subprocess.run([self.bin / program, "--log-level", "quiet", *map(str, arguments)], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return cpu, time.monotonic() - start

    def train(self, train, *arguments, threads=None):
        """CPU seconds, wall-clock seconds, support vectors."""
        model = self.path("model.svm")
        pathlib.Path(model + ".manifest.json").unlink(missing_ok=True)  # else what is up to date is not made again
        cpu, wall = self.call("ksl", "--input", self.data / train, "--output", model, "--force", "--threads",
                              threads or self.threads, *arguments)
        manifest = json.load(open(model + ".manifest.json"))
        return cpu, wall, int(manifest["counts"]["support vectors"])

    def scores(self, test, positive, *arguments):
        metrics = self.path("metrics.json")
        self.call("ksc", "--model", self.path("model.svm"), "--input", self.data / test, "--output",
                  self.path("predictions.tsv"), "--metrics", metrics, "--force", *arguments)
        return json.load(open(metrics))["classes"][positive]


def table(bench, options):
    train, test = "srl/ewt.train.bc.dat.gz", "srl/ewt.test.bc.dat.gz"
    print(f"{train}, first {options.limit}; C={options.cost}")
    print("kernel\tsolver\tsample\tF1\tseconds\tsupport vectors", flush=True)
    for kernel in options.kernels.split(","):
        solvers = [(solver, sample) for solver in options.solvers.split(",") for sample in options.samples.split(",")]
        for solver, sample in solvers + [("smo", "")]:
            arguments = ["--limit", options.limit, "--kernel", kernel, "--solver", solver, "-c", options.cost]
            arguments += ["--sample", sample] if sample else []
            cpu, _, vectors = bench.train(train, *arguments)
            f1 = bench.scores(test, "+1")["f1"]
            print(f"{kernel}\t{solver}\t{sample or '-'}\t{f1:.2f}\t{cpu:.1f}\t{vectors}", flush=True)


def classes(bench, options):
    train, test = "qc/qc_const_train.tsv.gz", "qc/qc_const_test.tsv.gz"
    print(f"{train}, one against the rest; C={options.cost}")
    print("class\tsolver\tsample\tprecision\trecall\tF1\tseconds\tsupport vectors", flush=True)
    solvers = [["smo", "", "--bias"], ["smo", "", "--no-bias"]]
    for sample in options.samples.split(","):
        solvers += [[solver, sample] for solver in options.solvers.split(",")]
        solvers += [[solver, sample, "--constant", "1"] for solver in options.solvers.split(",")]
    for label in options.classes.split(","):
        for solver, sample, *more in solvers:
            arguments = ["--label-until", ":", "--positive", label, "--solver", solver, "-c", options.cost, *more]
            arguments += ["--sample", sample, "--epsilon", options.epsilon] if sample else []
            cpu, _, vectors = bench.train(train, *arguments)
            score = bench.scores(test, label, "--label-until", ":")
            print(f"{label}\t{' '.join([solver, *more])}\t{sample or '-'}\t{score['precision']:.2f}\t{score['recall']:.2f}\t"
                  f"{score['f1']:.2f}\t{cpu:.1f}\t{vectors}", flush=True)


def imbalance(bench, options):
    train, test = "qc/qc_const_train.tsv.gz", "qc/qc_const_test.tsv.gz"
    print("ABBR against the rest")
    print("solver\tj\tprecision\trecall\tF1", flush=True)
    for solver in ["smo", *options.solvers.split(",")]:
        for factor in options.factors.split(","):
            bench.train(train, "--label-until", ":", "--positive", "ABBR", "--solver", solver, "-c", options.cost,
                        "-j", factor)
            score = bench.scores(test, "ABBR", "--label-until", ":")
            print(f"{solver}\t{factor}\t{score['precision']:.2f}\t{score['recall']:.2f}\t{score['f1']:.2f}", flush=True)


def threads(bench, options):
    print("solver\tsample\tthreads\tCPU seconds\twall-clock seconds", flush=True)
    for solver in options.solvers.split(","):
        for count in (1, 2):
            cpu, wall, _ = bench.train("srl/ewt.train.bc.dat.gz", "--limit", options.limit, "--solver", solver,
                                       "--sample", 1000, threads=count)
            print(f"{solver}\t1000\t{count}\t{cpu:.2f}\t{wall:.2f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("part", choices=["table", "classes", "imbalance", "threads"])
    parser.add_argument("--bin", default="build/release/bin")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--limit", type=int, default=100000)
    parser.add_argument("--kernels", default="st,sst,sst-bow,ptk,uptk")
    parser.add_argument("--solvers", default="usvm,isvm")
    parser.add_argument("--samples", default="100,250,500,1000")
    parser.add_argument("--classes", default="ABBR,DESC,ENTY,HUM,LOC,NUM")
    parser.add_argument("--factors", default="1,5,20")
    parser.add_argument("--cost", default="1")
    parser.add_argument("--epsilon", default="0.001")
    options = parser.parse_args()
    bench = Bench(options)
    if not bench.data.is_dir():
        sys.exit(f"no data in {bench.data}")
    {"table": table, "classes": classes, "imbalance": imbalance, "threads": threads}[options.part](bench, options)


if __name__ == "__main__":
    main()
