"""The commands that the fault tests disturb: one of every way that a stage writes, and one of every way that it reads.

A command reads files that `prepare_inputs` made and writes only what it names by `@NAME`. `%NAME` is a prepared file.
"""

import argparse
import os
import random
import subprocess
import sys
from pathlib import Path

PREPARE = """
tdp generate --grammar {root}/data/questions.grammar --count 160 --seed 3 --output two.tsv
tdp generate --grammar {root}/data/questions.grammar --count 60 --seed 4 --output test.tsv
awk 'BEGIN {{ OFS = FS = "\\t" }} {{ $1 = "c" NR % 3; print }}' two.tsv > three.tsv
tdp convert --input two.tsv --to svmlight-tk --output two.dat
awk '{{ n = split($0, w, ""); printf "%s", NR % 2 ? "+1" : "-1"; for (i = 1; i <= 20; ++i) if ((NR * i) % 7 < 3) printf " %d:1", i; print "" }}' two.tsv > binary.svm
ksl --input two.tsv --output two.svm
ksl --input three.tsv --output three.svm
fsl --input two.tsv --splits 2 --output models
fmi --models models --top 60 --output dict
tfx --dictionary dict --input two.tsv --output vectors
tfx --dictionary dict --input test.tsv --output vectors-test
esl --input vectors --output two.linear
psl --input binary.svm --degree 2 --iterations 2 --output binary.psl
psl --input vectors --binarize --degree 2 --iterations 2 --output vectors.psl
fmi --models two.svm --top 40 --mined-output two.mined
tfx --dictionary dict --input three.tsv --format libsvm --label-numbers labels.tsv --output text
esc --model two.linear --input vectors-test --output predictions.tsv --metrics metrics.json
fpl --input two.tsv --output sparse
"""


def memory_folder():
    """Where thousands of small files cost least; None: the usual place."""
    return "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


def prepare_inputs(folder, environment, root):
    folder.mkdir()
    subprocess.run(["bash", "-euc", PREPARE.format(root=root)], check=True, cwd=folder, env=environment, capture_output=True)


def told(results, total, every=1000):
    """Passes `results` on, and says now and then how many there were."""
    for number, result in enumerate(results, 1):
        if number % every == 0:
            print(f"{number} of {total}", file=sys.stderr, flush=True)
        yield result


def option_parser(description, sampled=None):
    """A parser with the options that the programs of this folder share; `sampled`: what a sample is of, for those that take one."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", type=Path, required=True, help="folder of the programs")
    parser.add_argument("--only", default="", help="commands whose name matches")
    if sampled:
        parser.add_argument("--all", action="store_true", help=f"all {sampled}")
        parser.add_argument("--sample", type=int, default=300, help=f"{sampled} in all")
        parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
        parser.add_argument("--jobs", type=int, default=os.cpu_count())
        parser.add_argument("--work", type=Path, help="folder to work in, which stays")
    return parser


COMMANDS = {
    "tdp-generate": "tdp generate --grammar {root}/data/questions.grammar --count 80 --seed 5 --output @out.tsv",
    "tdp-convert": "tdp convert --input %two.tsv --to svmlight-tk --output @out.dat.gz",
    "tdp-split": "tdp split --input %two.tsv --output @parts --parts train=0.8,test=0.2",
    "ksl": "ksl --input %two.tsv --output @out.svm",
    "ksl-classes": "ksl --input %three.tsv --output @out.svm",
    "ksl-usvm": "ksl --input %two.tsv --solver usvm --sample 50 --output @out.svm",
    "ksc": "ksc --model %two.svm --input %test.tsv --output @out.tsv --metrics @out.json",
    "ksm": "ksm --input %test.tsv --kernel sst --matrix --output @out.npy",
    "fsl": "fsl --input %two.tsv --splits 2 --output @out",
    "fmi": "fmi --models %models --top 50 --output @out",
    "tfx": "tfx --dictionary %dict --input %two.tsv --shards 3 --output @out",
    "tfx-libsvm": "tfx --dictionary %dict --input %two.tsv --shards 2 --format libsvm --output @out",
    "esl": "esl --input %vectors --output @out.linear",
    "esl-l1": "esl --input %vectors --solver l1r-lr --output @out.linear",
    "esc": "esc --model %two.linear --input %vectors-test --output @out.tsv --metrics @out.json",
    "esc-trees": "esc --model %two.linear --dictionary %dict --trees %test.tsv --output @out.tsv",
    "fpl": "fpl --input %two.tsv --output @out",
    "fdi-prune": "fdi prune %dict --model %two.linear --output @out",
    "psl": "psl --input %binary.svm --degree 2 --iterations 2 --output @out.psl",
    "psc": "psc --model %binary.psl --input %binary.svm --output @out.tsv --metrics @out.json",
    "fdi-export": "fdi export %dict --output @out.tsv",
    "fdi-browse": "fdi browse %dict --output @out",
    "esc-site": "esc --model %two.linear --dictionary %dict --trees %test.tsv --explain 3 --format site --output @out",
}

# Consumer: its command, and the files that are damaged. `!` after one: it carries a digest of its own and is also tried without
# its manifest.
FLIPS = {
    "ksc": ("ksc --model %two.svm --input %test.tsv --output @out.tsv --metrics @out.json", ["two.svm!", "two.svm.manifest.json", "test.tsv"]),
    "ksc-classes": ("ksc --model %three.svm --input %test.tsv --output @out.tsv", ["three.svm/*"]),
    "ksl": ("ksl --input %two.tsv --output @out.svm", ["two.tsv"]),
    "ksl-start": ("ksl --input %two.tsv --start-from %two.svm --output @out.svm", ["two.svm!"]),
    "fmi": ("fmi --models %two.svm --top 50 --output @out", ["two.svm!"]),
    "fmi-folder": ("fmi --models %models --top 50 --output @out", ["models/*"]),
    "fmi-merge": ("fmi --merge %two.mined --output @out", ["two.mined!"]),
    "fmi-add": ("fmi --models %two.svm --add %dict --output @out", ["dict/*"]),
    "tfx": ("tfx --dictionary %dict --input %test.tsv --output @out", ["dict/*", "test.tsv"]),
    "tfx-numbers": ("tfx --dictionary %dict --input %three.tsv --format libsvm --label-numbers %labels.tsv --output @out",
                    ["labels.tsv"]),
    "esl": ("esl --input %vectors --output @out.linear", ["vectors/*"]),
    "esl-mined": ("esl --input %vectors --mined --dictionary %dict --output @out.linear", ["dict/*", "vectors/*"]),
    "esl-start": ("esl --input %vectors --start-from %two.linear --output @out.linear", ["two.linear!"]),
    "esc": ("esc --model %two.linear --input %vectors-test --output @out.tsv --metrics @out.json",
            ["two.linear!", "two.linear.manifest.json", "vectors-test/*"]),
    "esc-trees": ("esc --model %two.linear --dictionary %dict --trees %test.tsv --output @out.tsv",
                  ["two.linear!", "dict/*", "test.tsv"]),
    "esc-sparse": ("esc --model %sparse/model.linear --dictionary %sparse/dict --trees %test.tsv --explain 3 --output @out.txt",
                   ["sparse/model.linear", "sparse/dict/*"]),
    "psl-vectors": ("psl --input %vectors --binarize --degree 2 --iterations 2 --output @out.psl", ["vectors/*"]),
    "psl-text": ("psl --input %text/part-00000-of-00001.svm --binarize --degree 2 --iterations 2 --output @out.psl", ["text/*.svm"]),
    "psc": ("psc --model %binary.psl --input %binary.svm --output @out.tsv --metrics @out.json", ["binary.psl!"]),
    "psc-vectors": ("psc --binarize --model %vectors.psl --input %vectors-test --output @out.tsv", ["vectors.psl!", "vectors-test/*"]),
    "fdi-export": ("fdi export %dict --output @out.tsv", ["dict/*"]),
    "fdi-prune": ("fdi prune %dict --model %two.linear --output @out", ["dict/*", "two.linear!"]),
    "fdi-show": ("fdi show %dict 0 1 2", ["dict/*"]),
    "fdi-metrics": ("fdi verify %metrics.json", ["metrics.json"]),
    "fdi-predictions": ("fdi verify %predictions.tsv", ["predictions.tsv"]),
}
