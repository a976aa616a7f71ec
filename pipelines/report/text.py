"""The report as a table for a terminal."""

from collect import main_measure
from names import cut, short_titles

MEASURES = {"precision": "precision", "recall": "recall", "f1": "F1", "accuracy": "accuracy", "micro_f1": "micro F1",
            "macro_f1": "macro F1"}


def seconds(value):
    if value is None:
        return "-"
    return f"{value:.2f} s" if value < 10 else f"{value:.1f} s" if value < 100 else f"{value:.0f} s"


def size(count):
    if count is None:
        return "-"
    for unit, digits in (("kB", 0), ("MB", 1), ("GB", 2)):
        count /= 1000
        if count < 1000:
            break
    return f"{count:.{digits}f} {unit}"


def features(one):
    """Of a kernel machine its support vectors."""
    if one["features"] is not None:
        return f"{one['features']:,}"
    return "-" if one["support_vectors"] is None else f"{one['support_vectors']:,} SV"


def number(value):
    return "-" if value is None else f"{value:.3g}"


def times(value):
    if value is None:
        return "-"
    return f"{value:.0f}x" if value >= 10 else f"{value:.1f}x" if value >= 1 else f"{value:.2g}x"


def search(one):
    """Seconds that the choice of C took beside the training."""
    return seconds(one["search"]["seconds"]) if one["search"] else "-"


def rows(report):
    """Head and rows of the table that all reports show."""
    measures = [key for key in MEASURES if key in report["methods"][0] and key != "micro_f1"]  # of one label an example, micro F1 is the accuracy
    head = ["method", *(MEASURES[key] for key in measures), "C", "search", "training", "memory", "test", "model", "features"]
    compared = "compared_with_exact" in report["methods"][0]
    if compared:
        head += [f"{MEASURES[main_measure(report['methods'][0])]} diff.", "training", "test", "model"]
    table = []
    for one in report["methods"]:
        row = [one["title"], *(f"{one[key]:.2f}" for key in measures), number(one["c"]), search(one), seconds(one["training_seconds"]),
               size(one["peak_memory"]), seconds(one["test_seconds"]), size(one["model_bytes"]), features(one)]
        if compared:
            ratio = one["compared_with_exact"]
            row += [f"{ratio[main_measure(one)]:+.2f}", times(ratio["training_seconds"]), times(ratio["test_seconds"]),
                    times(ratio["model_bytes"])]
        table.append(row)
    return head, table


def certificate(one):
    """What is known of a sparse model beside its quality."""
    if one.get("gap") is None:
        return None
    share = f"{one['gap']:.1e}"
    known = f"its objective is within {share} of the least that any weights over all fragments of the kernel have"
    missed = "" if one["gap_reached"] else " (NOT THE GAP ASKED FOR)"
    return f"{one['title']}: {known}{missed}"


def certainty(report):
    """Head and rows of the table of accuracies with their intervals and McNemar's test against the exact SVM."""
    head = ["method", "accuracy", "95% interval"]
    tested = any("mcnemar" in one for one in report["methods"])
    if tested:
        head += ["right where the exact SVM is wrong", "wrong where it is right", "McNemar p"]
    table = []
    for one in report["methods"]:
        low, high = one["accuracy_interval"]
        row = [one["title"], f"{100 * one['right'] / max(one['test_examples'], 1):.2f}", f"{low:.2f} - {high:.2f}"]
        if tested:
            test = one.get("mcnemar")
            row += [f"{test['only_this']:,}", f"{test['only_exact']:,}", f"{test['p']:.2g}"] if test else ["-", "-", "-"]
        table.append(row)
    return head, table


def majority(report):
    one = report.get("majority")
    return f"majority class, {cut(one['label'])}: accuracy {one['accuracy']:.2f}, macro F1 {one['macro_f1']:.2f}" if one else None


SHOWN_CLASSES = 30  # the largest
SHOWN_CONFUSIONS = 10
SHOWN_LABEL = 30  # characters of it


def by_class(report):
    """Head and rows of the F1 of each class by each method."""
    largest = sorted(report["classes"], key=lambda label: -report["classes"][label])[:SHOWN_CLASSES]
    shown = [label for label in report["classes"] if label in largest]
    head = ["F1 of class", "support", *short_titles(report["methods"])]
    table = [[cut(label, SHOWN_LABEL), f"{report['classes'][label]:,}", *(f"{one['classes'][label]['f1']:.2f}" if label in one["classes"] else "-"
                                                        for one in report["methods"])] for label in shown]
    return head, table


def shown_method(report):
    """The method whose confusions are shown: the linear model that the recipe recommends, else the last one."""
    by_name = {one["method"]: one for one in report["methods"]}
    return next((by_name[name] for name in ("sparse", "linearized", "mined", "exact") if name in by_name), report["methods"][-1])


def mistakes(one):
    """The commonest ones of a method: gold, predicted, number of examples."""
    found = [(gold, predicted, count) for gold, row in one["confusion"].items() for predicted, count in row.items() if gold != predicted and count]
    return sorted(found, key=lambda mistake: (-mistake[2], *mistake[:2]))[:SHOWN_CONFUSIONS]


def confusions(report):
    """Lines: the confusion matrix of one method, or of many classes the commonest mistakes."""
    one = shown_method(report)
    name = short_titles(report["methods"])[report["methods"].index(one)]
    labels = list(report["classes"])
    if len(labels) <= 12:
        head = [f"{name}: gold \\ predicted", *(cut(label, SHOWN_LABEL) for label in labels)]
        table = [[cut(gold, SHOWN_LABEL), *(f"{one['confusion'].get(gold, {}).get(predicted, 0):,}" for predicted in labels)] for gold in labels]
        return aligned(head, table)[0]
    table = [[cut(gold, SHOWN_LABEL), cut(predicted, SHOWN_LABEL), f"{count:,}"] for gold, predicted, count in mistakes(one)]
    return aligned([f"{name}: commonest mistakes, gold", "predicted", "examples"], table)[0] if table else [f"{name}: no mistakes"]


def aligned(head, table):
    """Lines of text with the columns below each other, and their widths."""
    widths = [max(len(row[column]) for row in [head, *table]) for column in range(len(head))]
    lines = []
    for row in [head, *table]:
        cells = [cell.ljust(width) if column == 0 else cell.rjust(width)
                 for column, (cell, width) in enumerate(zip(row, widths))]
        lines.append("  ".join(cells).rstrip())
    return lines, widths


def stages(one):
    return ", ".join(f"{stage} {seconds(taken['seconds'])}" for stage, taken in one["training"].items())


def to_text(report):
    head, table = rows(report)
    lines, widths = aligned(head, table)
    if "compared_with_exact" in report["methods"][0]:
        start = sum(widths[:-4]) + 2 * (len(widths) - 4)
        lines.insert(0, " " * start + "against the exact SVM (2x: half of it)")
    lines.append("")
    lines += [f"{text}\n" for text in map(certificate, report["methods"]) if text]
    lines += aligned(*certainty(report))[0]
    lines += [majority(report), ""] if majority(report) else [""]
    lines += [*report["advice"], ""] if report["advice"] else []
    lines += [*aligned(*by_class(report))[0], "", *confusions(report), ""]
    lines.append("training by stage")
    longest = max(len(one["title"]) for one in report["methods"])
    lines += [f"{one['title']:<{longest}}  {stages(one)}" for one in report["methods"]]
    return "\n".join(lines) + "\n"
