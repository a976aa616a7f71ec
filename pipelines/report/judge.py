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
