#!/usr/bin/env python3
"""summarize.py --work DIR --made DIR --run ID --stages S...: what linearize.sh did, as a table on stdout and as DIR/summary.json."""

import argparse
import json
import sys
from pathlib import Path

from measure import write_whole


def read(path):
    return json.loads(path.read_text(encoding="utf-8")) if path.exists() else None


def positive_class(metrics):
    """The class that people mean by F1 where the labels are +1 and -1, else None."""
    labels = list(metrics["classes"])
    return "+1" if len(labels) == 2 and "+1" in labels and "-1" in labels else None


def describe_quality(metrics):
    if metrics["examples"] == 0:
        return "nothing is measured"
    if positive := positive_class(metrics):
        scores = metrics["classes"][positive]
        return "precision {precision:.2f}, recall {recall:.2f}, F1 {f1:.2f}".format(**scores)
    return "accuracy {accuracy:.2f}, micro F1 {micro_f1:.2f}, macro F1 {macro_f1:.2f}".format(**metrics)


def size(count):
    return f"{count / 1e6:.0f} MB" if count < 1e9 else f"{count / 1e9:.2f} GB"


def counted(number, name):
    return f"{number} {name}{'' if number == 1 else 's'}"


def table(summary):
    yield f"{'stage':<8}{'seconds':>10}{'CPU seconds':>13}{'peak memory':>13}"
    for stage in summary["stages"]:
        if stage["seconds"] is None:
            yield f"{stage['stage']:<8}{'-':>10}{'-':>13}{'-':>13}  made by an earlier run"
            continue
        numbers = f"{stage['seconds']:>10.2f}{stage['cpu_seconds']:>13.2f}{size(stage['peak_memory']):>13}"
        yield f"{stage['stage']:<8}{numbers}" + ("" if stage["made"] else "  up to date")
    total = summary["total"]
    yield f"{'all':<8}{total['seconds']:>10.2f}{total['cpu_seconds']:>13.2f}{size(total['peak_memory']):>13}"
    models, fragments = summary["models"], summary["fragments"]
    source = f"from {counted(models, 'kernel model')}" if models else "chosen from all"
    yield f"{counted(fragments, 'fragment')} {source}; {counted(summary['test_examples'], 'test example')}: " + describe_quality(summary["metrics"])
    if fragments == 0:
        yield "a model without fragments gives every example the same class" + ("" if models else "; with a larger C (--set fpl.cost=...) it may have some")
    yield "model {model}, dictionary {dictionary}".format(**summary)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--made", type=Path, required=True, help="folder of model.linear and dict")
    parser.add_argument("--run", required=True)
    parser.add_argument("--stages", nargs="+", required=True)
    options = parser.parse_args()

    stages = []
    for stage in options.stages:
        record = read(options.work / "measured" / f"{stage}.json") or {}
        stages.append({
            "stage": stage,
            "made": record.get("run") == options.run,
            **{key: record.get(key) for key in ("seconds", "cpu_seconds", "peak_memory")},
        })
    metrics = read(options.work / "metrics.json")
    dictionary = read(options.made / "dict" / "manifest.json")
    summary = {
        "stages": stages,
        "total": {
            "seconds": round(sum(stage["seconds"] or 0 for stage in stages), 3),
            "cpu_seconds": round(sum(stage["cpu_seconds"] or 0 for stage in stages), 3),
            "peak_memory": max(stage["peak_memory"] or 0 for stage in stages),
        },
        "fragments": dictionary["counts"]["fragments"],
        "models": len(read(options.work / "fsl" / "manifest.json")["outputs"]) if "fsl" in options.stages else 0,
        "model": str(options.made / "model.linear"),
        "dictionary": str(options.made / "dict"),
        "test_examples": metrics["examples"],
        "metrics": metrics,
    }
    write_whole(options.work / "summary.json", json.dumps(summary, indent=2) + "\n")
    sys.stdout.reconfigure(encoding="utf-8")
    print("\n".join(table(summary)))


if __name__ == "__main__":
    sys.exit(main())
