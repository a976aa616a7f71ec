"""Reads what compare.sh left in its work folder: one dictionary with everything that the reports show."""

import json
import subprocess
import sys
from pathlib import Path

from judge import add_certainty, advice
from labels import class_key
from names import TITLES


def read(path):
    return json.loads(Path(path).read_text(encoding="utf-8")) if Path(path).exists() else None


def run(program, *arguments):
    """What the program writes to stdout; where it fails, ends with what it says."""
    done = subprocess.run([program, *map(str, arguments), "--log-level", "quiet"], capture_output=True)
    if done.returncode != 0:
        said = done.stderr.decode("utf-8", "replace").strip() or f"it ended with {done.returncode}"
        sys.exit(f"report: {program.name} {arguments[0]} failed: {said}")
    return done.stdout.decode("utf-8")


def manifest_of(path):
    """The manifest of a file or a folder."""
    return read(path / "manifest.json") if path.is_dir() else read(f"{path}.manifest.json")


def size_of(path):
    return sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())


def quality(metrics):
    """Of +1 precision, recall and F1, of all classes accuracy, micro and macro F1; `keep_measures` leaves one of the two."""
    positive = metrics["classes"].get("+1", {})
    return {**{key: positive.get(key, 0.0) for key in ("precision", "recall", "f1")},
            **{key: metrics[key] for key in ("accuracy", "micro_f1", "macro_f1")}}


def keep_measures(measured):
    """Precision, recall and F1 where the classes are +1 and -1 and there are test examples of +1, else the others. All have the same: a class
    that one method never gives is not among its own."""
    binary = {label for one in measured for label in one["classes"]} == {"+1", "-1"} and measured[0]["classes"].get("+1", {}).get("support", 0) > 0
    for one in measured:
        for key in ("accuracy", "micro_f1", "macro_f1") if binary else ("precision", "recall", "f1"):
            one.pop(key, None)


def main_measure(values):
    return "f1" if "f1" in values else "accuracy"


def measurement(path):
    """Seconds, CPU seconds and peak memory of a stage; unknown if the run that made its output was killed at the end."""
    record = read(path) or {}
    return {key: record.get(key) for key in ("seconds", "cpu_seconds", "peak_memory")}


def total(measurements, key):
    values = [one[key] for one in measurements]
    return None if None in values else sum(values)


def method(name, training, test, **more):
    """`training`: stage -> file of its measurement; `test`: the folder with that of the test and the metrics."""
    stages = {stage: measurement(path) for stage, path in training.items()}
    testing = measurement(test / "measured" / ("ksc.json" if "ksl" in stages else "esc.json"))
    metrics = read(test / "metrics.json")
    return {
        "method": name,
        "title": TITLES.get(name, name),
        **quality(metrics),
        "classes": metrics["classes"],
        "confusion": metrics["confusion"],
        "training": stages,
        "training_seconds": total(stages.values(), "seconds"),
        "training_cpu_seconds": total(stages.values(), "cpu_seconds"),
        "peak_memory": max((one["peak_memory"] or 0) for one in stages.values()) or None,
        "test_seconds": testing["seconds"],
        "test_cpu_seconds": testing["cpu_seconds"],
        **more,
    }


def search_of(folder):
    """How long a search for C took, where there was one."""
    path = folder / "measured" / "search.json"
    return measurement(path) if path.exists() else None


def support_vectors(manifest):
    """Of all machines together; None where the manifest does not have those of each."""
    counts = manifest["counts"]
    if "support vectors" in counts:
        return int(counts["support vectors"])
    of_machines = [int(value) for key, value in counts.items() if key.endswith(": support vectors")]
    return sum(of_machines) if len(of_machines) == len(manifest["outputs"]) else None


def kernel_method(work, name):
    model = work / name / "model"
    made = manifest_of(model)
    return method(name, {"ksl": work / name / "measured" / "ksl.json"}, work / name, model_bytes=size_of(model),
                  support_vectors=support_vectors(made), features=None, sample=made["options"].get("sample"), c=made["options"]["cost"],
                  search=search_of(work / "search"))


def linear_method(work, name, linearized="linearized"):
    """A linear model: the folder `name` has model and metrics, the folder `linearized` what they were made from."""
    measured = work / linearized / "measured"
    training = {stage: measured / f"{stage}.json" for stage in ("fsl", "fmi", "tfx")}
    if not training["fsl"].exists():
        training["fsl"] = work / "linearized" / "measured" / "fsl.json"
    training["esl"] = work / name / "measured" / "esl.json"
    model = work / name / "model.linear"
    dictionary = work / linearized / "dict"
    made = manifest_of(dictionary)
    counts = manifest_of(model)["counts"]
    return method(name, training, work / name, model_bytes=size_of(model) + size_of(dictionary), support_vectors=None,
                  c=None if name == "mined" else counts["chosen-c"], features=counts["features"], fragments=made["counts"]["fragments"],
                  top=made["options"]["top"], search=search_of(work / "search"))


def sparse_method(work, name):
    """A model of fpl, with its certificate: the largest gap of a class, and whether all are those asked for."""
    model = work / name / "model"
    counts = manifest_of(model)["counts"]

    def of_classes(key):
        return [value for one, value in counts.items() if one == key or one.endswith(f": {key}")]
    return method(name, {"fpl": work / name / "measured" / "fpl.json"}, work / name, search=search_of(work / name),
                  model_bytes=size_of(model / "dict") + size_of(model / "model.linear"), support_vectors=None,
                  features=features_of(model / "model.linear"), fragments=counts["fragments"], gap=max(of_classes("gap"), default=None),
                  gap_reached=all(of_classes("gap-reached")),
                  c=counts["c"] if "c" in counts else manifest_of(model)["options"]["cost"])


def features_of(model):
    """Of a linear model, flat ones included."""
    with open(model, encoding="utf-8", newline="\n") as lines:
        return next(int(line.split()[1]) for line in lines if line.startswith("nr_feature"))


def bag_method(work, name):
    """Bags of words or productions through the linear solver."""
    folder = work / name
    model = folder / "model.linear"
    counts = manifest_of(model)["counts"]
    return method(name, {stage: folder / "measured" / f"{stage}.json" for stage in ("fmi", "tfx", "esl")}, folder,
                  model_bytes=size_of(model) + size_of(folder / "dict"), support_vectors=None, c=counts["chosen-c"],
                  features=counts["features"], search=None)


def majority_of(classes, support):
    """What giving every test example the largest class of the training examples comes to."""
    counts = {}
    for label, count in classes:
        counts[class_key(label)] = counts.get(class_key(label), 0) + count
    largest = max(counts, key=counts.get)
    label = next(one for one in [*support, *(label for label, _ in classes)] if class_key(one) == largest)
    share = support.get(label, 0) / max(sum(support.values()), 1)
    return {"label": label, "accuracy": 100 * share, "macro_f1": 100 * 2 * share / (1 + share) / max(len(support), 1)}


def add_ratios(methods):
    """How many times less of each the methods need than the exact SVM, and how much better they are."""
    exact = next((one for one in methods if one["method"] == "exact"), None)
    for one in methods if exact else []:
        measure = main_measure(one)
        one["compared_with_exact"] = {
            measure: one[measure] - exact[measure],
            **{key: exact[key] / one[key] if one[key] and exact[key] else None
               for key in ("training_seconds", "training_cpu_seconds", "test_seconds", "model_bytes")},
        }


def models_of(linearized):
    """Split and class of each kernel model, in the order in which the dictionary numbers them."""
    manifest = read(linearized / "fsl" / "manifest.json")
    counts = manifest["counts"]
    return [
        {key: counts.get(f"model {output['name']}: {key}") for key in ("split", "positive", "negative")}
        for output in manifest["outputs"]
    ]


def models_of_sparse(model):
    """The same for a dictionary of fpl: one for each column of the linear model."""
    with open(model / "model.linear", encoding="utf-8", newline="\n") as lines:
        labels = next(json.loads(line.split(" ", 1)[1])["labels"] for line in lines if line.startswith("treeline "))
    if len(labels) == 2:
        return [{"split": 1, "positive": labels[0], "negative": labels[1]}]
    return [{"split": 1, "positive": label, "negative": None} for label in labels]


def lines_of(text):
    """Lines end in line feeds and nowhere else: labels may have other characters that splitlines() knows."""
    return text.removesuffix("\n").split("\n") if text else []


def exported(dictionary, programs):
    """The cells of every fragment: id, relevance, class, size, depth, count, models, text."""
    return [line.split("\t", 7) for line in lines_of(run(programs / "fdi", "export", dictionary))[1:]]


def growth_of(dictionary, models, programs):
    """Growth of the dictionary from split to split."""
    fresh = dict.fromkeys((model["split"] for model in models), 0)
    for cells in exported(dictionary, programs):
        fresh[models[min(int(item.split(":")[0]) for item in cells[6].split(","))]["split"]] += 1
    growth, known = [], 0
    for split, count in fresh.items():
        known += count
        growth.append({"split": split, "fresh": count, "fragments": known})
    return growth


def ordered(measured, key):
    """One of each value of `key`, the last of those that share it, in its order."""
    by_key = {one[key]: one for one in measured}
    return [by_key[value] for value in sorted(by_key)]


def curves_of(work, found, thresholds, fragments, samples):
    """What the plots over L, the number of fragments and the sample size show, of the methods that were measured."""
    by_name = {one["method"]: one for one in found}
    curves = {}
    for name in ("usvm", "isvm"):
        if name in by_name:
            curves[f"{name}_by_sample"] = ordered([*(kernel_method(work, f"{name}-{sample}") for sample in samples), by_name[name]], "sample")
    if "sparse" in by_name:
        points = [sparse_method(work, f"sparse-{most}") for most in fragments] + [sparse_method(work, "sparse")]
        curves["sparse_by_fragments"] = ordered(points, "features")
    if "linearized" in by_name or "mined" in by_name:
        points = [linear_method(work, f"top-{top}", f"top-{top}") for top in thresholds] + [linear_method(work, "linearized")]
        curves["by_threshold"] = ordered(points, "top")
    return curves


def add_kernel(report, work, listed, programs):
    """The kernel, and where its fragments come from."""
    if "by_threshold" in report:
        models = models_of(work / "linearized")
        report["kernel_models"] = len(models)
        report["kernel"] = read(work / "linearized" / "fsl" / "manifest.json")["options"]["kernel"]
        report["growth"] = growth_of(work / "linearized" / "dict", models, programs)
        return
    of_kernel = next((one for one in listed if one not in ("words", "productions")), None)
    report["kernel"] = manifest_of(work / of_kernel / "model")["options"]["kernel"] if of_kernel else "none"
    if "sparse" in listed:
        model = work / "sparse" / "model"
        report["growth"] = growth_of(model / "dict", models_of_sparse(model), programs)


def collect(work, programs, train, test, methods, thresholds, fragments, samples, label):
    listed = [one for one in TITLES if one in methods]
    kinds = {"mined": linear_method, "linearized": linear_method, "sparse": sparse_method, "words": bag_method, "productions": bag_method}
    found = [kinds.get(one, kernel_method)(work, one) for one in listed]
    curves = curves_of(work, found, thresholds, fragments, samples)
    points = [one for curve in curves.values() for one in curve]
    keep_measures(found + points)
    add_ratios(found)
    add_certainty(found, work)
    report = {"train": Path(train).name, "test": Path(test).name, "methods": found}
    report["test_examples"] = read(work / listed[0] / "metrics.json")["examples"]
    report["classes"] = {label: scores["support"] for one in found for label, scores in one["classes"].items()}
    if (work / "words" / "classes.json").exists():
        report["majority"] = majority_of(read(work / "words" / "classes.json"), report["classes"])
    report.update(curves)
    add_kernel(report, work, listed, programs)
    report["advice"] = advice(report, work)
    for point in points:
        if point["method"] not in listed:  # of points of the plots one number is shown
            point.pop("classes"), point.pop("confusion")
    return report
