"""How sure the numbers of a comparison are: intervals of accuracies, and whether two methods differ."""

import math

from labels import class_key

Z = 1.959963984540054  # of the normal distribution, for 95%
FEW = 200  # test examples: 95% intervals of accuracies are wider than 10 points where these are between 15 and 85


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
    with open(path, encoding="utf-8", newline="\n") as lines:
        columns = next(lines).rstrip("\n").split("\t")
        gold, predicted = columns.index("gold"), columns.index("predicted")
        rows = [line.rstrip("\n").split("\t") for line in lines]
    return [class_key(row[gold]) == class_key(row[predicted]) for row in rows if row[gold]]


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
    """Of models in the order of their size the smallest that McNemar's test does not tell from the best one, and the best one."""
    best = max(curve, key=lambda one: one.get("f1", one.get("accuracy")))
    for one in curve:
        p, more = compared(work, one["method"], best["method"])
        if one is best or more >= 0 or p > 0.05:
            return one, best
    return best, best


def on_curve(curve, name, work):
    """A sentence on the smallest model of a curve that is good enough; `name` makes its name."""
    small, best = smallest_as_good(curve, work)
    p, more = compared(work, small["method"], best["method"])
    subject = name(small) + (", the smallest measured," if small is curve[0] else "")
    if small is not best:
        return f"{subject} is {verdict(p, more)} {name(best)} here."
    if small is curve[0]:
        return f"{subject} is enough here; none of the larger ones does better."
    return f"{subject} is the best here; the smaller ones measured are less accurate."


def verdict(p, more):
    """What McNemar's test says of a method at 5%, where it has so many `more` examples right than another one."""
    if p > 0.05:
        return "as accurate as" if more >= 0 else "not measurably less accurate than"
    return "more accurate than" if more > 0 else "less accurate than"


def against_exact(one):
    """The same of a method against the exact SVM, with p."""
    test = one["mcnemar"]
    return f"{verdict(test['p'], test['only_this'] - test['only_exact'])} the exact SVM (p = {test['p']:.2g})"


def on_baselines(report):
    """Sentences on the simpler models that do as well as the exact SVM: there the trees add nothing that is measured."""
    for one in report["methods"]:
        if one["method"] in ("words", "productions") and "mcnemar" in one and not against_exact(one).startswith("less"):
            yield f"A {one['title'].split(',')[0]} alone is {against_exact(one)}."
    exact = next((one for one in report["methods"] if one["method"] == "exact"), None)
    majority = report.get("majority")
    if exact and majority and 100 * exact["right"] <= majority["accuracy"] * exact["test_examples"] + 1e-6:
        yield f"The exact SVM is not more accurate than giving every example the largest class ({majority['accuracy']:.2f})."


def advice(report, work):
    """Sentences on what the curves say; of McNemar's test on the test examples at 5%."""
    if report["test_examples"] == 0:
        return ["There are no test examples with labels: nothing is measured."]
    said = []
    for key, name in (("by_threshold", "L = {top:,} ({features:,} fragments)"), ("sparse_by_fragments", "a sparse model of {features:,} fragments")):
        curve = report.get(key, [])
        if len(curve) > 1 and curve[-1]["features"]:
            sentence = on_curve(curve, lambda one: name.format(**one), work)
            said.append(sentence[0].upper() + sentence[1:])
    linear = [one for one in report["methods"] if one["method"] in ("linearized", "sparse")]
    tested = [one for one in linear if "mcnemar" in one]
    if tested:
        best = max(tested, key=lambda one: one["right"])
        said.append(f"The best linear model ({best['title']}) is {against_exact(best)}.")
    said += on_baselines(report)
    said += [f"The model of '{one['title']}' has no fragments: it gives every example the same class." for one in linear if one["features"] == 0]
    if said:
        examples = report["test_examples"]
        said.append(f"Judged by McNemar's test at 5% on the {examples:,} test example{'s' if examples != 1 else ''}"
                    + (", too few to tell small differences" if examples < FEW else "")
                    + ": to choose a setting, use --search, which sees training examples only.")
    return said
