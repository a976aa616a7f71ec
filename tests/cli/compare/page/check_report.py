"""check_report.py REPORT: the numbers of a comparison fit each other."""

import json
import sys

report = json.load(open(sys.argv[1]))
methods = {one["method"]: one for one in report["methods"]}
assert list(methods) == ["words", "productions", "exact", "usvm", "isvm", "mined", "linearized", "sparse"], list(methods)
for one in methods.values():
    assert 0 < one["f1"] <= 100 and one["test_seconds"] > 0
    parts = sum(stage["seconds"] for stage in one["training"].values())
    assert abs(parts - one["training_seconds"]) < 1e-6
    ratio = one["compared_with_exact"]
    assert abs(ratio["f1"] - (one["f1"] - methods["exact"]["f1"])) < 1e-6
    assert abs(ratio["training_seconds"] * one["training_seconds"] - methods["exact"]["training_seconds"]) < 1e-6
assert list(methods["linearized"]["training"]) == ["fsl", "fmi", "tfx", "esl"]
assert methods["exact"]["support_vectors"] > 0 and methods["exact"]["features"] is None
assert [one["top"] for one in report["by_threshold"]] == [50, 150, 500]
assert [one["sample"] for one in report["usvm_by_sample"]] == [30, 100, 1000]
assert [one["split"] for one in report["growth"]] == [1, 2, 3]
assert report["growth"][-1]["fragments"] == methods["linearized"]["features"] == sum(one["fresh"] for one in report["growth"])
assert methods["linearized"]["f1"] > 60, methods["linearized"]["f1"]
for one in methods.values():
    low, high = one["accuracy_interval"]
    assert low < 100 * one["right"] / one["test_examples"] < high and one["test_examples"] == report["test_examples"]
    if one["method"] != "exact":
        test = one["mcnemar"]
        assert test["only_this"] - test["only_exact"] == one["right"] - methods["exact"]["right"] and 0 <= test["p"] <= 1
assert methods["words"]["mcnemar"]["p"] < 0.001 and methods["words"]["f1"] < methods["sparse"]["f1"], methods["words"]
assert report["majority"]["label"] == "-1" and 50 < report["majority"]["accuracy"] < 90
sparse = methods["sparse"]
assert list(sparse["training"]) == ["fpl"] and sparse["search"]["seconds"] > 0 and sparse["c"] > 0
assert 0 <= sparse["gap"] <= 1e-4 and sparse["gap_reached"]
allowed = {"sparse-10": 10, "sparse-50": 50}
by_fragments = report["sparse_by_fragments"]
assert [one["features"] for one in by_fragments] == sorted({one["features"] for one in by_fragments})
assert {one["method"] for one in by_fragments} == {*allowed, "sparse"}
assert all(one["features"] <= allowed.get(one["method"], sparse["features"]) for one in by_fragments)
assert sparse["f1"] > 60 and sparse["features"] < methods["linearized"]["features"], sparse
assert methods["words"]["f1"] < methods["productions"]["f1"] < methods["exact"]["f1"], methods["productions"]
for one in methods.values():
    gold = {label: sum(row.values()) for label, row in one["confusion"].items()}
    assert all(scores["support"] == gold.get(label, 0) == report["classes"][label] for label, scores in one["classes"].items())
    assert sum(one["confusion"][label].get(label, 0) for label in gold) == one["right"] and one["classes"]["+1"]["f1"] == one["f1"]
assert all("classes" not in point for point in report["by_threshold"] if point["method"] != "linearized")
advice = " ".join(report["advice"])
assert "L = " in advice and "a sparse model of" in advice.lower() and "McNemar's test at 5% on the" in advice, advice
print("the report fits")
