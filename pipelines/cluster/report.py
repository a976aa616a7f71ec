#!/usr/bin/env python3
"""report.py --run ID RECORD...: the jobs' records summed over each stage; the table and summary.json of summarize.py.

Run in the work folder. Seconds and CPU seconds are those of all jobs of a stage together, memory that of the largest.
A last line tells the time that went by with no stage at work: waiting in queues, starting jobs, noticing their end.
"""

import argparse
import json
import subprocess
import sys
import time
from pathlib import Path

PIPELINES = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(PIPELINES))
from measure import write_whole


def seconds_at_work(spans):
    """Length of the union of the spans (begin, end)."""
    total, reached = 0.0, 0.0
    for begin, end in sorted(spans):
        total += max(0.0, end - max(begin, reached))
        reached = max(reached, end)
    return total


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--run", required=True)
    parser.add_argument("records", type=Path, nargs="+")
    options = parser.parse_args()

    stages, spans = {}, []
    for path in options.records:
        record = json.loads(path.read_text())
        stages.setdefault(record["stage"], []).append(record)
        if record["run"] == options.run:
            end = path.stat().st_mtime
            spans.append((end - record["seconds"], end))
    for stage, jobs in stages.items():
        write_whole(Path("measured") / f"{stage}.json", json.dumps({
            "stage": stage,
            "run": options.run if any(job["run"] == options.run for job in jobs) else jobs[0]["run"],
            "seconds": round(sum(job["seconds"] for job in jobs), 3),
            "cpu_seconds": round(sum(job["cpu_seconds"] for job in jobs), 3),
            "peak_memory": max(job["peak_memory"] for job in jobs),
            "jobs": len(jobs),
        }) + "\n")
    subprocess.run([sys.executable, "-B", PIPELINES / "summarize.py", "--work", ".", "--made", ".", "--run", options.run,
                    "--stages", *stages], check=True)
    started = int(options.run.split("-")[1]) / 1e9  # as the recipe names its run
    print(f"{len(spans)} jobs in {time.time() - started:.0f} seconds; "
          f"for {seconds_at_work(spans):.0f} of them a stage was at work")
    return 0


if __name__ == "__main__":
    sys.exit(main())
