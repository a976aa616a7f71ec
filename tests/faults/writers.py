#!/usr/bin/env python3
"""Two and four processes make the same output at the same time: it ends up as that of one, and nobody crashes.

    writers.py --bin DIR [--rounds N] [--only REGEX]

Every process exits with 0, or with 1, 2 or 3 and a message; then the same command, alone, exits with 0 and leaves the bytes of an
undisturbed run. Ends with `N passed, N failed`.
"""

import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from commands import COMMANDS, memory_folder, option_parser, prepare_inputs
from faults import ROOT, TIMEOUT, Faults


def race(faults, name, command, expected, count):
    folder = Path(tempfile.mkdtemp(dir=faults.work))
    line = re.sub(r"%([\w.-]+)", lambda match: str(faults.inputs / match.group(1)), command.format(root=ROOT)).replace("@", "")
    running = [subprocess.Popen(line.split(), cwd=folder, env=faults.environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
               for _ in range(count)]
    try:
        for process in running:
            talk = process.communicate(timeout=TIMEOUT)[1].decode(errors="replace")
            if process.returncode not in (0, 1, 2, 3):
                return f"crashes with {process.returncode}: {talk.strip()[-200:]}"
            if process.returncode != 0 and f"{command.split()[0]}: " not in talk:
                return f"exit {process.returncode} without a message"
        code, talk = faults.run(command, folder)
        if code != 0:
            return f"the run after them exits with {code}: {talk.strip()[-200:]}"
        found = faults.contents(command, folder)
        if found != expected:
            return f"{[key for key in found if found[key] != expected[key]]} differ"
        leftovers = [file.name for file in folder.iterdir() if ".tmp-" in file.name]
        return f"leaves {leftovers}" if leftovers else None
    finally:
        for process in running:
            process.kill()
        shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = option_parser(__doc__)
    parser.add_argument("--rounds", type=int, default=1)
    options = parser.parse_args()
    work = Path(tempfile.mkdtemp(prefix="writers.", dir=memory_folder()))
    faults = Faults(options, work)
    prepare_inputs(faults.inputs, faults.environment, ROOT)
    passed = failed = 0
    for name, command in COMMANDS.items():
        if not re.search(options.only, name):
            continue
        expected = faults.reference(name, command)
        for count in [2, 4] * options.rounds:
            problem = race(faults, name, command, expected, count)
            if problem:
                print(f"{name}: {count} writers: {problem}", flush=True)
            passed, failed = passed + (not problem), failed + bool(problem)
    print(f"{passed} passed, {failed} failed")
    shutil.rmtree(work, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
