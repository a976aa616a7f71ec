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
        cpu, wall = self.call("ksl", "--input", self.data / train, "--output", model, "--force", "--threads",
                              threads or self.threads, *arguments)
        return cpu, wall, int(self.counts()["support vectors"])

    def counts(self):
        """Of the model trained last."""
        return json.load(open(self.path("model.svm.manifest.json")))["counts"]

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
    """A sample of 0 is all examples. Without constant feature the exact solver to compare with is the one without bias."""
    train, test = "qc/qc_const_train.tsv.gz", "qc/qc_const_test.tsv.gz"
    print(f"{train}, one against the rest; C={options.cost}, epsilon {options.epsilon} for cutting planes")
    print("class\tsolver\tsample\tF1\tseconds\tsupport vectors\tdual objective\tprimal objective", flush=True)
    exact = {"--bias": "smo --bias", "--no-bias": "smo --no-bias"}
    settings = [("smo", "", flag) for flag in exact]
    for constant, flag in (("", "--no-bias"), ("--constant 1", "--bias")):
        settings += [(solver, sample, constant, flag) for solver in options.solvers.split(",")
                     for sample in options.samples.split(",")]
    worst = {}
    for label in options.classes.split(","):
        reached = {}
        for solver, sample, more, *like in settings:
            arguments = ["--label-until", ":", "--positive", label, "--solver", solver, "-c", options.cost, *more.split()]
            arguments += ["--sample", sample, "--epsilon", options.epsilon] if sample else []
            cpu, _, vectors = bench.train(train, *arguments)
            counts = bench.counts()
            f1 = bench.scores(test, label, "--label-until", ":")["f1"]
            name = f"{solver} {more}".strip()
            size = {"": "-", "0": "all"}.get(sample, sample)
            reached[name] = f1
            if like:
                key = f"{name}\t{size}\t{exact[like[0]]}"
                worst[key] = min(worst.get(key, 100), f1 - reached[exact[like[0]]])
            print(f"{label}\t{name}\t{size}\t{f1:.2f}\t{cpu:.1f}\t{vectors}\t{counts['dual objective']:.2f}\t"
                  f"{counts['primal objective']:.2f}", flush=True)
    print("\nsolver\tsample\tcompared with\tF1 in the class where it is lowest by comparison")
    for key, difference in worst.items():
        print(f"{key}\t{difference:+.2f}")


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
        walls = {}
        for _ in range(options.repeat):
            for count in (1, 2):
                cpu, wall, _ = bench.train("srl/ewt.train.bc.dat.gz", "--limit", options.limit, "--solver", solver,
                                           "--sample", 1000, threads=count)
                walls.setdefault(count, []).append(wall)
                print(f"{solver}\t1000\t{count}\t{cpu:.2f}\t{wall:.2f}", flush=True)
        middle = {count: sorted(times)[len(times) // 2] for count, times in walls.items()}
        print(f"{solver}\t1000\tspeed-up of the median, reading included: {middle[1] / middle[2]:.2f}", flush=True)


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
    parser.add_argument("--repeat", type=int, default=3)
    options = parser.parse_args()
    bench = Bench(options)
    if not bench.data.is_dir():
        sys.exit(f"no data in {bench.data}")
    {"table": table, "classes": classes, "imbalance": imbalance, "threads": threads}[options.part](bench, options)


if __name__ == "__main__":
    main()
