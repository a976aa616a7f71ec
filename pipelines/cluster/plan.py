#!/usr/bin/env python3
"""plan.py FILE: KEY<TAB>VALUE and STAGE<TAB>--OPTION=VALUE lines on stdin, from linearize.sh, as JSON for Snakemake.

`splits`, `shards` and `threads` say how the work is cut into jobs; `memory` is each job's own, so no stage keeps it, and
`tmp` a matter of the machine, not of what is made.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from measure import write_whole

STAGES = ("fsl", "fmi", "tfx", "esl", "esc")
READING = ("limit", "from", "label-until", "label-column", "tree-column", "on-error")


def main():
    plan = {}
    options = {stage: {} for stage in STAGES}
    for line in sys.stdin.read().splitlines():
        key, _, value = line.partition("\t")
        if key in STAGES:
            name, _, value = value.removeprefix("--").partition("=")
            options[key][name] = value
        else:
            plan[key] = value
    plan["threads"] = {stage: int(options[stage].pop("threads", 0)) or 2 for stage in STAGES}
    plan["splits"] = int(options["fsl"].pop("splits", 0)) or 10
    plan["trained"] = int(options["fsl"].get("train-splits", 0)) or plan["splits"]
    plan["shards"] = int(options["tfx"].pop("shards", 1))
    plan["global"] = options["fmi"].get("global") == "true"
    plan["tmp"] = options["fmi"].pop("tmp", "")
    for stage in STAGES:
        options[stage].pop("memory", None)
    # pipelines/linearize.sh has esc read the test trees; here tfx does.
    reading = {name: options["esc"].pop(name) for name in READING if name in options["esc"]}
    options["tfx-test"] = {name: value for name, value in options["tfx"].items() if name not in READING} | reading
    plan["options"] = {stage: [f"--{name}={value}" for name, value in sorted(chosen.items())]
                       for stage, chosen in options.items()}
    write_whole(Path(sys.argv[1]), json.dumps(plan, indent=2) + "\n")


if __name__ == "__main__":
    sys.exit(main())
