"""Severyn & Moschitti 2011: classes out of balance, and speed-up by processors."""

import re

from show import claim, percent, plot, table

CITATION = {
    "short": "Severyn & Moschitti 2011",
    "title": "Large-Scale Learning with Structural Kernels for Class-Imbalanced Datasets",
    "where": "EternalS 2011",
    "data": (
        "The paper: six classes of TREC questions, and 300,000 pairs of Yahoo! Answers, which are not open; Xeon of"
        " 2.33 GHz. Here: the questions, and in place of Yahoo! Answers boundaries of noun and adjective predicates (19"
        " negatives a positive). SST, lambda 0.4, C = 1. j is chosen on held-out training questions or on the dev part,"
        " never on the test data; the paper reports the best j. The numbers of its Figure 1 are only drawn there, so"
        " claims are compared."
    ),
}
SOLVERS = {"uSVM": ["--solver", "usvm"], "uSVM+j": ["--solver", "usvm"], "SVM": ["--solver", "smo"]}


def balanced(work, name, train, test, dev_train, dev, limit, more=(), positive="+1"):
    """Quality by method and, where j is free, the chosen j: that with the largest F1 on `dev`."""
    factors = work.chosen((1, 5), (1, 3, 10), (1, 2, 5, 10, 20, 50))
    sample = work.chosen(200, 1000, 1000)
    found = {}
    for title, solver in SOLVERS.items():
        options = [*solver, *(["--sample", sample] if title != "SVM" else []), *more]
        chosen = 1
        if title != "uSVM":
            tried = {
                j: (
                    work.kernel_machine(
                        f"{name}/{title}-dev-{j}", dev_train, dev, *options, "-j", j, limit=limit, positive=positive
                    )["f1"]
                    or 0
                )
                for j in factors
            }
            chosen = max(tried, key=tried.get)
        found[title] = {
            "j": chosen,
            **work.kernel_machine(
                f"{name}/{title}-{chosen}", train, test, *options, "-j", chosen, limit=limit, positive=positive
            ),
        }
    return found


def cells(found):
    return [
        f"{percent(one['precision'])} / {percent(one['recall'])} / {percent(one['f1'])}"
        + (f" (j = {one['j']})" if title != "uSVM" else "")
        for title, one in found.items()
    ]


HEAD = ["class", "negatives a positive", "uSVM P / R / F1", "uSVM+j P / R / F1", "SVM+j P / R / F1"]


def claims(found):
    """`found`: name -> quality by method."""

    def mean(method, key):
        return sum(one[method][key] or 0 for one in found.values()) / len(found)

    better = sum((one["uSVM+j"]["f1"] or 0) >= (one["uSVM"]["f1"] or 0) for one in found.values())
    return [
        claim(
            "uSVM with uniform samples is precise and recalls little.",
            mean("uSVM", "precision") > mean("uSVM", "recall"),
            f"mean precision {mean('uSVM', 'precision'):.2f}, mean recall {mean('uSVM', 'recall'):.2f}.",
        ),
        claim(
            "Rejection sampling (+j) raises recall.",
            mean("uSVM+j", "recall") > mean("uSVM", "recall"),
            f"mean recall {mean('uSVM', 'recall'):.2f} -> {mean('uSVM+j', 'recall'):.2f}.",
        ),
        claim(
            "Rejection sampling (+j) raises F1.",
            mean("uSVM+j", "f1") > mean("uSVM", "f1"),
            f"mean F1 {mean('uSVM', 'f1'):.2f} -> {mean('uSVM+j', 'f1'):.2f}; not lower for {better} of {len(found)}.",
            "j was chosen on held-out data, which does not always choose the best one for the test data.",
        ),
        claim(
            "uSVM+j matches the exact SVM with its own j.",
            mean("uSVM+j", "f1") > mean("SVM", "f1") - 0.5,
            f"mean F1 {mean('uSVM+j', 'f1'):.2f} against {mean('SVM', 'f1'):.2f}.",
            "A sample that holds j times as many positives sees fewer of the negatives.",
        ),
    ]


def questions(work, data):
    """Figure 1 (a)."""
    train, test = data.file("questions", "train"), data.file("questions", "test")
    parts = work.step(
        "split",
        "data/parts",
        "tdp",
        "split",
        "--input",
        train,
        "--parts",
        "train=4,dev=1",
        "--ending",
        ".tsv",
        "--output",
        work.folder / "data/parts",
    ).path
    classes = work.chosen(
        ("+1",), ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM"), ("ABBR", "DESC", "ENTY", "HUM", "LOC", "NUM")
    )
    found, rows = {}, []
    lines = (parts / "train.tsv").read_text().splitlines() + (parts / "dev.tsv").read_text().splitlines()
    for label in classes:
        positives = sum(re.split(r"[:\t]", line)[0] == label for line in lines)
        found[label] = balanced(
            work, label, train, test, parts / "train.tsv", parts / "dev.tsv", 0, ["--positive", label], label
        )
        rows.append([label, f"{(len(lines) - positives) / positives:.1f}", *cells(found[label])])
    return table(
        "figure-1a",
        "Figure 1 (a): precision, recall and F1 by class of questions",
        HEAD,
        rows,
        "500 test questions: one more or less of a rare class is several points.",
        claims(found),
    )


def boundaries(work, data):
    """Figure 1 (b)."""
    limit = work.chosen(0, 20000, 300000)
    train, dev, test = (data.file("nominal", part) for part in ("train", "dev", "test"))
    found = balanced(work, "nominal", train, test, train, dev, limit)
    support = found["SVM"]["metrics"]["classes"]
    ratio = support["-1"]["support"] / support["+1"]["support"]
    return table(
        "figure-1b",
        "Figure 1 (b): the large task (boundaries of noun and adjective predicates in place of Yahoo! Answers)",
        HEAD,
        [["boundaries", f"{ratio:.1f}", *cells(found)]],
        f"{limit:,} training examples." if limit else "All training examples.",
        claims({"boundaries": found}),
    )


def speed(work, data):
    """Figure 2."""
    samples = work.chosen([200], [250, 500, 1000], [100, 500, 1000, 2500])
    limit = work.chosen(0, 50000, 50000)
    series, eight, share = {}, {}, {}
    for r in samples:
        one, two = (
            work.step(
                f"speed-{r}-{threads}",
                f"speed/{r}-{threads}",
                "ksl",
                "--input",
                data.file("nominal", "train"),
                "--limit",
                limit,
                "--solver",
                "usvm",
                "--sample",
                r,
                "--threads",
                threads,
                "--log-level",
                "debug",
                "--output",
                work.folder / f"speed/{r}-{threads}",
            )
            for threads in (1, 2)
        )
        values, products, rest = map(
            float, re.search(r"values ([\d.]+) s, products ([\d.]+) s, qp ([\d.]+) s", one.said).groups()
        )
        shared = values + products
        series[f"sample {r}, simulated"] = [(p, (shared + rest) / (shared / p + rest)) for p in range(1, 9)]
        share[r] = 100 * shared / (shared + rest)
        eight[r] = series[f"sample {r}, simulated"][-1][1]
        if r == samples[-1]:
            series[f"sample {r}, two threads measured"] = [(1, 1.0), (2, one.seconds / two.seconds)]
            measured = one.seconds / two.seconds
    return plot(
        "figure-2",
        "Figure 2: speed-up of training against processors",
        "processors",
        "times as fast",
        series,
        log_x=False,
        from_zero=True,
        note=(
            "Two threads were measured by the clock, reading included, on a machine with two cores that other work may"
            " share. Beyond that by simulated makespan: the seconds that ksl spends on kernel values and on products"
            " with them (one thread) are pieces that are dealt evenly to the processors, the rest (the quadratic"
            " program) is not; waiting is not counted, so this is an upper bound."
        ),
        claims=[
            claim(
                "95% of training is the double loop over kernel values.",
                min(share.values()) > 90,
                ", ".join(f"sample {r}: {value:.1f}%" for r, value in share.items()) + ".",
            ),
            claim(
                "8 processors are about 7.0 times as fast as one with a sample of 1,000.",
                None,
                f"at most {eight[samples[-1]]:.1f} times with {samples[-1]}, by simulation; two threads measured:"
                f" {measured:.2f} times.",
                "There are no 8 processors here.",
            ),
            claim(
                "The speed-up grows with the sample.",
                list(eight.values()) == sorted(eight.values()),
                ", ".join(f"{r}: {value:.1f}" for r, value in eight.items()) + ".",
                "What is not shared out is below the resolution of these seconds.",
            ),
        ],
    )


def measure(work, data):
    return [questions(work, data), boundaries(work, data), speed(work, data)]
