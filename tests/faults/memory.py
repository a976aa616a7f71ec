#!/usr/bin/env python3
"""Runs every stage that has --memory with three sizes of it and measures what it takes of its own: at most 1.1 times that, or it is
refused with the number that is needed.

    memory.py --bin DIR [--sizes 64M,256M,1G] [--only REGEX]

Prints a table: command, size, exit code, peak in MB, seconds. Mapped files do not count. Ends with `N passed, N failed`.
"""

import gzip
import re
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from commands import option_parser

ROOT = Path(__file__).resolve().parents[2]
TIMEOUT = 300
UNITS = {"M": 1 << 20, "G": 1 << 30}

PREPARE = """
tdp generate --grammar {root}/data/questions.grammar --count 6000 --seed 3 --output train.tsv
tdp generate --grammar {root}/data/questions.grammar --count 40000 --seed 4 --output many.tsv
fsl --input train.tsv --splits 4 --output models
ksl --input train.tsv --output model.svm
fmi --models models --top 20000 --output dict
tfx --dictionary dict --input many.tsv --output vectors
tfx --dictionary dict --input many.tsv --shards 4 --output vectors4
esl --input vectors --output model.linear
awk 'BEGIN {{ srand(1) }} {{ printf "%s", NR % 2 ? "+1" : "-1"; for (i = 1; i <= 60; ++i) if (rand() < 0.3) printf " %d:1", i + 60 * (NR % 50); print "" }}' many.tsv > binary.svm
head -6000 binary.svm > few.svm
psl --input few.svm --degree 2 --iterations 1 --output binary.psl
printf '+1 |BT| (A (B b)) |ET| 500000000:1 |EV|\\n-1 |BT| (A (C c)) |ET| 2147483648:1 |EV|\\n' > wide.dat
tfx --dictionary dict --input wide.dat --output wide
"""

COMMANDS = {
    "ksl": "ksl --input train.tsv --output out.svm",
    "ksl-usvm": "ksl --input train.tsv --solver usvm --output out.svm",
    "ksl-bomb": "ksl --input bomb.gz --output out.svm",
    "ksl-zero": "ksl --input /dev/zero --output out.svm",
    "fsl": "fsl --input train.tsv --splits 4 --output out",
    "ksc": "ksc --model model.svm --input many.tsv --output out.tsv",
    "ksm-matrix": "ksm --input train.tsv --matrix --output out.npy",
    "fmi": "fmi --models models --top 100000 --output out",
    "fmi-global": "fmi --models models --top 20000 --global --output out",
    "tfx": "tfx --dictionary dict --input many.tsv --output out",
    "tfx-shards": "tfx --dictionary dict --input many.tsv --shards 8 --output out",
    "esl": "esl --input vectors --output out.linear",
    "esl-shards": "esl --input vectors4 --output out.linear",
    "esl-dual": "esl --input vectors --solver l2r-l1loss-svc-dual --output out.linear",
    "esl-l1r-lr": "esl --input vectors --solver l1r-lr --output out.linear",
    "esl-wide": "esl --input wide --output out.linear",
    "fpl": "fpl --input train.tsv --output out",
    "psl": "psl --input binary.svm --degree 3 --iterations 1 --output out.psl",
    "psc": "psc --model binary.psl --input binary.svm --output out.tsv",
}


def size_of(text):
    return int(text[:-1]) * UNITS[text[-1]]


def own_memory(pid):
    try:
        return int(re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{pid}/status").read_text()).group(1)) << 10
    except (OSError, AttributeError):
        return 0


def measure(command, folder, environment):
    """Exit code, what it said, peak of its own memory in bytes, seconds."""
    started = time.monotonic()
    process = subprocess.Popen(command.split(), cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    peak = 0
    while process.poll() is None and time.monotonic() < started + TIMEOUT:
        peak = max(peak, own_memory(process.pid))
        time.sleep(0.004)
    code = process.returncode
    if code is None:
        process.kill()
        code = "hangs"
    return code, process.stderr.read().decode(errors="replace"), peak, time.monotonic() - started


def main():
    parser = option_parser(__doc__)
    parser.add_argument("--sizes", default="64M,256M,1G")
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="memory."))
    environment = {"PATH": f"{options.bin.resolve()}:/usr/bin:/bin", "HOME": str(work), "LC_ALL": "C"}
    subprocess.run(["bash", "-euc", PREPARE.format(root=ROOT)], check=True, cwd=work, env=environment, capture_output=True)
    with gzip.open(work / "bomb.gz", "wb") as bomb:
        for _ in range(2048):
            bomb.write(b"a" * (1 << 20))
    passed = failed = 0
    print(f"{'command':14} {'memory':>7} {'exit':>5} {'peak MB':>8} {'seconds':>8}")
    for name, command in COMMANDS.items():
        if not re.search(options.only, name):
            continue
        for size in options.sizes.split(","):
            threads = "" if command.startswith("psl") else " --threads 2"
            code, talk, peak, seconds = measure(f"{command} --memory {size}{threads}", work, environment)
            last = talk.strip().splitlines()[-1] if talk.strip() else ""
            kept = peak <= 1.1 * size_of(size) and (code == 0 or code == 3 or (code == 2 and re.search(r"\d [kMG]?B", last)))
            print(f"{name:14} {size:>7} {code:>5} {peak / (1 << 20):8.0f} {seconds:8.2f}  {'' if kept else 'NOT KEPT: '}{last if code != 0 else ''}",
                  flush=True)
            passed, failed = passed + bool(kept), failed + (not kept)
            for made in work.glob("out*"):
                shutil.rmtree(made) if made.is_dir() else made.unlink()
    print(f"{passed} passed, {failed} failed")
    shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
