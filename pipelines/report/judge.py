"""How sure the numbers of a comparison are: intervals of accuracies, and whether two methods differ."""

import math

Z = 1.959963984540054  # of the normal distribution, for 95%


def wilson_interval(hits, total):
    """Wilson's interval of a share, in percent: (p + z^2/2n +- z sqrt(p(1-p)/n + z^2/4n^2)) / (1 + z^2/n)."""
    if total == 0:
        return 0.0, 100.0
    share, extra = hits / total, Z * Z / total
    middle, reach = share + extra / 2, Z * math.sqrt(share * (1 - share) / total + extra / (4 * total))
    return max(0.0, 100 * (middle - reach) / (1 + extra)), min(100.0, 100 * (middle + reach) / (1 + extra))


def mcnemar(only_first, only_second):
    """p of McNemar's exact test, two-sided: that a fair coin is as uneven in so many throws."""
    throws, few = only_first + only_second, min(only_first, only_second)
    if throws == 0:
        return 1.0
    logarithms = [math.lgamma(throws + 1) - math.lgamma(k + 1) - math.lgamma(throws - k + 1) - throws * math.log(2)
                  for k in range(few + 1)]
    return min(1.0, 2 * sum(map(math.exp, logarithms)))


def right(path):
    """By example: whether its prediction is right. None where a line has no gold label."""
    with open(path, encoding="utf-8") as lines:
        columns = next(lines).rstrip("\n").split("\t")
        gold, predicted = columns.index("gold"), columns.index("predicted")
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [row[gold] == row[predicted] for row in rows if row[gold]]


def add_certainty(methods, work):
    """`accuracy_interval` of each method, and `mcnemar` against the exact SVM where there is one."""
    outcomes = {one["method"]: right(work / one["method"] / "predictions.tsv") for one in methods}
    exact = outcomes.get("exact")
    for one in methods:
        own = outcomes[one["method"]]
        one["right"], one["test_examples"] = sum(own), len(own)
        one["accuracy_interval"] = wilson_interval(sum(own), len(own))
        if exact and one["method"] != "exact" and len(own) == len(exact):
            gained = sum(mine and not other for mine, other in zip(own, exact))
            lost = sum(other and not mine for mine, other in zip(own, exact))
            one["mcnemar"] = {"only_this": gained, "only_exact": lost, "p": mcnemar(gained, lost)}


def compared(work, first, second):
    """p of McNemar's test between two folders of predictions, and how many more examples the first has right."""
    one, other = right(work / first / "predictions.tsv"), right(work / second / "predictions.tsv")
    gained = sum(mine and not its for mine, its in zip(one, other))
    lost = sum(its and not mine for mine, its in zip(one, other))
    return mcnemar(gained, lost), gained - lost


def smallest_as_good(curve, work):
    """Of models in the order of their size the smallest that McNemar's test does not tell from the best one, the best one, and p."""
    best = max(curve, key=lambda one: one.get("f1", one.get("accuracy")))
    for one in curve:
        p, more = compared(work, one["method"], best["method"])
        if one is best or more >= 0 or p > 0.05:
            return one, best, p
    return best, best, 1.0


def advice(report, work):
    """Sentences on what the curves say; of McNemar's test on the test examples at 5%."""
    said = []
    for key, name in (("by_threshold", "L = {top:,}"), ("sparse_by_fragments", "a sparse model of {features:,} fragments")):
        curve = report.get(key, [])
        if len(curve) < 2:
            continue
        small, best, p = smallest_as_good(curve, work)
        if small is best:
            said.append(f"{name.format(**best)} is the best here; the smaller ones measured are less accurate.")
        else:
            said.append(f"{name.format(**small)} is as accurate as {name.format(**best)} here"
                        + (f" ({small['features']:,} against {best['features']:,} fragments)." if key == "by_threshold" else "."))
    exact = next((one for one in report["methods"] if one["method"] == "exact"), None)
    linear = [one for one in report["methods"] if one["method"] in ("linearized", "sparse")]
    if exact and linear:
        best = max(linear, key=lambda one: one["right"])
        test = best["mcnemar"]
        verdict = "as accurate as" if test["p"] > 0.05 else "more accurate than" if test["only_this"] > test["only_exact"] else "less accurate than"
        said.append(f"The best linear model ({best['title']}) is {verdict} the exact SVM (p = {test['p']:.2g}).")
    if said:
        said.append(f"Judged by McNemar's test at 5% on the {report['test_examples']:,} test examples: to choose a setting, use --search, which "
                    "sees training examples only.")
    return said
