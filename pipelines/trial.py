"""One method with one setting, learned from one file and judged by another: what searches and the choice of defaults are made of."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

from labels import positive_of
from measure import INTERRUPTED, measured


def size_of(path):
    return sum(file.stat().st_size for file in ([path] if path.is_file() else path.rglob("*")) if file.is_file())


def judged(metrics, measure="auto", classes=()):
    """Name and value of a measure, in percent: of `auto` the F1 of +1 where the labels are +1 and -1, else the accuracy. `classes`: those that
    the training examples have, where the ones judged by may lack some; the value is None where F1 has no example to be told by."""
    classes = list(classes or metrics["classes"])
    if measure == "auto":
        measure = "f1" if set(classes) == {"+1", "-1"} else "accuracy"
    if measure != "f1":
        return measure, metrics[measure]
    found = metrics["classes"].get(positive_of(classes))
    return measure, found["f1"] if found and found["support"] else None


def with_lambda(kernel, value):
    """The kernel with this decay; None where it has none that could be told."""
    if re.search(r"lambda=[0-9.]+", kernel):
        return re.sub(r"lambda=[0-9.]+", f"lambda={value:g}", kernel)
    return f"{kernel}(lambda={value:g})" if kernel in ("st", "sst", "st-bow", "sst-bow", "ptk", "uptk") else None


class Trial:
    """Runs stages in a folder. `common`: options by name that every stage gets if it has such an option."""

    def __init__(self, programs, folder, train, dev, common=None):
        self.programs, self.folder, self.train, self.dev, self.common = Path(programs), Path(folder), train, dev, common or {}
        self.options = {}

    def has_option(self, stage, name):
        if stage not in self.options:
            listed = subprocess.run([self.programs / stage, "--options-json"], check=True, capture_output=True, encoding="utf-8").stdout
            self.options[stage] = set(re.findall(r'"--([a-z0-9-]+)"', listed))
        return name in self.options[stage]

    def stage(self, stage, made, arguments):
        """Runs a stage; its CPU seconds and those of the clock."""
        record = self.folder / f"{made.name}.{stage}.json"
        made.parent.mkdir(parents=True, exist_ok=True)
        command = [str(self.programs / stage), "--log-level", "quiet", "--refresh"]
        for name, value in [*((key, one) for key, one in self.common.items() if self.has_option(stage, key)), *arguments]:
            command.append(f"--{name}={value}")
        said = self.folder / "said"
        code = measured(command, made, record, "trial", errors=str(said))
        if code == INTERRUPTED:  # what the stage says of a model in this folder is of no use
            raise KeyboardInterrupt
        if code:
            sys.stderr.write(said.read_text(encoding="utf-8", errors="replace"))
            sys.exit(code)
        taken = json.loads(record.read_text(encoding="utf-8"))
        return {"seconds": taken["seconds"], "cpu_seconds": taken["cpu_seconds"]}

    def judge(self, parts, stage, arguments, **more):
        """`parts`: what the training stages took."""
        metrics = self.folder / "metrics.json"
        predictions = self.folder / "predictions.tsv"
        test = self.stage(stage, predictions, [*arguments, ("output", predictions), ("metrics", metrics)])
        return {"metrics": json.loads(metrics.read_text(encoding="utf-8")), "seconds": sum(one["seconds"] for one in parts),
                "cpu_seconds": sum(one["cpu_seconds"] for one in parts), "test_cpu_seconds": test["cpu_seconds"], **more}

    def exact(self, kernel, cost):
        model = self.folder / "model"
        taken = self.stage("ksl", model, [("input", self.train), ("output", model), ("kernel", kernel), ("cost", cost)])
        counts = json.loads((model / "manifest.json" if model.is_dir() else Path(f"{model}.manifest.json")).read_text(encoding="utf-8"))["counts"]
        vectors = sum(int(value) for key, value in counts.items() if key.endswith("support vectors"))
        return self.judge([taken], "ksc", [("model", model), ("input", self.dev)], bytes=size_of(model), features=vectors)

    def sparse(self, kernel, cost, l2):
        made = self.folder / "sparse"
        taken = self.stage("fpl", made, [("input", self.train), ("output", made), ("kernel", kernel), ("cost", cost), ("l2", l2)])
        return self.linear([taken], made / "model.linear", made / "dict")

    def mined(self, kernel, cost, splits, top, linear_cost):
        models, dictionary, vectors, model = (self.folder / name for name in ("fsl", "dict", "vectors", "model.linear"))
        taken = [
            self.stage("fsl", models, [("input", self.train), ("output", models), ("kernel", kernel), ("cost", cost), ("splits", splits)]),
            self.stage("fmi", dictionary, [("models", models), ("output", dictionary), ("top", top)]),
            self.stage("tfx", vectors, [("dictionary", dictionary), ("input", self.train), ("output", vectors)]),
            self.stage("esl", model, [("input", vectors), ("output", model), ("cost", linear_cost)]),
        ]
        return self.linear(taken, model, dictionary)

    def linear(self, taken, model, dictionary):
        with open(model, encoding="utf-8") as lines:
            features = next(int(line.split()[1]) for line in lines if line.startswith("nr_feature"))
        return self.judge(taken, "esc", [("model", model), ("dictionary", dictionary), ("trees", self.dev)],
                          bytes=size_of(model) + size_of(dictionary), features=features)

    def clear(self):
        """Measured, the models are of no more use."""
        shutil.rmtree(self.folder, ignore_errors=True)
