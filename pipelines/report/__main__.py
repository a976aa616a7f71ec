"""python3 pipelines/report --work DIR ...: writes report.txt, report.json, report.csv and report.html of a run of compare.sh."""

import argparse
import csv
import io
import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from collect import collect
from detail import add_detail, rows
from measure import write_whole
from page import to_page
from text import to_text


def to_csv(report):
    table = io.StringIO()
    writer = csv.writer(table, lineterminator="\n")
    writer.writerow(["what", "value"])
    writer.writerows(rows(report))
    return table.getvalue()


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--work", type=Path, required=True)
    parser.add_argument("--programs", type=Path, required=True)
    parser.add_argument("--train", required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--methods", type=str.split, required=True)
    parser.add_argument("--thresholds", type=str.split, required=True)
    parser.add_argument("--fragments", type=str.split, required=True)
    parser.add_argument("--samples", type=str.split, required=True)
    parser.add_argument("--class", dest="label", default="")
    options = parser.parse_args()
    if not options.methods:
        parser.error("compare.methods: there is no method in the list")
    sys.stdout.reconfigure(encoding="utf-8")
    sys.stderr.reconfigure(encoding="utf-8")

    report = collect(**vars(options))
    add_detail(report, options.work, options.programs, options.train, options.test, options.label)
    text = to_text(report)
    page = options.work / "report.html"
    write_whole(page, to_page(report))
    for sides in report.get("strongest", {}).get("classes", {}).values():
        for one in sides["for"] + sides["against"]:
            del one["drawing"]
    write_whole(options.work / "report.json", json.dumps(report, indent=2) + "\n")
    write_whole(options.work / "report.csv", to_csv(report))
    write_whole(options.work / "report.txt", text)
    print(text)
    print(f"report: {page}")


if __name__ == "__main__":
    main()
