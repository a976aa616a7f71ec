"""python3 pipelines/papers --paper NAME ...: measures one paper and gathers all papers of the work folder. NAME.sh calls it."""

import argparse
import importlib
import json
import os
import sys
from pathlib import Path

pipelines = Path(__file__).resolve().parent.parent
sys.path[1:1] = [str(pipelines), str(pipelines / "report")]

from data import Data
from gather import gather, write_files
from measure import write_whole
from work import Work


def machine():
    """What the machine is, as far as numbers depend on it."""
    lines = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    name = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), "unknown processor")
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e9
    return f"{os.cpu_count()} cores ({name}), {memory:.0f} GB"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--paper", required=True)
    parser.add_argument("--size", choices=["small", "full"], required=True)
    parser.add_argument("--run", required=True)
    for name in ("--data", "--work", "--programs"):
        parser.add_argument(name, type=lambda text: Path(text).resolve(), required=True)
    options = parser.parse_args()

    work = Work(options.work / options.paper, options.size, options.programs, options.run)
    data = Data(options.data, work, options.programs)
    if not data.real:
        work.size = "sample"
    module = importlib.import_module(options.paper)
    results = {
        "paper": options.paper,
        "citation": module.CITATION,
        "size": work.size,
        "data": data.describe(),
        "machine": machine(),
        "items": module.measure(work, data),
    }
    write_files(work.folder, results["items"])
    write_whole(work.folder / "results.json", json.dumps(results, indent=1) + "\n")
    page = gather(options.work)
    print(f"{work.folder / 'tables'}\n{work.folder / 'plots'}\n{page}")


if __name__ == "__main__":
    main()
