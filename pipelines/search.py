#!/usr/bin/env python3
"""search.py --train F --work DIR --methods M... [--dev F] [--budget 10m] [--measure M] --settings ...: chooses settings of recipes.

For each method (exact, mined, sparse) it starts from the settings given and changes one at a time to the best of a few values, over and
over until none helps or the time is over: the decay lambda of the kernel, C, and for `mined` L, C of the linear model and the number of splits.
Judged by three-fold cross-validation of the training examples, or on those of --dev; of more than 20,000 training examples a random 20,000
are taken. Prints a line for every combination; DIR/table.tsv has all of them, DIR/settings.toml the best ones, for --config of the recipes.
"""

import argparse
import json
import random
import re
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path

from measure import write_whole
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
COLUMNS = ("label-column", "tree-column")  # of the files given; the parts have a format of their own


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
    found = re.fullmatch(r"([0-9.]+)([smh]?)", text)
    if not found:
        print(f"search.py: --budget '{text}': expected a time such as 90s, 10m or 1h", file=sys.stderr)
        sys.exit(2)
    return float(found[1]) * {"": 1, "s": 1, "m": 60, "h": 3600}[found[2]]


def spelled(value):
    return f"{value:g}" if isinstance(value, float) else value


class Search:
    """Measures combinations on the parts, and remembers them, also from one run to the next."""

    def __init__(self, options, settings):
        self.options, self.settings = options, settings
        self.common = {key: settings.get("all", key) for key in COMMON if settings.get("all", key)}
        self.columns = {key: settings.get("all", key) for key in COLUMNS if settings.get("all", key)}
        self.memory = options.work / "results.json"
        self.parts, self.examples = self.make_parts()
        known = json.loads(self.memory.read_text()) if self.memory.exists() else {}
        self.found = known.get("found", {}) if known.get("of") == self.identity() else {}
        self.started, self.longest, self.over = time.monotonic(), 0.0, False
        self.table = [["method", "settings", "measure", "value", "features", "seconds"]]

    def identity(self):
        files = [Path(one) for one in (self.options.train, self.options.dev) if one]
        return [[[str(one), one.stat().st_size, one.stat().st_mtime_ns] for one in files], self.common, self.columns, self.settings.get("all", "limit"),
                self.options.measure]

    def read(self, path):
        """The examples of a file, as lines."""
        command = [self.options.programs / "tdp", "convert", "--log-level", "quiet", "--input", path, "--to", "svmlight-tk"]
        command += [f"--{key}={value}" for key, value in {**self.common, **self.columns}.items() if key in ("on-error", *COLUMNS)]
        text = subprocess.run(command, stdout=subprocess.PIPE, check=False)
        if text.returncode:
            sys.exit(text.returncode)
        return text.stdout.decode("utf-8").splitlines(keepends=True)

    def make_parts(self):
        """Pairs of files to learn from and to judge by."""
        lines, chance = self.read(self.options.train)[:int(self.settings.get("all", "limit", 0)) or None], random.Random(1)
        if len(lines) > MOST_EXAMPLES:
            lines = [lines[i] for i in sorted(chance.sample(range(len(lines)), MOST_EXAMPLES))]
        folder = self.options.work / "parts"
        if self.options.dev:
            write_whole(folder / "train.dat", "".join(lines))
            write_whole(folder / "dev.dat", "".join(self.read(self.options.dev)))
            return [(folder / "train.dat", folder / "dev.dat")], len(lines)
        by_class = defaultdict(list)
        for number, line in enumerate(lines):
            by_class[line.split(maxsplit=1)[0].split(self.common.get("label-until") or "\n")[0]].append(number)
        fold_of, dealt = {}, 0
        for members in by_class.values():
            chance.shuffle(members)
            for number in members:
                fold_of[number], dealt = dealt % FOLDS, dealt + 1
        parts = []
        for fold in range(FOLDS):
            train, dev = folder / f"train-{fold + 1}.dat", folder / f"dev-{fold + 1}.dat"
            write_whole(train, "".join(line for number, line in enumerate(lines) if fold_of[number] != fold))
            write_whole(dev, "".join(line for number, line in enumerate(lines) if fold_of[number] == fold))
            parts.append((train, dev))
        return parts, len(lines)

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
                trial = Trial(self.options.programs, self.options.work / f"trial-{number + 1}", train, dev, self.common)
                results.append(run_trial(trial, method, one))
                trial.clear()
            self.longest = max(self.longest, time.monotonic() - self.started - spent)
            values = [judged(result["metrics"], self.options.measure) for result in results]
            self.found[key] = {"measure": values[0][0], "value": sum(value for _, value in values) / len(values),
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


def settings_text(chosen, how):
    """A settings file of the recipes."""
    lines = [f"# Chosen by a search, {how}"]
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
    write_whole(options.work / "settings.toml", settings_text(chosen, how))
    for method, (best, result) in chosen.items():
        words = ", ".join(f"{name} = {spelled(value)}" for name, value in best.items())
        print(f"search: chosen for {method}: {words} ({result['measure']} {result['value']:.2f} {how})")
    print(f"search: the choice is in {options.work / 'settings.toml'}, for --config; all that was tried in {options.work / 'table.tsv'}")


if __name__ == "__main__":
    main()
