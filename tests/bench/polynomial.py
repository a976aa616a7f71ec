#!/usr/bin/env python3
"""Polynomial space: the methods of psl next to each other and to LIBSVM, in the shape of tables 2 and 3 and of figure 3
of Yoshinaga & Kitsuregawa (2010).

    tests/bench/polynomial.py --bin build/release/bin --data ../shared/data [--tasks jdep a9a] [--cpu-limit 3600]
    tests/bench/polynomial.py --bin build/release/bin --data ../shared/data --scaling

Prints rows of a Markdown table as they are measured. Seconds are processor time (user and system), so that they can be
read on a machine that is not idle; memory is the peak resident set of training. A program that needs more processor
time than --cpu-limit is ended and reported as such.
"""

import argparse
import gzip
import json
import os
import resource
import subprocess
import tempfile
from pathlib import Path

# Name: files, options of psl, label against the rest for other programs.
TASKS = {
    "a9a": ("a9a", [], None),
    "jdep": ("jdep", [], None),
    "chunk-1": ("chunk", ["--positive", "1"], "1"),
    "chunk": ("chunk", [], None),
}


class OverLimit(Exception):
    pass


def run(command, cpu_limit):
    """Processor seconds and peak memory (MB) of a command."""

    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (cpu_limit, cpu_limit + 5))

    process = subprocess.Popen([str(word) for word in command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                               preexec_fn=limit)
    messages = process.stderr.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    if os.WIFSIGNALED(status):
        raise OverLimit()
    if os.waitstatus_to_exitcode(status) != 0:
        raise RuntimeError(messages.strip().splitlines()[-1])
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def data_file(options, task, part):
    return options.data / "binary" / f"{TASKS[task][0]}.{part}.svm.gz"


def measure_psl(options, folder, task, degree, method, share=1.0):
    train = data_file(options, task, "train")
    if share < 1:
        with gzip.open(train, "rt") as file:
            lines = file.readlines()
        train = folder / "share.svm"
        train.write_text("".join(lines[: int(len(lines) * share)]))
    model, metrics = folder / "model.psl", folder / "metrics.json"
    method, _, explicit = method.partition(":")
    training, memory = run([options.bin / "psl", "--input", train, "--output", model, "--degree", degree,
                            "--method", method, "-c", 0.005, "--iterations", options.iterations,
                            "--memory", options.memory, *(["--explicit", explicit] if explicit else []), *options.more.split(),
                            *TASKS[task][1]], options.cpu_limit)
    testing, _ = run([options.bin / "psc", "--model", model, "--input", data_file(options, task, "test"),
                      "--metrics", metrics, "--threads", 1], options.cpu_limit)
    manifest = json.loads((folder / "model.psl.manifest.json").read_text())
    accuracy = json.loads(metrics.read_text())["accuracy"]
    return accuracy, training, testing, memory, manifest["counts"]["support_vectors"]


def measure_libsvm(options, folder, task, degree):
    files = {}
    for part in ("train", "test"):
        files[part] = folder / part
        with gzip.open(data_file(options, task, part), "rt") as lines, open(files[part], "w") as out:
            for line in lines:
                label, rest = line.split(" ", 1)
                if TASKS[task][2] is not None:
                    label = "+1" if label == TASKS[task][2] else "-1"
                out.write(label + " " + rest)
    model, predictions = folder / "model", folder / "predictions"
    training, memory = run(["svm-train", "-q", "-t", 1, "-d", degree, "-g", 1, "-r", 1, "-c", options.svm_cost,
                            files["train"], model], options.cpu_limit)
    testing, _ = run(["svm-predict", files["test"], model, predictions], options.cpu_limit)
    gold = [float(line.split()[0]) for line in open(files["test"])]
    found = [float(line) for line in open(predictions)]
    accuracy = 100 * sum(a == b for a, b in zip(gold, found)) / len(gold)
    support = next(int(line.split()[1]) for line in open(model) if line.startswith("total_sv"))
    return accuracy, training, testing, memory, support


def row(cells, measure, *arguments):
    with tempfile.TemporaryDirectory() as folder:
        try:
            accuracy, training, testing, memory, support = measure(arguments[0], Path(folder), *arguments[1:])
            cells += [f"{accuracy:.2f}", f"{training:.2f}", f"{testing:.2f}", f"{memory:.0f}", str(support)]
        except OverLimit:
            cells += ["", f"over {arguments[0].cpu_limit}", "", "", ""]
        except RuntimeError as error:
            cells += ["", str(error), "", "", ""]
    print("| " + " | ".join(cells) + " |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tasks", nargs="+", default=["jdep", "a9a", "chunk-1", "chunk"], choices=list(TASKS))
    parser.add_argument("--shares", nargs="+", type=float, default=[1 / 8, 1 / 4, 1 / 2, 1])
    parser.add_argument("--degrees", nargs="+", type=int, default=[2, 3])
    parser.add_argument("--methods", nargs="+", default=["sl", "sp:1000", "ke", "pki", "libsvm"],
                        help="of psl, with a colon and the number of explicit features, and libsvm")
    parser.add_argument("--more", default="", help="more options of psl, as one word")
    parser.add_argument("--iterations", type=int, default=10)
    parser.add_argument("--svm-cost", type=float, default=0.005)
    parser.add_argument("--memory", default="8G")
    parser.add_argument("--cpu-limit", type=int, default=3600)
    parser.add_argument("--scaling", action="store_true", help="time against the number of examples")
    options = parser.parse_args()
    if options.scaling:
        print("| examples | d | method | accuracy | training s | testing s | MB | support vectors |")
        print("|---|---|---|---|---|---|---|---|")
        for method in [m for m in options.methods if m != "libsvm"]:
            for degree in options.degrees:
                for share in options.shares:
                    task = options.tasks[0]
                    row([f"1/{round(1 / share)} of {task}", str(degree), method], measure_psl, options, task, degree,
                        method, share)
        return
    print("| data | d | method | accuracy | training s | testing s | MB | support vectors |")
    print("|---|---|---|---|---|---|---|---|")
    for task in options.tasks:
        for degree in options.degrees:
            for method in options.methods:
                cells = [task, str(degree), method]
                if method == "libsvm":
                    row(cells, measure_libsvm, options, task, degree)
                else:
                    row(cells, measure_psl, options, task, degree, method)


if __name__ == "__main__":
    main()
