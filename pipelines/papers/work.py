"""Measured stages in the folder of one paper. What fits is not made again; its record says what making it took."""

import json
import os
import re
import sys
from pathlib import Path

from measure import measured


class Step:
    """What a stage made: `path`, what it took (`seconds`, `cpu`, `memory`), its manifest's `counts`, and what it `said`."""

    def __init__(self, path, record, manifest, log):
        self.path = path
        self.seconds, self.cpu = record["seconds"], record["cpu_seconds"]
        self.counts = manifest["counts"]
        self.said = log.read_text()
        # As the stage says it: what the system counts for a child begins with what this program held.
        number, unit = re.search(r"peak memory ([\d.]+) (\w+)", self.said).groups()
        self.memory = float(number) * {"kB": 1e3, "MB": 1e6, "GB": 1e9}[unit]


def manifest_path(made):
    return made / "manifest.json" if made.is_dir() else made.with_name(made.name + ".manifest.json")


class Work:
    """`size`: "sample" (generated trees), "small" or "full"."""

    def __init__(self, folder, size, programs, run):
        self.folder, self.size, self.programs, self.run = folder, size, programs, run

    def chosen(self, sample, small, full):
        """The value of this size."""
        return {"sample": sample, "small": small, "full": full}[self.size]

    def say(self, text):
        print(f"{self.folder.name}: {text}", file=sys.stderr, flush=True)

    def step(self, name, output, program, *arguments):
        """Runs a program that makes the file or folder `output` of this paper's folder."""
        made = self.folder / output
        record, log = (self.folder / "measured" / f"{name}{end}" for end in (".json", ".log"))
        talk = record.with_name(f".{record.stem}.log.tmp")
        for path in (made, record):
            path.parent.mkdir(parents=True, exist_ok=True)
        before = record.stat().st_mtime_ns if record.exists() and log.exists() else 0
        # Without record or log the output may still be there, of a run that was killed in between: it is made anew.
        command = [str(self.programs / program), *map(str, arguments), "--refresh" if before else "--force"]
        code = measured(command, made, record, self.run, errors=str(talk))
        if code != 0:
            sys.stderr.write(talk.read_text())
            self.say(f"{name}: {program} failed; what is finished stays: run the same command again to go on")
            sys.exit(code)
        if record.stat().st_mtime_ns != before:
            os.replace(talk, log)
            self.say(name)
        else:
            talk.unlink()
        return Step(made, json.loads(record.read_text()), json.loads(manifest_path(made).read_text()), log)

    def kernel_machine(self, name, train, test, *options, limit=0, test_limit=0, threads=1, positive="+1"):
        """Trains and measures a kernel machine: precision, recall, F1 of `positive`, accuracy, CPU seconds, support vectors."""
        more = ["--label-until", ":"]
        model = self.step(
            f"{name}-ksl",
            f"{name}/model",
            "ksl",
            "--input",
            train,
            "--output",
            self.folder / name / "model",
            "--limit",
            limit,
            "--threads",
            threads,
            *more,
            *options,
        )
        test = self.step(
            f"{name}-ksc",
            f"{name}/predictions.tsv",
            "ksc",
            "--model",
            model.path,
            "--input",
            test,
            "--limit",
            test_limit,
            "--output",
            self.folder / name / "predictions.tsv",
            "--metrics",
            self.folder / name / "metrics.json",
            "--threads",
            threads,
            *more,
        )
        vectors = sum(int(value) for key, value in model.counts.items() if key.endswith("support vectors"))
        return {**self.quality(name, positive), "training": model, "test": test, "vectors": vectors}

    def quality(self, name, positive="+1"):
        metrics = json.loads((self.folder / name / "metrics.json").read_text())
        one = metrics["classes"].get(positive, {})
        return {key: one.get(key) for key in ("precision", "recall", "f1")} | {
            "accuracy": metrics["accuracy"],
            "metrics": metrics,
        }


def makespan(pieces, processors):
    """Seconds until the last piece is done, the longest ones started first, each on the processor that is free first."""
    free = [0.0] * processors
    for piece in sorted(pieces, reverse=True):
        free[free.index(min(free))] += piece
    return max(free)


def slope(points):
    """Least squares of log y on log x: y grows with this power of x."""
    from math import log

    xs, ys = [log(x) for x, _ in points], [log(y) for _, y in points]
    mean_x, mean_y = sum(xs) / len(xs), sum(ys) / len(ys)
    return sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys)) / sum((x - mean_x) ** 2 for x in xs)


def write_lines(path, lines):
    """Writes lines whole, or leaves the file alone that has them already, so that what was made of it stays up to date."""
    text = "".join(line + "\n" for line in lines)
    if not path.exists() or path.read_text() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary = path.with_name(f".{path.name}.tmp")
        temporary.write_text(text)
        os.replace(temporary, path)
    return Path(path)
