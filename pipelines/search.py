#!/usr/bin/env python3
"""search.py --train F --work DIR --methods M... [--dev F] [--budget 10m] [--measure M] --settings ...: chooses settings of recipes.

For each method (exact, mined, sparse) it starts from the settings given and changes one at a time to the best of a few values, over and
over until none helps or the time is over: the decay lambda of the kernel, C, and for `mined` L, C of the linear model and the number of splits.
Judged by three-fold cross-validation of the training examples, or on those of --dev; of more than 20,000 training examples a random 20,000
are taken. Prints a line for every combination; DIR/table.tsv has all of them, DIR/settings.toml the best ones, for --config of the recipes.
Where there are too few examples to judge by it says so, and DIR/settings.toml changes nothing.
"""

import signal

if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # but while a stage is at work, there is nothing to bring to an end

import argparse
import json
import random
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from labels import class_key, positive_of
from measure import INTERRUPTED, write_whole
from trial import Trial, judged, with_lambda

FOLDS = 3
MOST_EXAMPLES = 20000
LAMBDAS = (0.2, 0.4, 0.6)
# Of each method: setting (section and name), values beside the one it begins with.
VALUES = {
    "exact": {"ksl.cost": (1, 3, 10, 30)},
    "sparse": {"fpl.cost": (1, 2, 4, 8, 16), "fpl.l2": (0, 0.3, 1)},
    "mined": {"fmi.top": (300, 1000, 3000, 10000), "esl.cost": (1, 3, 10, 30), "fsl.cost": (1, 3, 10), "fsl.splits": (0, 1)},
}
SECTION = {"exact": "ksl", "sparse": "fpl", "mined": "fsl"}  # whose kernel and C are those of the method
COMMON = ("threads", "memory", "seed", "on-error", "label-until")
READING = ("from", "label-column", "tree-column")  # of the files given; the parts have a format of their own


class Settings:
    """What the recipe was told: SECTION<TAB>KEY<TAB>VALUE, the last one counts."""

    def __init__(self, lines):
        self.values = {tuple(line.split("\t", 2)[:2]): line.split("\t", 2)[2] for line in lines}

    def get(self, section, key, default=None):
        return self.values.get((section, key), self.values.get(("all", key), default))


def start_of(method, settings):
    """The combination that the settings stand for."""
    section = SECTION[method]
    start = {f"{section}.kernel": settings.get(section, "kernel", "sst(lambda=0.4)")}
    for name in VALUES[method]:
        part, key = name.split(".")
        default = {"fmi.top": 10000, "fsl.splits": 0, "fpl.l2": 0}.get(name, 1)
        start[name] = float(settings.values.get((part, key)) or (settings.get(part, key, default) if part in ("ksl", "fsl") else default))
    return start


def neighbours(method, name, combination):
    """The combination with other values of one setting."""
    if name.endswith(".kernel"):
        values = [one for one in (with_lambda(combination[name], value) for value in LAMBDAS) if one]
    else:
        values = [float(value) for value in VALUES[method][name]]
    return [{**combination, name: value} for value in values if value != combination[name]]


def run_trial(trial, method, one):
    if method == "mined":
        return trial.mined(one["fsl.kernel"], one["fsl.cost"], int(one["fsl.splits"]), int(one["fmi.top"]), one["esl.cost"])
    if method == "sparse":
        return trial.sparse(one["fpl.kernel"], one["fpl.cost"], one["fpl.l2"])
    return trial.exact(one["ksl.kernel"], one["ksl.cost"])


def seconds_of(text):
    """Of a time that the recipe has checked."""
    return float(text.rstrip("smh")) * {"m": 60, "h": 3600}.get(text[-1], 1)


class TooLittle(Exception):
    """There are too few examples to search with."""


def spelled(value):
    return f"{value:g}" if isinstance(value, float) else value


class Search:
    """Measures combinations on the parts, and remembers them, also from one run to the next."""

    def __init__(self, options, settings):
        self.options, self.settings = options, settings
        self.common = {key: settings.get("all", key) for key in COMMON if settings.get("all", key)}
        self.reading = {key: settings.get("all", key) for key in READING if settings.get("all", key)}
        self.memory = options.work / "results.json"
        self.parts, self.examples = self.make_parts()
        known = json.loads(self.memory.read_text(encoding="utf-8")) if self.memory.exists() else {}
        self.found = known.get("found", {}) if known.get("of") == self.identity() else {}
        self.started, self.longest, self.over = time.monotonic(), 0.0, False
        self.table = [["method", "settings", "measure", "value", "features", "seconds"]]

    def identity(self):
        files = [Path(one) for one in (self.options.train, self.options.dev) if one]
        return [[[str(one), one.stat().st_size, one.stat().st_mtime_ns] for one in files], self.common, self.reading, self.settings.get("all", "limit"),
                self.options.measure]

    def ask(self, path, command, *arguments):
        """What tdp says of a file."""
        options = [f"--{key}={value}" for key, value in self.reading.items()]
        if "on-error" in self.common:
            options.append(f"--on-error={self.common['on-error']}")
        lenient = command == "check" and self.common.get("on-error") == "skip"
        told = subprocess.run([self.options.programs / "tdp", command, "--log-level=quiet", f"--input={path}", *options, *arguments],
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL if lenient else None, encoding="utf-8",
                              errors="surrogateescape", check=False)
        if told.returncode and not lenient:
            sys.exit(told.returncode)
        return told.stdout

    def format_of(self, paths):
        """The format of the parts: LABEL<TAB>tree, whose labels may have spaces, unless there is more than a tree to an example."""
        for path in paths:
            found = json.loads(self.ask(path, "check", "--json"))
            if found["vectors"]["most"] > 0 or found["trees"]["most"] > 1:
                return "svmlight-tk"
        return "label-tab-tree"

    def read(self, path):
        """The examples of a file, as lines."""
        lines = self.ask(path, "convert", f"--to={self.format}").split("\n")
        return [line + "\n" for line in lines if line]

    def class_of(self, line):
        """As the stages tell classes apart: what is a number by its value."""
        label = line.split("\t" if self.format == "label-tab-tree" else " ", 1)[0]
        if until := self.common.get("label-until"):
            label = label.split(until, 1)[0]
        return class_key(label), label

    def make_parts(self):
        """Pairs of files to learn from and to judge by."""
        self.format = self.format_of([one for one in (self.options.train, self.options.dev) if one])
        lines, chance = self.read(self.options.train)[:int(self.settings.get("all", "limit", 0)) or None], random.Random(1)
        if len(lines) > MOST_EXAMPLES:
            lines = [lines[i] for i in sorted(chance.sample(range(len(lines)), MOST_EXAMPLES))]
        members, spelling = defaultdict(list), {}
        for number, line in enumerate(lines):
            value, label = self.class_of(line)
            members[value].append(number)
            spelling.setdefault(value, label)
        self.classes = list(spelling.values())
        if len(self.classes) < 2:
            given = f"the one label '{self.classes[0]}'" if self.classes else "no label"
            refuse(3, f"{self.options.train}: the training examples have {given}; expected two classes or more")
        if self.options.measure == "f1" and len(self.classes) > 2:
            refuse(2, f"--measure f1: the training examples have {len(self.classes)} classes, and f1 is of two; macro-f1 is the mean over all")
        folder = self.options.work / "parts"
        if self.options.dev:
            write_whole(folder / "train.dat", "".join(lines))
            write_whole(folder / "dev.dat", "".join(self.read(self.options.dev)))
            return [(folder / "train.dat", folder / "dev.dat")], len(lines)
        parts = []
        for fold, judging in enumerate(self.deal(members.values(), chance)):
            if judging:
                train, dev = folder / f"train-{fold + 1}.dat", folder / f"dev-{fold + 1}.dat"
                write_whole(train, "".join(line for number, line in enumerate(lines) if number not in judging))
                write_whole(dev, "".join(lines[number] for number in sorted(judging)))
                parts.append((train, dev))
        if not parts:
            raise TooLittle(f"no class of the {len(lines)} training examples has two, one to learn from and one to judge by")
        return parts, len(lines)

    def deal(self, classes, chance):
        """The numbers of the examples to judge by, for each fold. The only example of a class is always learned from: so all training parts
        have all classes."""
        folds, dealt = [set() for _ in range(FOLDS)], 0
        for members in classes:
            chance.shuffle(members)
            for number in members if len(members) > 1 else ():
                folds[dealt % FOLDS].add(number)
                dealt += 1
        return folds

    def mean(self, results):
        """Name and value of the measure over the parts that tell it; where none tells the F1 of auto, of the accuracy."""
        for measure in (self.options.measure, "accuracy" if self.options.measure == "auto" else self.options.measure):
            values = [judged(result["metrics"], measure, self.classes) for result in results]
            told = [value for _, value in values if value is not None]
            if told:
                return values[0][0], sum(told) / len(told)
        raise TooLittle(f"no example of the class '{positive_of(self.classes)}' is left to tell the F1 by")

    def measure(self, method, one):
        """Value and features of a combination; None where there is no time left for it."""
        key = json.dumps([method, one])
        if key not in self.found:
            spent = time.monotonic() - self.started
            if self.longest and spent + self.longest > self.options.budget:
                self.over = True
                return None
            results = []
            for number, (train, dev) in enumerate(self.parts):
                trial = Trial(self.options.programs, self.options.work / f"trial-{number + 1}", train, dev, {**self.common, "from": self.format})
                try:
                    results.append(run_trial(trial, method, one))
                finally:
                    trial.clear()
            self.longest = max(self.longest, time.monotonic() - self.started - spent)
            measure, value = self.mean(results)
            self.found[key] = {"measure": measure.replace("_", "-"), "value": value,
                               "features": round(sum(result["features"] for result in results) / len(results)),
                               "seconds": round(sum(result["seconds"] for result in results), 2)}
            write_whole(self.memory, json.dumps({"of": self.identity(), "found": self.found}, indent=1) + "\n")
        result = self.found[key]
        words = ", ".join(f"{name} {spelled(value)}" for name, value in one.items())
        self.table.append([method, words, result["measure"], f"{result['value']:.2f}", str(result["features"]), f"{result['seconds']:.1f}"])
        left = max(0, self.options.budget - (time.monotonic() - self.started))
        print(f"search: {method}: {words}: {result['measure']} {result['value']:.2f}, {result['features']} features; at most {left:.0f} s left", flush=True)
        return result

    def best_of(self, method):
        """The best combination that was found, and its result."""
        best = start_of(method, self.settings)
        result = self.measure(method, best)
        tried = {json.dumps(best)}
        changed = True
        while changed and not self.over:
            changed = False
            for name in list(best):
                for other in neighbours(method, name, best):
                    if json.dumps(other) in tried:
                        continue
                    tried.add(json.dumps(other))
                    found = self.measure(method, other)
                    if found is None:
                        return best, result
                    if found["value"] > result["value"]:
                        best, result, changed = other, found, True
        return best, result


def settings_text(chosen, headline):
    """A settings file of the recipes."""
    lines = [f"# {headline}"]
    sections = defaultdict(dict)
    for method, (best, result) in chosen.items():
        lines.append(f"# {method}: {result['measure']} {result['value']:.2f}, {result['features']} features")
        for name, value in best.items():
            section, key = name.split(".")
            sections[section][key] = spelled(value) if isinstance(value, float) else f'"{value}"'
    if len(chosen) == 1 and "exact" not in chosen:
        sections["linearize"]["method"] = f'"{next(iter(chosen))}"'
    for section, values in sections.items():
        lines += ["", f"[{section}]", *(f"{key} = {value}" for key, value in values.items())]
    return "\n".join(lines) + "\n"


def refuse(code, message):
    print(f"search: {message}", file=sys.stderr)
    sys.exit(code)


def at_edge(best):
    """The settings whose best value is the smallest or largest one tried, but 0: beyond it may be a better one."""
    tried = {name: values for table in VALUES.values() for name, values in table.items() if len(values) > 2}
    return [name for name, value in best.items() if name in tried and value and value in (min(tried[name]), max(tried[name]))]


def choose(options):
    """Searches and writes what was found."""
    search = Search(options, Settings(options.settings))
    chosen, budget = {}, options.budget
    for number, method in enumerate(options.methods):  # each has its share of the time
        search.over, search.longest = False, 0.0
        options.budget = budget * (number + 1) / len(options.methods)
        chosen[method] = search.best_of(method)
        if search.over:
            print(f"search: {method}: the time of --budget is over before all combinations were tried", flush=True)
    by = f"on {Path(options.dev).name}" if options.dev else f"by {FOLDS}-fold cross-validation"
    how = f"{by}, of {search.examples} examples of {Path(options.train).name}"
    write_whole(options.work / "table.tsv", "".join("\t".join(row) + "\n" for row in search.table))
    write_whole(options.work / "settings.toml", settings_text(chosen, f"Chosen by a search, {how}"))
    for method, (best, result) in chosen.items():
        words = ", ".join(f"{name} = {spelled(value)}" for name, value in best.items())
        print(f"search: chosen for {method}: {words} ({result['measure']} {result['value']:.2f} {how})")
        if edge := at_edge(best):
            print(f"search: at the edge of the values tried, beyond which there may be better ones: {', '.join(edge)}")
    print(f"search: the choice is in {options.work / 'settings.toml'}, for --config; all that was tried in {options.work / 'table.tsv'}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--train", required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--methods", nargs="+", choices=list(VALUES), required=True)
    parser.add_argument("--dev", default="")
    parser.add_argument("--budget", type=seconds_of, default=600.0)
    parser.add_argument("--measure", choices=("auto", "accuracy", "f1", "macro_f1"), default="auto")
    parser.add_argument("--settings", nargs="*", default=[])
    options = parser.parse_args()
    try:
        choose(options)
    except TooLittle as error:
        print(f"search: there is too little to search with: {error}; the settings stay as they are")
        write_whole(options.work / "settings.toml", settings_text({}, "Nothing was chosen: there was too little to search with"))
    except KeyboardInterrupt:  # what was tried is in the memory; the recipe says how to go on
        return INTERRUPTED
    return 0


if __name__ == "__main__":
    sys.exit(main())
