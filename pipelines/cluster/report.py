#!/usr/bin/env python3
"""report.py --run ID RECORD...: the jobs' records summed over each stage, and the table and summary.json of summarize.py.

Run in the work folder. Seconds and CPU seconds are those of all jobs of a stage together, memory is that of the largest.
"""

import argparse
import json
import subprocess
import sys
from pathlib import Path

PIPELINES = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PIPELINES))
from measure import write_whole


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True)
    parser.add_argument("records", type=Path, nargs="+")
    options = parser.parse_args()

    stages = {}
    for path in options.records:
        record = json.loads(path.read_text())
        stages.setdefault(record["stage"], []).append(record)
    for stage, jobs in stages.items():
        write_whole(Path("measured") / f"{stage}.json", json.dumps({
            "stage": stage,
            "run": options.run if any(job["run"] == options.run for job in jobs) else jobs[0]["run"],
            "seconds": round(sum(job["seconds"] for job in jobs), 3),
            "cpu_seconds": round(sum(job["cpu_seconds"] for job in jobs), 3),
            "peak_memory": max(job["peak_memory"] for job in jobs),
            "jobs": len(jobs),
        }) + "\n")
    return subprocess.run([sys.executable, "-B", PIPELINES / "summarize.py", "--work", ".", "--run", options.run,
                           "--stages", *stages]).returncode


if __name__ == "__main__":
    sys.exit(main())
