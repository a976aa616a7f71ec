#!/usr/bin/env python3
"""recorded_test.py BIN: every option that changes what a program writes is part of what "up to date" means.

Each program makes an output; then, for every option that the program itself tells (--options-json), the same command with another
value of that option must refuse to leave the output as it is. An option is either in UNRECORDED, because it changes nothing that
is written, or has another value in COMMANDS; one that is in neither fails the test, so that none is forgotten.
"""

import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BIN = Path()
ROOT = Path(__file__).resolve().parents[2]

# How the work is done, what is said about it, and where the output is.
UNRECORDED = {"--help", "--version", "--options-json", "--threads", "--memory", "--log-level", "--log-format", "--force", "--refresh", "--config", "--output",
              "--metrics", "--conjunctions", "--explanations", "--names", "--mined-output", "--resume", "--tmp", "--no-compare"}
# Commands that write nothing but to standard output.
PRINTING = {("tdp", "check"), *(("fdi", command) for command in ("top", "show", "find", "stats", "diff", "verify"))}

READING = {"--from": "--from svmlight-tk", "--tree-column": "--tree-column 2", "--label-column": "--label-column 2 --tree-column 1"}


def reading_with(more):
    """READING for a command that reads examples only with `more`."""
    return {name: (more, change) for name, change in READING.items()}


TRAINING = {
    **READING,
    "--solver": "--solver usvm", "--kernel": "--kernel ptk", "--cost": "--cost 2", "--cost-factor": "--cost-factor 2",
    "--epsilon": "--epsilon 0.1", "--bias": "--no-bias", "--shrinking": "--no-shrinking", "--label-until": "--label-until :",
    "--positive": "--positive +1", "--seed": "--seed 2", "--limit": "--limit 20", "--on-error": "--on-error skip",
    "--sample": ("--solver usvm", "--sample 20"), "--constant": ("--solver usvm", "--constant 1"),
}
# Command to its options with another value each: what is added to the command, or what both commands have and what the second adds.
COMMANDS = {
    "tdp convert --input train.dat --output @": {
        **READING, "--input": "--input other.dat", "--to": "--to label-tab-tree", "--leaves": "--leaves bracketed",
        "--label": "--label x", "--tree": "--tree 1", "--vector": "--vector 1", "--strip-functions": "--strip-functions",
        "--strip-traces": "--strip-traces", "--lower-words": "--lower-words", "--drop-words": "--drop-words", "--unary": "--unary join",
        "--brackets": "--brackets escape", "--on-error": "--on-error skip"},
    "tdp dependency --input parse.conllu --output @": {
        "--input": "--input other.conllu", "--structure": "--structure lct", "--word": "--word form", "--pos": "--pos xpos",
        "--relation": "--relation universal", "--lower": "--lower", "--kelp-labels": "--kelp-labels",
        "--drop-punctuation": "--drop-punctuation", "--label-key": "--label-key topic", "--to": "--to label-tab-tree",
        "--leaves": "--leaves bracketed", "--on-error": "--on-error skip"},
    "tdp srl --input srl.tsv --output @": {
        "--input": "--input other.tsv", "--structure": "--structure ast-1", "--predicates": "--predicates NN", "--without": "--without be.01",
        "--prune": "--prune", "--splits": "--splits split.tsv", "--compress": "--compress gz", "--treebank": None, "--keep-traces": None,
        "--keep-functions": None, "--on-error": "--on-error skip"},
    "tdp generate --grammar {root}/data/questions.grammar --count 5 --output @": {
        "--grammar": "--grammar other.grammar", "--count": "--count 6", "--to": "--to trees", "--seed": "--seed 2"},
    "tdp split --input train.dat --parts a=1,b=1 --output @": {
        "--input": "--input other.dat", "--parts": "--parts a=1,b=2", "--stratify": "--no-stratify", "--column": "--column 1",
        "--ending": "--ending .txt", "--seed": "--seed 2"},
    "tdp sample --input train.dat --output @": {
        "--input": ("--count 5", "--input other.dat"), "--count": ("--count 5", "--count 6"),
        "--fraction": ("--fraction 0.5", "--fraction 0.6"), "--per-class": ("--per-class 2", "--per-class 3"),
        "--seed": ("--count 5", "--seed 2")},
    "ksl --input train.dat --output @": {**TRAINING, "--input": "--input other.dat", "--start-from": "--start-from model.svm"},
    "ksl --search --input train.dat --folds 2 --search-cost 1,2 --output @": {
        "--search": None, "--measure": "--measure accuracy", "--dev": "--dev other.dat", "--folds": "--folds 3", "--search-sample": "--search-sample 20",
        "--search-kernel": "--search-kernel ptk", "--search-lambda": "--search-lambda 0.2", "--search-cost": "--search-cost 1,3",
        "--search-cost-factor": "--search-cost-factor 1,2"},
    "fsl --input train.dat --splits 2 --output @": {
        **TRAINING, "--input": "--input other.dat", "--splits": "--splits 3", "--split": None, "--train-splits": None,
        # It deals the examples first, and these have no columns.
        "--tree-column": None, "--label-column": None,
        "--splitting": "--splitting random"},
    "ksc --model model.svm --input train.dat --output @": {
        **READING, "--model": "--model other.svm", "--input": "--input other.dat", "--format": "--format arrow", "--label-until": "--label-until :",
        "--limit": "--limit 20", "--on-error": "--on-error skip"},
    "ksm --input train.dat --output @": {
        **reading_with("--matrix"), "--input": ("--matrix", "--input other.dat"), "--other": ("--matrix", "--other other.dat"), "--kernel": ("--matrix", "--kernel ptk"),
        "--pairs": ("--pairs aligned", "--pairs consecutive"), "--matrix": None, "--evaluator": ("--matrix", "--evaluator fast"),
        "--format": ("--matrix", "--format npy"), "--type": ("--matrix --format npy", "--type float32"), "--limit": ("--matrix", "--limit 20"),
        "--on-error": ("--matrix", "--on-error skip")},
    "fmi --models model.svm --output @": {
        "--models": "--models other.svm", "--merge": "--merge mined.tsv", "--add": "--add other.dict", "--miner": "--miner greedy",
        "--top": "--top 5", "--threshold": "--threshold 0.01", "--weight": "--weight depth", "--global": "--global",
        "--min-count": "--min-count 2", "--max-size": "--max-size 3", "--containing": "--containing N*",
        "--max-depth": ("--miner paper", "--max-depth 3"), "--max-exp": ("--miner paper", "--max-exp 3")},
    "tfx --dictionary dict --input train.dat --output @": {
        **READING, "--dictionary": "--dictionary other.dict", "--input": "--input other.dat", "--shards": "--shards 2", "--shard": None,
        "--format": "--format libsvm", "--norm": "--norm none", "--vectors": "--vectors none", "--labels": "--labels number",
        "--label-numbers": ("--format libsvm", "--label-numbers numbers.tsv"), "--label-until": "--label-until :", "--costs": "--costs",
        "--compress": "--compress zst", "--limit": "--limit 20", "--on-error": "--on-error skip"},
    "esl --input vectors --output @": {
        "--input": "--input other.vectors", "--solver": "--solver l2r-lr", "--cost": "--cost 2", "--cost-factor": "--cost-factor 2",
        "--class-cost": "--class-cost +1=2", "--constant": "--constant 0", "--epsilon": "--epsilon 0.1",
        "--start-from": "--start-from model.linear", "--mined": ("--dictionary dict", "--mined"), "--dictionary": None, "--seed": "--seed 2",
        "--search": "--search", "--search-from": ("--search", "--search-from 0.5"), "--search-to": ("--search", "--search-to 4"),
        "--search-factor": ("--search", "--search-factor 4"), "--folds": ("--search", "--folds 3"),
        "--dev": ("--search", "--dev other.vectors"), "--measure": ("--search", "--measure accuracy")},
    "esc --model model.linear --output @": {
        **reading_with("--dictionary dict --trees train.dat"), "--model": ("--input vectors", "--model lr.linear"), "--input": ("--input vectors", "--input other.vectors"),
        "--dictionary": ("--input vectors", "--dictionary dict"), "--trees": ("--dictionary dict --trees train.dat", "--trees other.dat"),
        "--probabilities": ("--input vectors --model lr.linear", "--probabilities"), "--explain": ("--input vectors", "--explain 2"),
        **{change.split()[0]: ("--input vectors --explain 2", change) for change in (
            "--errors", "--gold +1", "--predicted +1", "--ids 3", "--margin 0.5", "--order errors", "--count 3")},
        "--format": ("--input vectors", "--format arrow"), "--label-until": ("--dictionary dict --trees train.dat", "--label-until :"),
        "--limit": ("--dictionary dict --trees train.dat", "--limit 20"), "--on-error": ("--dictionary dict --trees train.dat", "--on-error skip")},
    "psl --input train.svm --output @": {
        "--input": "--input other.svm.txt", "--degree": "--degree 3", "--method": "--method pki", "--explicit": "--explicit 2",
        "--update": "--update pa", "--step-norm": "--step-norm features", "--cost": "--cost 2", "--iterations": "--iterations 2",
        "--no-average": "--no-average", "--shuffle": "--shuffle", "--positive": "--positive 1", "--binarize": "--binarize",
        "--top": ("--input vectors --binarize", "--top 5"), "--dictionary": None,
        "--class": ("--input vectors --binarize --top 5", "--class +1 --dictionary dict"), "--seed": "--seed 2",
        "--on-error": "--on-error skip"},
    "psc --model model.psl --input train.svm --output @": {
        "--model": "--model other.psl", "--input": "--input other.svm.txt", "--format": "--format arrow",
        "--explain": "--explain 2 --explanations why.txt", "--dictionary": None, "--binarize": "--binarize", "--on-error": "--on-error skip"},
    "fpl --input train.dat --output @": {
        **READING, "--input": "--input other.dat", "--limit": "--limit 20", "--kernel": "--kernel st", "--vectors": "--vectors none", "--cost": "--cost 2",
        "--cost-factor": "--cost-factor 2", "--l2": "--l2 0.1", "--loss": "--loss logistic", "--gap": "--gap 0.01", "--path": "--path 2", "--class-bias": "--class-bias optimal",
        "--search": "--search --path 2 --folds 2", "--max-fragments": "--max-fragments 5",
        "--dev": ("--search --path 2 --folds 2", "--dev other.dat"), "--folds": ("--search --path 2 --folds 2", "--folds 3"),
        "--seed": ("--search --path 2 --folds 2", "--seed 2"), "--splitting": ("--search --path 2 --folds 2", "--splitting blocks"),
        "--label-until": "--label-until :", "--on-error": "--on-error skip"},
    "fdi export dict --output @": {"--format": "--format jsonl", "--drawings": ("--format jsonl", "--drawings"), "--class": "--class +1", "ids": "3"},
    "fdi draw dict --output @": {"--count": "--count 3", "--class": "--class +1", "ids": "3"},
    "fdi browse dict --output @": {
        **reading_with("--examples train.dat"), "--model": "--model model.linear", "--examples": "--examples train.dat", "--label-until": ("--examples train.dat", "--label-until :")},
    "fdi prune dict --model model.linear --output @": {"--model": "--model lr.linear"},
}

INPUTS = """
tdp generate --grammar {root}/data/questions.grammar --count 40 --seed 1 --to svmlight-tk --output train.dat
tdp generate --grammar {root}/data/questions.grammar --count 40 --seed 2 --to svmlight-tk --output other.dat
ksl --input train.dat --output model.svm
ksl --input other.dat --output other.svm
fmi --models model.svm --top 30 --output dict
fmi --models other.svm --top 30 --output other.dict
fmi --models other.svm --top 30 --mined-output mined.tsv
tfx --dictionary dict --input train.dat --output vectors
tfx --dictionary dict --input other.dat --output other.vectors
esl --input vectors --output model.linear
esl --input vectors --solver l2r-lr --output lr.linear
psl --input train.svm --output model.psl
psl --input other.svm.txt --output other.psl
"""


def run(line, folder):
    words = line.format(root=ROOT).split()
    return subprocess.run([BIN / words[0], *words[1:]], cwd=folder, capture_output=True, text=True, timeout=120, check=False)


def with_change(command, change):
    """The command with the options of the change added, in place of those that it has."""
    words = command.split()
    for name in [word for word in change.split() if word.startswith("--")]:
        if name in words:
            at = words.index(name)
            has_value = at + 1 < len(words) and not words[at + 1].startswith("--")
            del words[at : at + 1 + has_value]
    return " ".join(words + change.split())


def options_of(words):
    """Long names and arguments of a program with its command, as the program tells them."""
    table = json.loads(run(f"{words[0]} --options-json", ".").stdout)
    listed = table["options"]
    for command in table["commands"]:
        if command["name"] == words[1]:
            listed = listed + command["options"]
    return {option["name"] for option in listed}


def write_inputs(folder):
    (folder / "train.svm").write_text("+1 1:1 2:1\n-1 2:1 3:1\n+1 1:1\n")
    (folder / "other.svm.txt").write_text("+1 1:1 2:1\n-1 2:1 3:1\n+1 1:1 4:1\n")
    for name, word in (("parse", "runs"), ("other", "walks")):
        (folder / f"{name}.conllu").write_text(f"# topic = x\n1\tshe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\t_\n2\t{word}\t{word}\tVERB\tVBZ\t_\t0\troot\t_\t_\n\n")
    for name, word in (("srl", "runs"), ("other", "walks")):
        (folder / f"{name}.tsv").write_text(f"doc\t0\t(S (NP (PRP she)) (VP (VBZ {word})))\t1:run.01:ARG0,0,1;V,1,2\n")
    (folder / "split.tsv").write_text("doc\ttrain\n")
    (folder / "other.grammar").write_text((ROOT / "data/questions.grammar").read_text() + "\n# other\n")
    for line in INPUTS.strip().splitlines():
        done = run(line, folder)
        if done.returncode != 0:
            raise SystemExit(f"{line}: {done.stderr}")


class Recorded(unittest.TestCase):
    def test_every_option_is_known(self):
        known = {}
        for line, changes in COMMANDS.items():
            words = line.split()
            key = (words[0], words[1]) if words[0] in ("tdp", "fdi") else (words[0],)
            known.setdefault(key, {"dictionary"}).update(changes)
        for stage in ("tdp", "fsl", "fmi", "fdi", "tfx", "fpl", "esl", "esc", "ksl", "ksc", "ksm", "psl", "psc"):
            commands = json.loads(run(f"{stage} --options-json", ".").stdout)["commands"]
            for key in [(stage, command["name"]) for command in commands] or [(stage,)]:
                if key not in PRINTING:
                    names = options_of((*key, ""))
                    common = {"--seed", "--on-error"} if stage in ("tdp", "fdi") else set()  # of all commands, used by some
                    self.assertLessEqual(names - common - UNRECORDED, known.get(key, set()), " ".join(key))

    def test_another_value_is_other_work(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            write_inputs(folder)
            made = {}
            for line, changes in COMMANDS.items():
                for option, change in changes.items():
                    if change is None:  # part of the command or of another option's change, or it adds to what is there
                        continue
                    context, added = change if isinstance(change, tuple) else ("", change)
                    command = with_change(line, context)
                    if command not in made:
                        made[command] = f"out{len(made)}"
                        done = run(command.replace("@", made[command]), folder)
                        self.assertEqual(done.returncode, 0, f"{command}: {done.stderr}")
                    other = with_change(command, added)
                    with self.subTest(other, option=option):
                        done = run(other.replace("@", made[command]), folder)
                        self.assertEqual(done.returncode, 2, done.stderr)
                        self.assertIn("made from other inputs or with other options", done.stderr)


if __name__ == "__main__":
    BIN = Path(sys.argv.pop(1)).resolve()
    unittest.main()
