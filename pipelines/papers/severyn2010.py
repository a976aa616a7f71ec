"""Severyn & Moschitti 2010: cutting planes on samples (uSVM, iSVM) against the exact SVM."""

from show import claim, plot, seconds, table

CITATION = {
    "short": "Severyn & Moschitti 2010",
    "title": "Large-Scale Support Vector Learning with Structural Kernels",
    "where": "ECML PKDD 2010, part III, pages 229-244",
    "data": (
        "The paper: one million boundary examples of PropBank with automatic parses, and 5,483 TREC questions; Xeon of"
        " 2.33 GHz. Here: boundaries on gold trees of the English Web Treebank (F1 on its test part; where a parameter"
        " varies, on its dev part) and 5,417 of the questions. Kernels normalized, lambda 0.4, C = 1, epsilon 0.001."
    ),
}
# Kernel: F1 on section 23 and minutes with samples of 100, 250, 500, 1,000; then the SVM trained on 100,000 (Table 1).
PUBLISHED = {
    "st": ((6.8, 3.9), (14.2, 14.4), (20.3, 46.6), (23.5, 143.7), (12.6, 213.8)),
    "sst": ((74.9, 1.0), (78.4, 4.1), (80.2, 14.0), (82.0, 45.3), (80.78, 37.5)),
    "sst-bow": ((74.3, 2.2), (78.5, 6.1), (79.5, 16.9), (81.3, 55.9), (80.38, 42.2)),
    "ptk": ((71.9, 3.7), (74.6, 13.7), (76.3, 45.0), (78.2, 158), (74.39, 89.1)),
    "uptk": ((73.3, 3.7), (76.5, 14.2), (78.3, 47.6), (79.6, 158.8), (77.54, 100.4)),
}
SLOWER = (
    "smo computes whole rows of kernel values over shared subtrees, at a small part of the cost of single values, so a"
    " sample saves little here."
)


def listing(points, digits=2):
    return ", ".join(f"{x:g}: {y:.{digits}f}" for x, y in points) + "."


def by_sample(work, data):
    """Figures 2 and 3."""
    samples = work.chosen([50, 200], [100, 250, 500, 1000, 2500], [100, 250, 500, 1000, 2500, 5000])
    limit = work.chosen(0, 50000, 0)
    train, test = data.file("boundaries", "train"), data.file("boundaries", "test")
    exact = work.kernel_machine("samples/smo", train, test, limit=limit)
    found = {
        r: work.kernel_machine(f"samples/usvm-{r}", train, test, "--solver", "usvm", "--sample", r, limit=limit)
        for r in samples
    }
    f1 = [(r, one["f1"]) for r, one in found.items()]
    taken = [(r, one["training"].cpu) for r, one in found.items()]
    vectors = [(r, one["vectors"]) for r, one in found.items()]
    reached = next((r for r, value in f1 if value > exact["f1"] - 0.3), None)
    faster = exact["training"].cpu / found[reached or samples[-1]]["training"].cpu
    note = (
        f"{exact['training'].counts['examples']:,} examples; exact SVM: F1 {exact['f1']:.2f},"
        f" {exact['training'].cpu:.1f} s, {exact['vectors']:,} support vectors."
    )
    yield plot(
        "figure-2",
        "Figure 2: F1 against the sample size",
        "sample size",
        "F1",
        {"uSVM": f1},
        note,
        reference=("exact SVM", exact["f1"]),
        claims=[
            claim(
                "F1 grows with the sample and reaches that of the exact SVM (at 5,000 of one million).",
                reached is not None,
                (
                    f"within 0.3 of {exact['f1']:.2f} from a sample of {reached} on: {listing(f1)}"
                    if reached
                    else f"exact {exact['f1']:.2f}; {listing(f1)}"
                ),
                "The largest sample measured is too small for it.",
            )
        ],
    )
    yield plot(
        "figure-2-time",
        "Figure 2, upper axis: seconds of training against the sample size",
        "sample size",
        "seconds",
        {"uSVM": taken},
        "Published: below 4 hours at 2,500 where the exact SVM takes 7.5 days.",
        reference=("exact SVM", exact["training"].cpu),
        from_zero=True,
        claims=[
            claim(
                "At the same F1, uSVM is 10 times faster than the exact SVM.",
                faster > 5,
                f"{faster:.1f} times as fast as the exact SVM ({exact['training'].cpu:.1f} s) at a sample of"
                f" {reached or samples[-1]}.",
                SLOWER + " On all 892,880 lines the exact SVM takes 195 s of processor time (tests/bench/RESULTS.md).",
            )
        ],
    )
    fewer = found[reached or samples[-1]]["vectors"]
    yield plot(
        "figure-3",
        "Figure 3: support vectors against the sample size",
        "sample size",
        "support vectors",
        {"uSVM": vectors},
        "Published: 41,714 where the exact SVM has 61,881.",
        reference=("exact SVM", exact["vectors"]),
        from_zero=True,
        claims=[
            claim(
                "Support vectors grow with the sample.",
                vectors == sorted(vectors, key=lambda point: point[1]),
                listing(vectors, 0),
            ),
            claim(
                "At the F1 of the exact SVM, uSVM has fewer support vectors than it.",
                fewer < exact["vectors"],
                f"{fewer:,} against {exact['vectors']:,}.",
                "Every example that was ever in a cut counts; smo drops duplicates and ends with few at the bound on"
                " these easy data.",
            ),
        ],
    )


COSTS = (0.01, 0.1, 1, 10, 100, 1000)
SOLVERS = {"smo": "SVM", "usvm": "uSVM", "isvm": "iSVM"}


def over_costs(work, name, train, test, limit, more=(), positive="+1"):
    sample = work.chosen(100, 1000, 1000)
    return {
        title: [
            (
                cost,
                work.kernel_machine(
                    f"{name}/{solver}-{cost:g}",
                    train,
                    test,
                    "--solver",
                    solver,
                    "-c",
                    cost,
                    *more,
                    *(["--sample", sample] if solver != "smo" else []),
                    limit=limit,
                    positive=positive,
                ),
            )
            for cost in work.chosen(COSTS[1:4], COSTS, COSTS)
        ]
        for solver, title in SOLVERS.items()
    }


def scores(found, key="f1"):
    return {title: [(cost, one[key] or 0) for cost, one in points] for title, points in found.items()}


def search_claim(f1, what):
    """Is the C that uSVM would choose good for the exact SVM?"""
    chosen = max(f1["uSVM"], key=lambda point: point[1])[0]
    exact = dict(f1["SVM"])
    best = max(exact, key=exact.get)
    return claim(
        f"{what}: the C that is best for uSVM is good for the exact SVM.",
        exact[best] - exact[chosen] <= 1,
        f"uSVM is best at C = {chosen:g}, where the exact SVM has {exact[chosen]:.2f}; its best is {exact[best]:.2f} at"
        f" C = {best:g}.",
    )


def costs(work, data):
    """Figures 4 and 5."""
    limit = work.chosen(1000, 10000, 100000)
    found = over_costs(work, "cost", data.file("boundaries", "train"), data.file("boundaries", "dev"), limit)
    f1 = scores(found)
    yield plot(
        "figure-4",
        "Figure 4, left: F1 against C (boundaries, dev)",
        "C",
        "F1",
        f1,
        f"{limit:,} examples, samples of 1,000.",
        claims=[search_claim(f1, "Boundaries")],
    )
    taken = {title: [(cost, one["training"].cpu) for cost, one in points] for title, points in found.items()}
    growth = {title: points[-1][1] / points[0][1] for title, points in taken.items()}
    last = {title: points[-1][1] for title, points in taken.items()}
    yield plot(
        "figure-4-time",
        "Figure 4, right: seconds of training against C",
        "C",
        "seconds",
        taken,
        log_y=True,
        claims=[
            claim(
                "Large C costs the exact SVM most, and uSVM least: its time does not depend on C.",
                growth["uSVM"] < growth["SVM"],
                f"from the smallest to the largest C times grow {growth['SVM']:.1f}, {growth['uSVM']:.1f} and"
                f" {growth['iSVM']:.1f} times (SVM, uSVM, iSVM).",
                "At large C more cuts are needed until epsilon is reached, each with a sample of its own, while the"
                " working set of smo stays small.",
            ),
            claim(
                "uSVM is the fastest at large C.",
                last["uSVM"] == min(last.values()),
                ", ".join(f"{title} {value:.2f} s" for title, value in last.items()) + ".",
                SLOWER,
            ),
        ],
    )
    for number, label in enumerate(("DESC", "NUM") if data.real else ("+1",), 1):
        f1 = scores(
            over_costs(
                work,
                f"questions-{label}",
                data.file("questions", "train"),
                data.file("questions", "test"),
                work.chosen(1000, 0, 0),
                ["--positive", label],
                label,
            )
        )
        yield plot(
            f"figure-5-{number}",
            f"Figure 5: F1 against C ({label}, test as in the paper)",
            "C",
            "F1",
            f1,
            "Nothing is chosen by these figures.",
            claims=[search_claim(f1, label)],
        )


def kernels(work, data):
    """Table 1."""
    samples = work.chosen([100], [100, 250, 500, 1000], [100, 250, 500, 1000])
    limit, exact_limit = work.chosen((1500, 1500), (20000, 20000), (0, 100000))
    train, test = data.file("boundaries", "train"), data.file("boundaries", "test")
    found = {
        kernel: (
            [
                work.kernel_machine(
                    f"kernels/{kernel}-{r}",
                    train,
                    test,
                    "--kernel",
                    kernel,
                    "--solver",
                    "usvm",
                    "--sample",
                    r,
                    limit=limit,
                )
                for r in samples
            ]
            + [work.kernel_machine(f"kernels/{kernel}-smo", train, test, "--kernel", kernel, limit=exact_limit)]
        )
        for kernel in PUBLISHED
    }
    rows = []
    for number, name in enumerate([*samples, "SVM"]):
        row = [str(name)]
        for kernel, measured in found.items():
            published = PUBLISHED[kernel][number if name != "SVM" else 4]
            row += [
                f"{measured[number]['f1']:.2f} ({published[0]})",
                f"{seconds(measured[number]['training'].cpu)} s ({published[1]} min)",
            ]
        rows.append(row)
    f1 = {kernel: [one["f1"] for one in measured] for kernel, measured in found.items()}
    first, exact = ({kernel: values[place] for kernel, values in f1.items()} for place in (0, -1))

    def ranked(values):
        return sorted(values, key=values.get, reverse=True)

    near = max(exact.values()) - exact[ranked(first)[0]]
    return table(
        "table-1",
        "Table 1: F1 and seconds of training by kernel and sample (published in brackets: section 23, minutes)",
        ["sample", *(cell for kernel in PUBLISHED for cell in (f"{kernel} F1", "time"))],
        rows,
        f"uSVM; last line the exact SVM. Here {f'{limit:,}' if limit else 'all'} and {exact_limit:,} lines; published"
        " one million and 100,000.",
        [
            claim(
                "A sample of 100 finds the best kernel.",
                near <= 0.5,
                f"it ranks {', '.join(ranked(first))}; the exact SVM {', '.join(ranked(exact))}.",
            ),
            claim(
                "SST is the best kernel.",
                exact["sst"] >= max(exact.values()) - 1e-9,
                ", ".join(f"{kernel} {value:.2f}" for kernel, value in exact.items()) + ".",
            ),
            claim("ST has a very low F1.", exact["st"] < exact["sst"] - 20, f"{exact['st']:.2f}."),
            claim(
                "Words (SST-bow) cost accuracy.",
                exact["sst-bow"] < exact["sst"],
                f"{exact['sst']:.2f} -> {exact['sst-bow']:.2f}.",
            ),
            claim(
                "uPT is better than PT.", exact["uptk"] > exact["ptk"], f"{exact['ptk']:.2f} -> {exact['uptk']:.2f}."
            ),
            claim(
                "uSVM with 1,000 is above the exact SVM (trained on a tenth).",
                None,
                ", ".join(f"{kernel} {values[-2]:.2f} and {values[-1]:.2f}" for kernel, values in f1.items()) + ".",
                "Trained on the same lines here." if limit == exact_limit else "",
            ),
            claim(
                "Training of PT takes about 3.5 times that of SST (samples of 1,000).",
                found["ptk"][-2]["training"].cpu > 2 * found["sst"][-2]["training"].cpu,
                f"{found['ptk'][-2]['training'].cpu / found['sst'][-2]['training'].cpu:.1f} times.",
            ),
        ],
    )


def lambdas(work, data):
    """Figure 6."""
    values = work.chosen((0.2, 0.8), (0.1, 0.2, 0.4, 0.6, 0.8, 1), (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1))
    series = {
        f"sample {r}": [
            (
                value,
                work.kernel_machine(
                    f"lambda/{r}-{value:g}",
                    data.file("boundaries", "train"),
                    data.file("boundaries", "dev"),
                    "--kernel",
                    f"sst(lambda={value:g})",
                    "--solver",
                    "usvm",
                    "--sample",
                    r,
                    limit=work.chosen(1500, 20000, 0),
                )["f1"],
            )
            for value in values
        ]
        for r in work.chosen([100], [100, 250, 500], [100, 250, 500])
    }
    last = series[list(series)[-1]]
    spread = max(y for _, y in last) - min(y for _, y in last)
    chosen = max(series[list(series)[0]], key=lambda point: point[1])[0]
    lost = max(y for _, y in last) - dict(last)[chosen]
    return plot(
        "figure-6",
        "Figure 6: F1 against lambda (SST, uSVM, dev)",
        "lambda",
        "F1",
        series,
        log_x=False,
        claims=[
            claim("F1 varies considerably with lambda.", spread > 1, f"by {spread:.2f} points: {listing(last)}"),
            claim(
                "Small samples will do to choose lambda.",
                lost <= 0.5,
                f"the smallest sample is best at {chosen:g}, which costs the largest one {lost:.2f} of F1.",
            ),
        ],
    )


def measure(work, data):
    figures = list(costs(work, data))
    return [*by_sample(work, data), *figures, kernels(work, data), lambdas(work, data)]
