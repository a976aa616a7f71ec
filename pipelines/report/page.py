"""The report as one page that needs no other file."""

from html import escape

from collect import main_measure
from detail import cell_address, ids_address
from names import cut
from plots import COLOURS, colour_of, interval_plot, line_plot, size_bars, stage_bars
from style import STYLE
from text import MEASURES, certainty, certificate, majority, mistakes, rows, size, times

MATRIX_CLASSES = 40
SMALL_MATRIX = 4, 16  # classes, and characters of their labels; matrices of so many stand side by side
PLOTTED = ("productions", "exact", "linearized", "sparse")  # methods whose F1 of each class is plotted


def tiles(report):
    """What a linear model gains, in four numbers: the sparse one, else the retrained one."""
    by_name = {one["method"]: one for one in report["methods"]}
    best = next((by_name[one] for one in ("sparse", "linearized", "mined") if one in by_name), None)
    if best is None or "compared_with_exact" not in best:
        return ""
    ratio = best["compared_with_exact"]
    measure = main_measure(best)
    if best["method"] == "sparse":
        source = "chosen from all fragments of the kernel"
    else:
        source = f"mined from {report['kernel_models']} kernel model{'s' if report['kernel_models'] > 1 else ''}"
    shown = [
        (f"{best[measure]:.2f}", f"{MEASURES[measure]} of the {best['title'].split(',')[0]} model, {ratio[measure]:+.2f} against the exact SVM"),
        (times(ratio["training_seconds"]), "as fast to train as the exact SVM"),
        (times(ratio["test_seconds"]), "as fast as the exact SVM on the test examples"),
        (f"{best['features']:,}", f"tree fragments that say why, {source}" if best["features"] else
         "tree fragments: the model gives every example the same class"),
    ]
    return '<div class="tiles">' + "".join(
        f'<div class="tile"><b>{escape(number)}</b><span>{escape(words)}</span></div>' for number, words in shown) + "</div>"


def table(report):
    head, body = rows(report)
    compared = len(head) - 4 if "compared_with_exact" in report["methods"][0] else len(head)

    def cells(row, tag):
        return "".join(f'<{tag} class="{"" if column == 0 else "number"}{" first" if column == compared else ""}">{escape(cell)}</{tag}>'
                       for column, cell in enumerate(row))
    out = ['<div class="scroll"><table class="methods">']
    if compared < len(head):
        out.append(f'<tr><th class="group" colspan="{compared}"></th>'
                   '<th class="group first" colspan="4">against the exact SVM*</th></tr>')
    out.append(f"<tr>{cells(head, 'th')}</tr>")
    for one, row in zip(report["methods"], body):
        out.append(f'<tr{" class=own" if one["method"] in ("linearized", "sparse") else ""}>{cells(row, "td")}</tr>')
    note = "<p class=\"note\">* 2x: half the time, or half the size.</p>" if compared < len(head) else ""
    proofs = "".join(f'<p class="note">{escape(text)}.</p>' for text in map(certificate, report["methods"]) if text)
    return "".join(out) + f"</table></div>{note}{proofs}"


def certainty_table(report):
    head, body = certainty(report)
    methods = report["methods"]

    def linked(one, column, cell):
        """Counts of examples on which two methods differ lead to them."""
        pages, numbers = report.get("pages", {}).get(one["method"], {}), one.get("differs")
        key = {3: "only_this", 4: "only_exact"}.get(column)
        if not (key and numbers and numbers[key] and "explanations" in pages):
            return escape(cell)
        return f'<a href="{escape(ids_address(pages, numbers[key]))}">{escape(cell)}</a>'
    heads = "".join(f'<th class="{"number" if column else ""}">{escape(cell)}</th>' for column, cell in enumerate(head))
    lines = "".join("<tr>" + "".join(f'<td class="{"number" if column else ""}">{linked(one, column, cell)}</td>' for column, cell in enumerate(row)) + "</tr>"
                    for one, row in zip(methods, body))
    note = f'<p class="note">{escape(majority(report))}.</p>' if majority(report) else ""
    return f'<div class="scroll"><table class="certainty"><tr>{heads}</tr>{lines}</table></div>{note}'


def confusion_count(pages, gold, given, count):
    """The number of examples in a cell, which leads to them where they are explained."""
    if gold == given or "explanations" not in pages:
        return f"{count:,}"
    return f'<a href="{escape(cell_address(pages, gold, given))}">{count:,}</a>'


def common_mistakes(one, pages):
    """Of classes that are too many for a matrix."""
    lines = "".join(f'<tr><td class="name">{escape(cut(gold))}</td><td class="name">{escape(cut(given))}</td>'
                    f'<td class="number">{confusion_count(pages, gold, given, count)}</td></tr>' for gold, given, count in mistakes(one))
    if not lines:
        return '<p class="note">No mistakes.</p>'
    return ('<p class="note">Too many classes for a matrix; these are the commonest mistakes.</p><div class="scroll"><table class="mistakes">'
            f'<tr><th>gold</th><th>predicted</th><th class="number">examples</th></tr>{lines}</table></div>')


def confusion(one, pages):
    """The matrix of a method."""
    labels, table = list(one["classes"]), one["confusion"]
    if len(labels) > MATRIX_CLASSES:
        return common_mistakes(one, pages)

    def cell(gold, given):
        count = table.get(gold, {}).get(given, 0)
        if not count:
            return '<td class="none">·</td>'
        text = confusion_count(pages, gold, given, count)
        share = count / max(sum(table[gold].values()), 1)
        return f'<td class="{"hit" if gold == given else "miss"}" style="--share:{share:.3f}">{text}</td>'
    head = "".join(f'<th title="{escape(cut(label, 200))}">{escape(cut(label, 14))}</th>' for label in labels)
    lines = "".join(f'<tr><th title="{escape(cut(gold, 200))}">{escape(cut(gold, 14))}</th>{"".join(cell(gold, given) for given in labels)}</tr>' for gold in labels)
    return f'<div class="scroll"><table class="confusion"><tr><th>gold \\ predicted</th>{head}</tr>{lines}</table></div>'


def confusions(report):
    shown = [one for one in report["methods"] if "confusion" in one]
    if not shown:
        return ""
    pages = report.get("pages", {})
    if len(report["classes"]) <= SMALL_MATRIX[0] and sum(map(len, report["classes"])) <= SMALL_MATRIX[1]:
        return '<h2>Confusions</h2><div class="cards">' + "".join(
            f'<div><h3>{escape(one["title"])}</h3>{confusion(one, pages.get(one["method"], {}))}</div>' for one in shown) + "</div>"
    opened = next((name for name in ("sparse", "linearized", "exact") if any(one["method"] == name for one in shown)), shown[0]["method"])
    return "<h2>Confusions</h2>" + "".join(
        f'<details{" open" if one["method"] == opened else ""}><summary>{escape(one["title"])}</summary>'
        f'{confusion(one, pages.get(one["method"], {}))}</details>' for one in shown)


def per_class(report):
    """F1 of each class with its interval: a plot, and the numbers below it."""
    shown = [one for one in report["methods"] if "classes" in one]
    plotted = [one for one in shown if one["method"] in PLOTTED] or shown[:4]
    if not plotted:
        return ""
    labels = list(report["classes"])

    def numbers(one, label):
        scores = one["classes"].get(label)
        return (scores["f1"], *scores["f1_interval"]) if scores else None
    series = [(one["title"], colour_of(one["method"]), {label: numbers(one, label) for label in labels if numbers(one, label)}) for one in plotted]
    head = "".join(f'<th class="number">{escape(one["title"])}</th>' for one in shown)

    def cell(one, label):
        found = numbers(one, label)
        return f'<td class="number">{found[0]:.2f} <span class="quiet">{found[1]:.1f}–{found[2]:.1f}</span></td>' if found else "<td></td>"
    lines = "".join(f'<tr><td class="name" title="{escape(cut(label, 200))}">{escape(cut(label))}</td><td class="number">{report["classes"][label]:,}</td>'
                    f'{"".join(cell(one, label) for one in shown)}</tr>' for label in labels)
    plot = f'<div class="scroll"><div class="broad">{interval_plot(labels, series)}</div></div>' if len(labels) <= MATRIX_CLASSES else ""
    return (f'<h2>F1 of each class</h2><p class="note">With 95% intervals: Wilson’s, of the examples that are of the class or were given it.</p>{plot}'
            f'<details{"" if plot else " open"}><summary>the numbers</summary><div class="scroll"><table><tr><th>class</th><th class="number">examples</th>{head}</tr>'
            f"{lines}</table></div></details>")


def figure(title, caption, plot):
    return f"<figure><h3>{escape(title)}</h3><figcaption>{escape(caption)}</figcaption>{plot}</figure>"


def points(measured, x, y):
    return [(one[x], one[y]) for one in measured if one[y] is not None]


def exact_band(exact, measure):
    """The 95% interval of the exact SVM in a measure of the plots, where it is known."""
    if not exact:
        return None
    if measure == "accuracy":
        return exact.get("accuracy_interval")
    return exact.get("classes", {}).get("+1", {}).get("f1_interval")


def plots(report):
    measure = main_measure(report["methods"][0])
    name = MEASURES[measure]
    exact = next((one for one in report["methods"] if one["method"] == "exact"), None)
    quality_line = ("exact SVM", exact[measure]) if exact else None
    band = exact_band(exact, measure)
    time_line = ("exact SVM", exact["training_seconds"]) if exact and exact["training_seconds"] else None
    out = []
    by_threshold = report.get("by_threshold", [])
    by_fragments = [("linearized, retrained", COLOURS["linearized"], sorted(points(by_threshold, "features", measure))),
                    ("sparse, whole space", COLOURS["sparse"], points(report.get("sparse_by_fragments", []), "features", measure))]
    by_fragments = [one for one in by_fragments if one[2]]
    if sum(len(one[2]) for one in by_fragments) > 1:
        out.append(figure(f"{name} against the number of fragments", "Of models that were allowed more or fewer of them.",
                          line_plot(by_fragments, "fragments", name, reference=quality_line, band=band)))
    if len(by_threshold) > 1:
        out.append(figure(f"{name} against the threshold L", "L: fragments mined from each kernel model.",
                          line_plot([("linearized, retrained", COLOURS["linearized"], points(by_threshold, "top", measure))],
                                    "L", name, reference=quality_line)))
        stages = [(stage, COLOURS[stage], [(one["top"], one["training"][stage]["seconds"]) for one in by_threshold
                                           if one["training"][stage]["seconds"] is not None])
                  for stage in ("fsl", "fmi", "tfx", "esl")]
        stages.append(("esc (test)", COLOURS["esc"], points(by_threshold, "top", "test_seconds")))
        out.append(figure("Time against the threshold L", "Seconds of each stage; fsl does not depend on L.",
                          line_plot([one for one in stages if one[2]], "L", "seconds", from_zero=True)))
        out.append(figure("Dictionary size against the threshold L", "Distinct fragments of all kernel models.",
                          line_plot([("fragments", COLOURS["linearized"], points(by_threshold, "top", "fragments"))],
                                    "L", "fragments", from_zero=True)))
    if len(report.get("growth", [])) > 1:
        growth = report["growth"]
        out.append(figure("Growth of the dictionary", "Distinct fragments after each split, and those that it added.",
                          line_plot([("fragments in all", COLOURS["linearized"], points(growth, "split", "fragments")),
                                     ("added by the split", COLOURS["tfx"], points(growth, "split", "fresh"))],
                                    "split", "fragments", log_x=False, from_zero=True)))
    samples = [(kind, report.get(f"{kind}_by_sample", [])) for kind in ("usvm", "isvm")]
    if any(len(measured) > 1 for _, measured in samples):
        titles = {"usvm": "uSVM", "isvm": "iSVM"}
        out.append(figure(f"{name} against the sample size", "Examples of a cut of the cutting-plane solvers.",
                          line_plot([(titles[kind], COLOURS[kind], points(measured, "sample", measure))
                                     for kind, measured in samples if measured], "sample size", name, reference=quality_line)))
        out.append(figure("Training time against the sample size", "Seconds of ksl.",
                          line_plot([(titles[kind], COLOURS[kind], points(measured, "sample", "training_seconds"))
                                     for kind, measured in samples if measured], "sample size", "seconds", from_zero=True,
                                    reference=time_line)))
    return f'<h2>Plots</h2><div class="plots">{"".join(out)}</div>' if out else ""


def card(one, page):
    """A fragment; it leads to its page in the browsable dictionary."""
    side = "for" if one["relevance"] > 0 else "against"
    return (f'<a class="card fragment" href="{escape(page)}#/f/{one["id"]}" title="{escape(one["fragment"][:300])}"><b class="{side}">'
            f'{one["relevance"]:+.3g}</b><span class="quiet"> · {one["count"]:,} nodes</span><div class="drawing">{one["drawing"]}</div></a>'.replace("+-", "−"))


def fragments(report):
    """The strongest fragments of each class."""
    chosen = report.get("strongest", {}).get("classes")
    if not chosen:
        return ""
    page = report["pages"][report["strongest"]["method"]]["dictionary"]
    out = ['<h2>The fragments that decide most, class by class</h2><p class="note">Their relevance for the class: the mean over its models. Words are in italics; '
           f'grey nodes are open, anything may be below them. <a href="{escape(page)}">All fragments</a>.</p>']
    for label, sides in chosen.items():
        other = sides["other"]
        for side, title in (("for", f"For {cut(label)}"), ("against", f"For {cut(other)}" if other else f"Against {cut(label)}")):
            if sides[side]:
                out.append(f'<h3 class="{side}">{escape(title)}</h3><div class="cards">{"".join(card(one, page) for one in sides[side])}</div>')
    return "".join(out)


def links(report):
    """To the pages that lie beside the report."""
    out = []
    for name, pages in report.get("pages", {}).items():
        title = next(one["title"] for one in report["methods"] if one["method"] == name)
        out.append(f'<a href="{escape(pages["dictionary"])}">Fragments: {escape(title)}</a>')
        if "explanations" in pages:
            out.append(f'<a href="{escape(pages["explanations"])}">Errors and differences: {escape(title)}</a>')
    return f'<nav>{"".join(out)}</nav>' if out else ""


def advice(report):
    """What to use, where the report has something to say."""
    said = report.get("advice") or []
    return f'<p class="lead">{escape(" ".join(said))}</p>' if said else ""


def to_page(report):
    classes = ", ".join(f"{cut(label)} ({support:,})" for label, support in list(report["classes"].items())[:12])
    more = f" and {len(report['classes']) - 12} more" if len(report["classes"]) > 12 else ""
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Treeline: {escape(report['train'])}</title><style>{STYLE}</style></head><body>
<header><h1>Tree kernels and linear models on {escape(report['train'])}</h1></header>
<main>
<p class="quiet">{report['test_examples']:,} test examples of {escape(report['test'])}; classes {escape(classes)}{more}; kernel
{escape(report['kernel'])}.</p>
{links(report)}
{advice(report)}
{tiles(report)}
<h2>All methods</h2>
{table(report)}
<h2>How sure that is</h2>
{certainty_table(report)}
{per_class(report)}
{confusions(report)}
<h2>Training time by stage</h2>
<div class="scroll"><div class="broad">{stage_bars(report['methods'])}</div></div>
<h2>Model sizes</h2>
<div class="scroll"><div class="broad">{size_bars(report['methods'], size)}</div></div>
{plots(report)}
{fragments(report)}
</main>
<footer>Made by pipelines/compare.sh. Every number is in report.json and report.csv.</footer>
</body></html>
"""
