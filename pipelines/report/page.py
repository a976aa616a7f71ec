"""The report as one page that needs no other file."""

import re
from html import escape, unescape

from collect import main_measure
from plots import COLOURS, line_plot, stage_bars
from text import MEASURES, certainty, certificate, majority, rows, times

CHARACTER = 8.5  # width of a letter of a drawing

STYLE = """
:root { --ink: #1d2530; --soft: #5b6472; --line: #dde1e7; --paper: #ffffff; --ground: #f4f5f7; --strong: #1f6fb2 }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", "DejaVu Sans", sans-serif }
main { max-width: 1200px; margin: 0 auto; padding: 32px 24px 64px }
h1 { font-size: 26px; line-height: 1.25; margin: 0 0 4px }
h2 { font-size: 18px; margin: 36px 0 12px }
h3 { font-size: 15px; margin: 0 0 2px }
p { margin: 0 0 8px; max-width: 75ch }
.soft, figcaption, .tile span { color: var(--soft) }
.card, .tile, figure, .fragment { background: var(--paper); border: 1px solid var(--line); border-radius: 8px }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(210px, 1fr)); gap: 16px; margin-top: 20px }
.tile { padding: 14px 18px } .tile b { display: block; font-size: 28px; line-height: 1.2; font-weight: 650 }
.card { padding: 16px 18px; overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: 13.5px; font-variant-numeric: tabular-nums }
th, td { padding: 7px 5px; text-align: right; white-space: nowrap; border-bottom: 1px solid var(--line) }
th { font-weight: 600; vertical-align: bottom; white-space: normal } .note { font-size: 13px; margin: 8px 0 0 } th.group { text-align: center; color: var(--soft); font-weight: 500 }
th:first-child, td:first-child { text-align: left } tr:last-child td { border-bottom: 0 } .first { border-left: 1px solid var(--line) }
tr.own td { font-weight: 600; color: var(--strong) }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(430px, 1fr)); gap: 16px }
figure { margin: 0; padding: 16px 18px } figcaption { font-size: 13px; margin-bottom: 8px }
svg.plot { display: block; width: 100%; height: auto } svg.plot .grid { stroke: var(--line) }
svg.plot text { font: 12px system-ui, "DejaVu Sans", sans-serif; fill: var(--soft) } svg.plot text.name { font-size: 14px; fill: var(--ink) }
svg.plot polyline { stroke-width: 2 } svg.plot .reference { stroke: #5b6472; stroke-dasharray: 5 4 }
.keys { font-size: 13px; color: var(--soft); margin-top: 4px } .key { display: inline-block; margin-right: 16px; white-space: nowrap }
.key i { display: inline-block; width: 12px; height: 12px; border-radius: 3px; margin-right: 6px; vertical-align: -1px }
.key i.dashed { height: 0; border-top: 2px dashed #5b6472; border-radius: 0; width: 18px; vertical-align: 4px }
.fragments { display: grid; grid-template-columns: repeat(auto-fill, minmax(220px, 1fr)); gap: 16px; margin-bottom: 20px }
.fragment { padding: 10px 14px; overflow: hidden; font-size: 13px } .fragment b { font-variant-numeric: tabular-nums }
.fragment .tree { height: 170px; display: flex; align-items: center; justify-content: center }
.fragment svg { max-width: 100%; max-height: 100% } .fragment svg text { font: 14px monospace; text-anchor: middle; fill: var(--ink) }
.fragment svg text.w { font-style: italic; fill: #2c6e49 } .fragment svg text.o { fill: #8a929e } .fragment svg line { stroke: #a8afb9 }
footer { margin-top: 40px; font-size: 13px; color: var(--soft) }
@media (max-width: 560px) { .plots { grid-template-columns: 1fr } main { padding: 20px 12px } }
"""


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
        (f"{best['features']:,}", "tree fragments that say why, " + source),
    ]
    return '<div class="tiles">' + "".join(
        f'<div class="tile"><b>{escape(number)}</b><span>{escape(words)}</span></div>' for number, words in shown) + "</div>"


def table(report):
    head, body = rows(report)
    compared = len(head) - 4 if "compared_with_exact" in report["methods"][0] else len(head)

    def cells(row, tag):
        return "".join(f'<{tag}{" class=first" if column == compared else ""}>{escape(cell)}</{tag}>'
                       for column, cell in enumerate(row))
    out = ['<div class="card"><table>']
    if compared < len(head):
        out.append(f'<tr><th class="group" colspan="{compared}"></th>'
                   '<th class="group first" colspan="4">against the exact SVM*</th></tr>')
    out.append(f"<tr>{cells(head, 'th')}</tr>")
    for one, row in zip(report["methods"], body):
        out.append(f'<tr{" class=own" if one["method"] in ("linearized", "sparse") else ""}>{cells(row, "td")}</tr>')
    note = "<p class=\"soft note\">* 2x: half the time, or half the size.</p>" if compared < len(head) else ""
    proofs = "".join(f'<p class="soft note">{escape(text)}.</p>' for text in map(certificate, report["methods"]) if text)
    return "".join(out) + f"</table>{note}{proofs}</div>"


def certainty_table(report):
    head, body = certainty(report)

    def cells(row, tag):
        return "".join(f"<{tag}>{escape(cell)}</{tag}>" for cell in row)
    lines = "".join(f"<tr>{cells(row, 'td')}</tr>" for row in body)
    note = f'<p class="soft note">{escape(majority(report))}.</p>' if majority(report) else ""
    return f'<div class="card"><table><tr>{cells(head, "th")}</tr>{lines}</table>{note}</div>'


def figure(title, caption, plot):
    return f"<figure><h3>{escape(title)}</h3><figcaption>{escape(caption)}</figcaption>{plot}</figure>"


def points(measured, x, y):
    return [(one[x], one[y]) for one in measured if one[y] is not None]


def plots(report):
    measure = main_measure(report["methods"][0])
    name = MEASURES[measure]
    exact = next((one for one in report["methods"] if one["method"] == "exact"), None)
    quality_line = ("exact SVM", exact[measure]) if exact else None
    time_line = ("exact SVM", exact["training_seconds"]) if exact and exact["training_seconds"] else None
    out = []
    by_threshold = report.get("by_threshold", [])
    by_fragments = [("linearized, retrained", COLOURS["linearized"], sorted(points(by_threshold, "features", measure))),
                    ("sparse, whole space", COLOURS["sparse"], points(report.get("sparse_by_fragments", []), "features", measure))]
    by_fragments = [one for one in by_fragments if one[2]]
    if sum(len(one[2]) for one in by_fragments) > 1:
        out.append(figure(f"{name} against the number of fragments", "Of models that were allowed more or fewer of them.",
                          line_plot(by_fragments, "fragments", name, reference=quality_line)))
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


def drawing(svg):
    """The tree alone out of what fdi draws, cut close: the page has its own style, and the number stands above it."""
    inner = re.search(r"<g [^>]*>(.*?)</g>", svg, flags=re.DOTALL)[1]
    inner = re.sub(r'<text class="t".*?</text>', "", inner)
    labels = re.findall(r'<text [^>]*x="([0-9.]+)" y="([0-9.]+)">(.*?)</text>', inner)
    reach = [(float(x), CHARACTER / 2 * len(unescape(label))) for x, _, label in labels]
    left, right = min(x - half for x, half in reach), max(x + half for x, half in reach)
    top, bottom = min(float(y) for _, y, _ in labels) - 16, max(float(y) for _, y, _ in labels) + 8
    box = f"{left - 4:.1f} {top:.1f} {right - left + 8:.1f} {bottom - top:.1f}"
    return f'<svg viewBox="{box}" width="{right - left + 8:.1f}" height="{bottom - top:.1f}">{inner}</svg>'


def fragments(report):
    groups = []
    for name, chosen in report.get("fragments", {}).items():
        cards = "".join(
            f'<div class="fragment" title="{escape(one["fragment"])}"><b>{one["weight"]:.3f}</b> {one["speaks"]} '
            f'<b>{escape(one["class"])}</b><span class="soft"> · {one["count"]:,} nodes</span>'
            f'<div class="tree">{drawing(one["drawing"])}</div></div>' for one in chosen)
        if cards:
            groups.append(f'<h3>Of {escape(name)}</h3><div class="fragments">{cards}</div>')
    if not groups:
        return ""
    return ("<h2>The fragments that decide most</h2><p class=\"soft\">The mean relevance over the kernel models of a class, "
            "for the class where it is largest, and the nodes of the support vectors at which it occurs. Words are in italics; "
            "grey nodes are open: anything may be below them.</p>" + "".join(groups))


def to_page(report):
    classes = ", ".join(f"{label} ({support:,})" for label, support in list(report["classes"].items())[:12])
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Treeline: {escape(report['train'])}</title><style>{STYLE}</style></head><body><main>
<h1>Tree kernels and linear models on {escape(report['train'])}</h1>
<p class="soft">{report['test_examples']:,} test examples of {escape(report['test'])}; classes {escape(classes)}; kernel
{escape(report['kernel'])}.</p>
{tiles(report)}
<h2>All methods</h2>
{table(report)}
<h2>How sure that is</h2>
{certainty_table(report)}
<h2>Training time by stage</h2>
<div class="card">{stage_bars(report['methods'])}</div>
{plots(report)}
{fragments(report)}
<footer>Made by pipelines/compare.sh. The numbers are in report.json.</footer>
</main></body></html>
"""
