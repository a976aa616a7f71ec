"""What a report shows beyond one number a method: confusions, F1 of each class with its interval, the strongest fragments of each class,
a browsable dictionary, and explanations of the examples that are wrong or that two methods label differently."""

import json
import sys
from urllib.parse import quote

from collect import lines_of, models_of, models_of_sparse, run
from judge import wilson_interval
from labels import class_key
from names import cut

SHOWN = 6  # fragments for, and against, a class
RANKED = 60  # fragments of a class among which these are looked for
MOST_CLASSES = 30  # whose fragments are shown
EXPLAINED = 1000  # examples at most
LISTED = 20  # classes in a message


def f1_interval(hits, support, predicted):
    """95% interval of an F1. Of the examples that are of the class or were given it, a share J = hits / (support + predicted - hits) is both, and
    F1 = 2J / (1 + J) grows with J: Wilson's interval of J, carried over."""
    low, high = wilson_interval(hits, support + predicted - hits)
    return tuple(200 * share / (100 + share) for share in (low, high))


def add_intervals(one):
    """`f1_interval` of each class of a method."""
    for label, scores in one["classes"].items():
        hits = one["confusion"].get(label, {}).get(label, 0)
        predicted = sum(row.get(label, 0) for row in one["confusion"].values())
        scores["f1_interval"] = f1_interval(hits, scores["support"], predicted)


def predictions(path):
    """By number of the example: gold and predicted class."""
    with open(path, encoding="utf-8", newline="\n") as lines:
        columns = next(lines).rstrip("\n").split("\t")
        number, gold, predicted = (columns.index(name) for name in ("example", "gold", "predicted"))
        cells = (line.rstrip("\n").split("\t") for line in lines)
        return {int(row[number]): (class_key(row[gold]), class_key(row[predicted])) for row in cells}


def differences(own, exact):
    """Numbers of the examples that one method gets right and the other wrong."""
    common = own.keys() & exact.keys()
    right = {number: own[number][0] == own[number][1] for number in common}
    exactly = {number: exact[number][0] == exact[number][1] for number in common}
    return {"only_this": sorted(number for number in common if right[number] and not exactly[number]),
            "only_exact": sorted(number for number in common if exactly[number] and not right[number])}


def linear_parts(work, method):
    """Model and dictionary of a linear method, or None."""
    places = {"linearized": ("linearized/model.linear", "linearized/dict"), "sparse": ("sparse/model/model.linear", "sparse/model/dict"),
              "mined": ("mined/model.linear", "linearized/dict")}
    if method not in places:
        return None
    model, dictionary = (work / part for part in places[method])
    return (model, dictionary) if model.exists() and dictionary.exists() else None


def reading_of(work, method):
    """The options by which the run read its examples, from the manifest of a method's predictions; and whether it left out those that it could not read."""
    options = json.loads((work / method / "predictions.tsv.manifest.json").read_text(encoding="utf-8"))["options"]
    names = ("from", "label-until", "label-column", "tree-column")
    return [f"--{name}={options[name]}" for name in names if options.get(name, "") != ""], options.get("on-error") == "skip"


def explained(work, programs, test, method, wanted):
    """Makes the explanations of the examples `wanted`; the folder, relative to the report."""
    model, dictionary = linear_parts(work, method)
    reading, skips = reading_of(work, method)
    ids = [part for number in wanted[:EXPLAINED] for part in ("--ids", number)]
    run(programs / "esc", "--model", model, "--dictionary", dictionary, "--trees", test, "--explain", 10, "--format", "site", "--output",
        work / method / "why", "--refresh", *reading, *(["--on-error=skip"] if skips else []), *ids)
    return f"{method}/why/index.html"


def browsable(work, programs, train, method):
    """Makes the pages of the dictionary. fdi reads all examples or none: where some were left out, its pages have none."""
    model, dictionary = linear_parts(work, method)
    reading, skips = reading_of(work, method)
    run(programs / "fdi", "browse", dictionary, "--model", model, "--output", work / method / "browse", "--refresh",
        *([] if skips else ["--examples", train, *reading]))
    return f"{method}/browse/index.html"


def machines_of(work, method):
    """By class that a machine of the method's dictionary is for: the other one of two, else None."""
    models = models_of_sparse(work / "sparse" / "model") if method == "sparse" else models_of(work / "linearized")
    return {model["positive"]: model["negative"] or None for model in models}


def chosen_classes(machines, only):
    """The classes whose fragments are shown: all, or the class `only`."""
    known = [*machines, *filter(None, machines.values())]
    named = [one for one in known if class_key(one) == class_key(only)]
    if only and not named:
        there = ", ".join(cut(one) for one in known[:LISTED]) + (f" and {len(known) - LISTED} more" if len(known) > LISTED else "")
        print(f"report: compare.class: no class '{only}' was learned; there are {there}", file=sys.stderr)
        sys.exit(2)
    return named or list(machines)[:MOST_CLASSES]


def ranked_fragments(programs, dictionary, label):
    """The strongest fragments of a machine, for and against its class, with their drawings."""
    lines = lines_of(run(programs / "fdi", "top", dictionary, "-n", RANKED, f"--class={label}"))[1:]
    ranked = [(int(cells[0]), float(cells[1])) for cells in (line.split("\t") for line in lines)]
    chosen = [number for sign in (1, -1) for number in [one for one, relevance in ranked if sign * relevance > 0][:SHOWN]]
    if not chosen:
        return []
    fragments = [json.loads(line) for line in
                 lines_of(run(programs / "fdi", "export", dictionary, "--format", "jsonl", "--drawings", f"--class={label}", *chosen))]
    for one in fragments:
        one["count"] = sum(model["count"] for model in one.pop("models"))
    return fragments


def strongest(programs, dictionary, machines, labels):
    """By class: its strongest fragments for and against. Of two classes only one has a machine, and against one is for the `other`."""
    found = {}
    for label in labels:
        positive = label if label in machines else next(one for one, other in machines.items() if other == label)
        fragments = ranked_fragments(programs, dictionary, positive)
        if label != positive:
            for one in fragments:
                one["relevance"] = -one["relevance"]
        if fragments:
            found[label] = {"for": [one for one in fragments if one["relevance"] > 0],
                            "against": [one for one in fragments if one["relevance"] < 0],
                            "other": machines[positive] if label == positive else positive}
    return found


def add_detail(report, work, programs, train, test, only=""):
    """Adds `f1_interval` to the classes of each method, `differs` where it can be compared with the exact SVM, `pages`, `strongest`."""
    by_name = {one["method"]: one for one in report["methods"]}
    shown = next((name for name in ("sparse", "linearized") if name in by_name and linear_parts(work, name)), None)
    if shown:
        machines = machines_of(work, shown)
        labels = chosen_classes(machines, only)
    outcomes = {}
    for name, one in by_name.items():
        add_intervals(one)
        outcomes[name] = predictions(work / name / "predictions.tsv")
    report["pages"] = {}
    for name in ("sparse", "linearized"):
        if name not in by_name or not linear_parts(work, name):
            continue
        wanted = {number for number, (gold, given) in outcomes[name].items() if gold != given}
        if "exact" in outcomes:
            by_name[name]["differs"] = differences(outcomes[name], outcomes["exact"])
            wanted |= {number for numbers in by_name[name]["differs"].values() for number in numbers}
        report["pages"][name] = {"dictionary": browsable(work, programs, train, name)}
        if wanted:
            report["pages"][name]["explanations"] = explained(work, programs, test, name, sorted(wanted))
    if shown:
        report["strongest"] = {"method": shown, "classes": strongest(programs, linear_parts(work, shown)[1], machines, labels)}


def cell_address(pages, gold, predicted):
    return f"{pages['explanations']}#?gold={quote(gold, safe='')}&predicted={quote(predicted, safe='')}"


def ids_address(pages, numbers):
    return f"{pages['explanations']}#?ids={','.join(map(str, numbers[:EXPLAINED]))}"


def rows(report, path=()):
    """Every number and text of the report with the way to it, for report.csv."""
    if isinstance(report, dict):
        for key, value in report.items():
            yield from rows(value, (*path, str(key)))
    elif isinstance(report, (list, tuple)):
        for number, value in enumerate(report):
            name = value.get("method") if isinstance(value, dict) else None
            yield from rows(value, (*path, str(name or number)))
    else:
        yield ("/".join(path), "" if report is None else report)
