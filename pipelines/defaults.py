#!/usr/bin/env python3
"""defaults.py --data DIR --work DIR [--set NAME]... [--table]: measures what the default settings were chosen by.

Every set of labelled trees goes through exact kernel SVMs (`exact`), linear models over mined fragments (`mined`) and sparse models over all
fragments (`sparse`) with the settings of GRID. A set is judged by its development part, never by test data: the file of the data folder
for that, or a third of the training examples that no method has seen. One thread, CPU seconds. DIR of --data is the development data; some
sets are generated. Run again, it measures only what is missing; --table prints what is there, as Markdown.
"""

import argparse
import gzip
import json
import os
import re
import subprocess
import sys
from pathlib import Path

from measure import write_whole
from trial import Trial, judged

HERE = Path(__file__).resolve().parent
BIN = Path(os.environ.get("TREELINE_BIN", HERE.parent / "build" / "release" / "bin"))

# Name: file of training examples, of development examples (none: a third of the training examples), lines, what ends a label.
FILES = {
    "boundaries, verbs, 20,000": ("srl/ewt.train.bc.dat.gz", "srl/ewt.dev.bc.dat.gz", 20000, ""),
    "boundaries, verbs, 100,000": ("srl/ewt.train.bc.dat.gz", "srl/ewt.dev.bc.dat.gz", 100000, ""),
    "boundaries, nouns, 20,000": ("srl/ewtnom.train.bc.dat.gz", "srl/ewtnom.dev.bc.dat.gz", 20000, ""),
    "roles, verbs, 20,000": ("srl/ewt.train.rm.tsv.gz", "srl/ewt.dev.rm.tsv.gz", 20000, ""),
    "roles, nouns": ("srl/ewtnom.train.rm.tsv.gz", "srl/ewtnom.dev.rm.tsv.gz", 0, ""),
    "questions, 6 classes": ("qc/qc_const_train.tsv.gz", None, 0, ":"),
    "questions, 50 classes": ("qc/qc_const_train.tsv.gz", None, 0, ""),
    "questions, grct": ("qc/qc_grct_train.tsv.gz", None, 0, ":"),
    "questions, lct": ("qc/qc_lct_train.tsv.gz", None, 0, ":"),
    "questions, loct": ("qc/qc_loct_train.tsv.gz", None, 0, ":"),
}
GRID = {  # the arguments of the functions of `Trial`
    "exact": [("sst(lambda=0.4)", 1), ("sst(lambda=0.4)", 3), ("sst(lambda=0.4)", 10), ("sst(lambda=0.2)", 3), ("sst(lambda=0.2)", 10)],
    "mined": [("sst(lambda=0.4)", 3, 0, 1000, 10), ("sst(lambda=0.4)", 3, 0, 10000, 10)],
    "sparse": [("sst(lambda=0.4)", 4, 0), ("sst(lambda=0.4)", 8, 0), ("sst(lambda=0.4)", 8, 0.3), ("sst(lambda=0.4)", 8, 1),
               ("sst(lambda=0.4)", 16, 1), ("sst(lambda=0.2)", 8, 1)],
}


def run(*command, **more):
    return subprocess.run([str(one) for one in command], check=True, **more)


def lines_of(path):
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from lines


def held_out(lines, train, dev):
    """Every third line is a development example."""
    lines = list(lines)
    write_whole(train, "".join(line for number, line in enumerate(lines) if number % 3))
    write_whole(dev, "".join(lines[::3]))


def sentence_types(data, train, dev):
    """Sentences of the English Web Treebank whose first phrase lost its label: the label is the class."""
    part = dict(line.split() for line in open(data / "srl" / "split_ewt.tsv"))
    made = {"train": [], "dev": []}
    for line in lines_of(data / "srl" / "srl_ewt.tsv.gz"):
        document, _, tree, _ = line.split("\t")
        found = re.match(r"\(TOP \(([A-Z]+) ", tree)
        if found and part.get(document) in made:
            made[part[document]].append(f"{found[1]}\t(TOP (X {tree[found.end():]}\n")
    write_whole(train, "".join(made["train"]))
    write_whole(dev, "".join(made["dev"]))


def grammar(classes):
    """The text of a grammar: classes of falling size that share all words and phrases and differ in which kinds stand together."""
    rules = {"NP": ["DT N [4]", "NP PP"], "PP": ["IN NP"], "ADVP": ["RB"]}
    for number in range(classes):
        subject, verb = f"NP/{number % 4}", f"VP/{number // 4 % 4}"
        rules[f"S/{number}"] = [f"{subject} {verb} PP/{number % 3} [3]", f"PP/{number % 3} {subject} {verb}", f"ADVP {subject} {verb} [2]"]
    for kind in range(4):
        rules[f"NP/{kind}"] = [f"DT N/{kind} [3]", f"NP/{kind} PP"]
        rules[f"VP/{kind}"] = [f"V/{kind} NP [3]", f"VP/{kind} PP"]
        rules[f"PP/{kind}"] = [f"IN/{kind} NP"]
    for kind, share in (("DT", 4), ("N", 30), ("IN", 10), ("RB", 8)):
        rules[kind] = [f"'{kind.lower()}{word}'" for word in range(share)]
    for kind, share in (("N", 6), ("V", 6), ("IN", 2)):  # of neighbouring kinds half the words are the same
        rules |= {f"{kind}/{number}": [f"'{kind.lower()}{word}'" for word in range(number * share, (number + 2) * share)] for number in range(4)}
    head = [f"class c{number} [{2 ** (-number / 2):.4f}] S/{number}" for number in range(classes)] + ["noise 0.05", "nodes 100"]
    return "\n".join(head + [f"{left} -> {' | '.join(right)}" for left, right in rules.items()]) + "\n"


def generated(source, count, train, dev):
    for seed, number, output in ((1, count, train), (2, 5000, dev)):
        run(BIN / "tdp", "--seed", seed, "--log-level", "quiet", "--force", "generate", "--grammar", source, "--count", number, "--output", output)


def prepare(name, data, folder):
    """Training and development file of a set."""
    train, dev = folder / "train.txt", folder / "dev.txt"
    if dev.exists():
        return train, dev
    folder.mkdir(parents=True, exist_ok=True)
    if name in FILES:
        source, judge, limit, until = FILES[name]
        lines = lines_of(data / source)
        lines = [line for _, line in zip(range(limit), lines)] if limit else list(lines)
        if until:
            lines = [line.split(until, 1)[0] + "\t" + line.split("\t", 1)[1] for line in lines]
        if judge:
            write_whole(train, "".join(lines))
            write_whole(dev, "".join(lines_of(data / judge)))
        else:
            held_out(lines, train, dev)
    elif name.startswith("sentence types"):
        sentence_types(data, train, dev)
    elif name.startswith("generated questions"):
        generated(HERE.parent / "data" / "questions.grammar", 5000 if "5,000" in name else 40000, train, dev)
    else:
        source = folder / "grammar"
        source.write_text(grammar(11))
        generated(source, 20000, train, dev)
    return train, dev


SETS = [*FILES, "sentence types, 13 classes", "generated questions, 5,000", "generated questions, 40,000", "generated, 11 classes, 20,000"]


def measure(name, data, work):
    """What every setting of the grid comes to on a set; in the file results.json of its folder."""
    folder = work / re.sub(r"[^a-z0-9]+", "-", name)
    train, dev = prepare(name, data, folder)
    results = folder / "results.json"
    found = json.loads(results.read_text()) if results.exists() else {}
    for method, settings in GRID.items():
        for setting in settings:
            key = " ".join(map(str, (method, *setting)))
            if key in found:
                continue
            trial = Trial(BIN, folder / "trial", train, dev, {"threads": 1})
            result = getattr(trial, method)(*setting)
            trial.clear()
            measure_name, value = judged(result.pop("metrics"))
            found[key] = {"measure": measure_name, "value": value, **result}
            write_whole(results, json.dumps(found, indent=1) + "\n")
            print(f"{name}: {key}: {found[key]}", file=sys.stderr, flush=True)


def cell(one):
    return f"{one['value']:.2f}, {one['cpu_seconds']:.1f} s, {one['bytes'] / 1000:.0f} kB" if one else ""


def table(work, names):
    """Lines of Markdown: a row a set, a column a setting; quality, CPU seconds of training and size of the model."""
    keys = [" ".join(map(str, (method, *setting))) for method, settings in GRID.items() for setting in settings]
    yield "| set | " + " | ".join(keys) + " |"
    yield "|---" * (len(keys) + 1) + "|"
    for name in names:
        results = work / re.sub(r"[^a-z0-9]+", "-", name) / "results.json"
        if results.exists():
            found = json.loads(results.read_text())
            yield f"| {name} | " + " | ".join(cell(found.get(key)) for key in keys) + " |"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--set", action="append", choices=SETS, dest="sets")
    parser.add_argument("--table", action="store_true")
    options = parser.parse_args()
    for name in [] if options.table else options.sets or SETS:
        measure(name, options.data, options.work)
    print("\n".join(table(options.work, options.sets or SETS)))


if __name__ == "__main__":
    main()
