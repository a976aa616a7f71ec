#!/usr/bin/env python3
"""Runs one list of commands with two builds and says which outputs differ.

    same_bytes.py OLD_BIN NEW_BIN [--data DIR] [--work DIR] [--only REGEX]

OLD_BIN and NEW_BIN are folders with the programs. The list goes over all stages, kernels, solvers and miners, on the sample of
data/ and, where it is there, on the development data. Every command runs in a folder of its build; commands may read what earlier
ones wrote. Outputs are compared as bytes: standard output, and the files that a command names by `@NAME`. A folder is compared
file by file, a dictionary by its export. Manifests are left out: they carry digests of everything else.

Prints one line a command, and exits with 1 if any differ. A change that alters outputs on purpose shows here as the list of what
it changes.
"""

import argparse
import hashlib
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
KERNELS = ["st", "sst", "st-bow", "sst-bow", "ptk", "uptk", "sst(lambda=0.2,norm=none)"]


def commands(data):
    """Shell lines; `@NAME` is a file or folder that the line writes, `%NAME` one that an earlier line wrote."""
    train, test = ROOT / "data/sample.train.gz", ROOT / "data/sample.test.gz"
    yield f"tdp generate --grammar {ROOT}/data/questions.grammar --count 600 --seed 3 --output @generated.tsv"
    yield f"tdp convert --input {train} --to svmlight-tk --output @two.dat"
    yield f"tdp convert --input {test} --to svmlight-tk --output @two.test.dat"
    yield "tdp check --input %two.dat"
    yield "tdp split --input %two.dat --output @parts --parts train=0.8,test=0.2"
    yield "tdp sample --input %two.dat --count 50 --output @drawn.dat"
    for form in ("trees", "label-tab-tree", "kelp"):
        yield f"tdp convert --input %two.dat --to {form} --lower-words --unary join --output @two.{form}"
        yield f"tdp convert --input %two.{form} --from {form} --to svmlight-tk --output @back.{form}"
    for kernel in KERNELS:
        name = re.sub(r"\W+", "-", kernel)
        yield f"ksm --input %two.test.dat --kernel '{kernel}' --pairs consecutive --output @pairs-{name}"
        yield f"ksl --input %two.dat --kernel '{kernel}' --output @two-{name}.svm"
        yield f"ksc --model %two-{name}.svm --input %two.test.dat --output @two-{name}.predictions --metrics @two-{name}.metrics"
        yield f"fmi --models %two-{name}.svm --top 500 --output @dict-{name}"
        yield f"tfx --dictionary %dict-{name} --input %two.dat --output @vectors-{name}"
    yield "ksm --input %two.test.dat --matrix --output @matrix.npy"
    yield "ksm --input %two.test.dat --matrix --format libsvm --kernel 'sst(lambda=0.2)' --output @matrix.svm"
    yield "ksl --search --input %two.dat --search-cost 0.3,3 --search-lambda 0.2,0.4 --output @best.toml"
    for solver in ("usvm", "isvm"):
        yield f"ksl --input %two.dat --solver {solver} --sample 200 --output @two-{solver}.svm"
        yield f"ksc --model %two-{solver}.svm --input %two.test.dat --output @{solver}.predictions"
    yield "ksl --input %two.dat -c 3 -j 2 --output @costs.svm"
    yield "fsl --input %two.dat --splits 3 --splitting random --output @fsl"
    for miner in ("exact", "greedy", "paper"):
        yield f"fmi --models %fsl --top 300 --miner {miner} --output @dict-{miner}"
    yield "tfx --dictionary %dict-exact --input %two.dat --shards 3 --output @vectors"
    yield "tfx --dictionary %dict-exact --input %two.test.dat --output @vectors-test"
    yield "tfx --dictionary %dict-exact --input %two.dat --format libsvm --output @vectors-text"
    for solver in ("l2r-l2loss-svc", "l2r-lr", "l1r-l2loss-svc", "l2r-l1loss-svc-dual"):
        yield f"esl --input %vectors --solver {solver} --output @{solver}.linear"
        yield f"esc --model %{solver}.linear --input %vectors-test --output @{solver}.predictions --metrics @{solver}.metrics"
    yield "esc --model %l2r-lr.linear --dictionary %dict-exact --trees %two.test.dat --explain 3"
    yield "esc --model %l2r-lr.linear --dictionary %dict-exact --trees %two.test.dat --explain 3 --format json"
    yield "esc --model %l2r-lr.linear --dictionary %dict-exact --trees %two.test.dat --explain 3 --format html --output @why.html"
    yield "esl --input %vectors --search --output @searched.linear"
    yield "fdi top %dict-exact"
    yield "fdi show %dict-exact 3"
    yield "fdi find %dict-exact --pattern '(NP *)'"
    yield "fdi stats %dict-exact"
    yield "fdi diff %dict-exact %dict-greedy"
    yield "fdi draw %dict-exact 1 2 3 --output @three.svg"
    yield "fdi verify %dict-exact"
    if not data.is_dir():
        return
    yield f"zcat {data}/binary/a9a.train.svm.gz | head -3000 > @a9a.svm"
    for method in ("pki", "ke", "sp", "sl"):
        yield f"psl --input %a9a.svm --degree 3 --method {method} --iterations 3 --output @a9a-{method}.psl"
        yield f"psc --model %a9a-{method}.psl --input %a9a.svm --output @a9a-{method}.predictions --metrics @a9a-{method}.metrics"
    yield f"zcat {data}/srl/ewt.train.bc.dat.gz | head -5000 > @ewt.dat"
    yield "ksl --input %ewt.dat --output @ewt.svm"
    yield "fmi --models %ewt.svm --top 2000 --output @dict-ewt"
    yield "tfx --dictionary %dict-ewt --input %ewt.dat --shards 2 --output @vectors-ewt"
    yield "esl --input %vectors-ewt --output @ewt.linear"
    yield "esc --model %ewt.linear --dictionary %dict-ewt --trees %ewt.dat --output @ewt.predictions"
    yield f"ksl --input {data}/qc/qc_const_train.tsv.gz --limit 1500 --label-until : --output @qc.svm"
    yield f"ksc --model %qc.svm --input {data}/qc/qc_const_test.tsv.gz --label-until : --output @qc.predictions --metrics @qc.metrics"
    yield f"fsl --input {data}/qc/qc_const_train.tsv.gz --limit 1500 --label-until : --splits 2 --splitting random --output @qc-fsl"
    yield "fmi --models %qc-fsl --top 200 --output @dict-qc"
    yield f"tfx --dictionary %dict-qc --input {data}/qc/qc_const_train.tsv.gz --limit 1500 --label-until : --output @vectors-qc"
    yield f"tfx --dictionary %dict-qc --input {data}/qc/qc_const_test.tsv.gz --label-until : --output @vectors-qc-test"
    for solver in ("l2r-l2loss-svc", "mcsvm-cs"):
        yield f"esl --input %vectors-qc --solver {solver} --output @qc-{solver}.linear"
        yield f"esc --model %qc-{solver}.linear --input %vectors-qc-test --output @qc-{solver}.predictions --metrics @qc-{solver}.metrics"
    yield "fdi top %dict-qc"
    yield f"tdp srl --input {data}/srl/srl_ewt.tsv.gz --splits {data}/srl/split_ewt.tsv --output @srl"
    yield f"ksm --input {data}/qc/qc_lct_test.tsv.gz --kernel 'ptk(lambda=0.4,mu=0.4)' --pairs consecutive --limit 200 --output @lct.txt"


def digest(path, programs):
    if path.is_dir() and (path / "CURRENT").exists():
        return hashlib.sha256(subprocess.run([programs / "fdi", "export", path], capture_output=True, check=True).stdout).hexdigest()
    if path.is_dir():
        files = sorted(file for file in path.rglob("*") if file.is_file() and "manifest" not in file.name)
        return hashlib.sha256(b"".join(str(file.relative_to(path)).encode() + file.read_bytes() for file in files)).hexdigest()
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.exists() else "absent"


def run(command, programs, folder):
    """What a build makes of the command: a digest by name of the output."""
    names = re.findall(r"@([\w.-]+)", command)
    line = re.sub(r"[@%]([\w.-]+)", lambda match: str(folder / match.group(1)), command)
    result = subprocess.run(["bash", "-c", line], capture_output=True, cwd=folder, env={"PATH": f"{programs}:/usr/bin:/bin"})
    printed = result.stdout.replace(str(folder).encode(), b"")
    found = {"exit": str(result.returncode), "stdout": hashlib.sha256(printed).hexdigest()}
    found.update({name: digest(folder / name, programs) for name in names})
    return found, result.stderr.decode(errors="replace")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old", type=Path)
    parser.add_argument("new", type=Path)
    parser.add_argument("--data", type=Path, default=ROOT / "../shared/data")
    parser.add_argument("--work", type=Path)
    parser.add_argument("--only", default="", help="report only commands that match")
    options = parser.parse_args()
    work = options.work or Path(tempfile.mkdtemp(prefix="same_bytes."))
    differing = 0
    for number, command in enumerate(commands(options.data.resolve())):
        results = []
        for name, programs in (("old", options.old), ("new", options.new)):
            (work / name).mkdir(parents=True, exist_ok=True)
            results.append(run(command, programs.resolve(), work / name))
        (old, old_talk), (new, new_talk) = results
        names = [name for name in old if old[name] != new[name]]
        failed = old["exit"] != "0" or new["exit"] != "0"
        if re.search(options.only, command) and (names or failed):
            differing += bool(names)
            print(f"{number}: {command}\n    differs: {', '.join(names) or 'nothing'}; exit {old['exit']} and {new['exit']}")
            if failed:
                print("    " + (old_talk if old["exit"] != "0" else new_talk).strip().splitlines()[-1])
            sys.stdout.flush()
    print(f"{number + 1} commands, {differing} differ; outputs are in {work}")
    return 1 if differing else 0


if __name__ == "__main__":
    sys.exit(main())
