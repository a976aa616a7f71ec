"""Moschitti 2006: time of QTK and FTK against the nodes of the trees, accuracy by kernel."""

from collections import defaultdict

from data import Tree, with_vectors
from show import claim, percent, plot, table
from work import slope, write_lines

CITATION = {
    "short": "Moschitti 2006",
    "title": "Making Tree Kernels Practical for Natural Language Learning",
    "where": "EACL 2006, pages 113-120",
    "data": (
        "The paper: arguments of PropBank (Penn Treebank) and FrameNet. Here: roles A0 to A5 of PropBank on gold trees"
        " of the English Web Treebank; for times, its sentences. Of the paper's numbers only what its text says in"
        " words could be had, so claims are compared, not cells."
    ),
}
EVALUATORS = {
    "quadratic": "QTK, every pair of nodes",
    "fast": "FTK, pairs of equal productions",
    "rows": "whole rows over shared subtrees (ksm)",
}


def by_nodes(work, data):
    """Files of trees of (nearly) the same number of nodes: nodes -> file."""
    groups = defaultdict(list)
    step, wanted = 10, work.chosen(30, 200, 400)
    for text in data.sentences():
        nodes = len(Tree(text))
        nearest = round(nodes / step) * step
        if abs(nodes - nearest) <= 1 and len(groups[nearest]) < wanted and text not in groups[nearest]:
            groups[nearest].append(text)
    sizes = sorted(nodes for nodes, trees in groups.items() if nodes > 0 and len(trees) >= wanted // 2)
    sizes = sizes[:: max(1, len(sizes) // work.chosen(4, 7, 12))]
    return {
        nodes: (write_lines(work.folder / "data" / f"nodes-{nodes}.txt", groups[nodes]), len(groups[nodes]))
        for nodes in sizes
    }


def times(work, data):
    items = []
    files = by_nodes(work, data)
    for kernel in ("st", "sst"):
        series = {title: [] for title in EVALUATORS.values()}
        for nodes, (file, trees) in files.items():
            for evaluator, title in EVALUATORS.items():
                used = min(trees, work.chosen(30, 100, 200)) if evaluator == "quadratic" else trees
                taken = []
                for limit in (2, used):  # two trees: what starting and reading take
                    name = f"{kernel}-{evaluator}-{nodes}-{limit}"
                    taken.append(
                        work.step(
                            name,
                            f"values/{name}.npy",
                            "ksm",
                            "--input",
                            file,
                            "--matrix",
                            "--kernel",
                            f"{kernel}(lambda=0.4,norm=none)",
                            "--evaluator",
                            evaluator,
                            "--limit",
                            limit,
                            "--threads",
                            1,
                            "--output",
                            work.folder / "values" / f"{name}.npy",
                        ).cpu
                    )
                series[title].append((nodes, max(taken[1] - taken[0], 1e-4) / used**2 * 1e6))
        growth = {name: slope(points) for name, points in series.items()}
        quadratic, fast, _ = growth.values()
        last = {name: points[-1][1] for name, points in series.items()}
        ratio = last[EVALUATORS["quadratic"]] / last[EVALUATORS["fast"]]
        items.append(
            plot(
                f"time-{kernel}",
                f"{kernel.upper()}: microseconds a kernel value against the nodes of the trees",
                "nodes",
                "microseconds",
                series,
                log_y=True,
                note=(
                    "All pairs of trees with the same number of nodes (one more or less), not normalized; starting and"
                    " reading subtracted. QTK here compares labels as text, which costs a constant factor."
                ),
                claims=[
                    claim(
                        "FTK is linear in the nodes on average, QTK is quadratic.",
                        fast < 1.5 < quadratic,
                        f"time grows with the power {fast:.2f} of the nodes for FTK, {quadratic:.2f} for QTK, "
                        "which also has costs that grow with the nodes, not with their pairs.",
                        "times this short are uncertain.",
                    ),
                    claim(
                        "FTK is many times faster than QTK.",
                        ratio > 3,
                        f"{ratio:.0f} times at {list(files)[-1]} nodes; rows over shared subtrees"
                        f" {last[EVALUATORS['fast']] / last[EVALUATORS['rows']]:.1f} times faster than FTK.",
                    ),
                ],
            )
        )
    return items


KERNELS = {
    "ST": "st(lambda=1)",
    "SST": "sst(lambda=0.4)",
    "ST+bow": "st-bow(lambda=1)",
    "SST+bow": "sst-bow(lambda=0.4)",
    "linear": "linear",
    "poly": "poly(d=3)",
    "linear+ST": "linear+st(lambda=1)",
    "linear+SST": "linear+sst(lambda=0.4)",
    "poly+ST": "poly(d=3)+st(lambda=1)",
    "poly+SST": "poly(d=3)+sst(lambda=0.4)",
}


def accuracy(work, data):
    numbers = {}
    limit = work.chosen(0, 5000, 0)
    test_limit = work.chosen(0, 2000, 0)
    train = with_vectors(data.file("roles", "train"), work.folder / "data" / "roles.train.dat", numbers, limit)
    test = with_vectors(data.file("roles", "test"), work.folder / "data" / "roles.test.dat", numbers, test_limit)
    found = {
        name: work.kernel_machine(f"roles-{name}", train, test, "--kernel", kernel) for name, kernel in KERNELS.items()
    }
    labels = sorted(next(iter(found.values()))["metrics"]["classes"])
    rows = [
        [
            name,
            *(percent(one["metrics"]["classes"][label]["f1"]) for label in labels),
            percent(one["accuracy"]),
            one["training"].cpu,
            one["vectors"],
        ]
        for name, one in found.items()
    ]
    best = {name: one["accuracy"] for name, one in found.items()}

    def holds(*pairs):
        return all(best[more] > best[less] for more, less in pairs)

    def both(*names):
        return ", ".join(f"{name} {best[name]:.2f}" for name in names) + "."

    return table(
        "accuracy",
        "Accuracy by kernel: F1 of each role, accuracy, seconds of training",
        ["kernel", *labels, "accuracy", "seconds", "support vectors"],
        rows,
        "C = 1; lambda 0.4 for SST, 1 for ST; vectors: phrase, path, predicate and its tag, position, governing"
        f" category, first and last word. {limit or 'All'} training examples.",
        [
            claim("SST is more accurate than ST.", holds(("SST", "ST")), both("SST", "ST")),
            claim(
                "Polynomial vectors are more accurate than tree kernels alone.",
                holds(("poly", "SST"), ("poly", "ST")),
                both("poly", "SST"),
                "Our vectors are the features that the trees of the data allow (no voice, no head word), and trees hold"
                " all words of the argument.",
            ),
            claim(
                "Words as features of their own (bow) help little on PropBank.",
                abs(best["SST+bow"] - best["SST"]) < 1,
                both("SST", "SST+bow"),
            ),
            claim(
                "Sums of vectors and trees are better than either: poly+SST above poly and SST.",
                holds(("poly+SST", "poly"), ("poly+SST", "SST")),
                both("poly+SST", "poly", "SST"),
            ),
            claim(
                "The linear kernel with ST or SST comes near the polynomial one.",
                holds(("linear+SST", "linear")),
                both("linear", "linear+ST", "linear+SST"),
            ),
        ],
    )


def measure(work, data):
    return [*times(work, data), accuracy(work, data)]
