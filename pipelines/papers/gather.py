"""The results of all papers of a work folder as one page, one Markdown file, and a file per table and plot."""

import json
import re
from html import escape
from pathlib import Path

from measure import write_whole
from plots import COLOURS, HEIGHT, WIDTH, line_plot
from style import STYLE, with_values

PAPERS = ("moschitti2006", "pighin2009", "severyn2010", "severyn2011", "yoshinaga2010")
PALETTE = [COLOURS[name] for name in ("linearized", "usvm", "tfx", "isvm", "esc", "exact", "fpl")]
VERDICTS = {True: "holds", False: "does not hold", None: "not comparable"}
SIZES = {
    "sample": "generated trees, only to see that the recipe works",
    "small": "small: parts of the data",
    "full": "full: all of the data",
}

MORE_STYLE = """
section.paper { border-top: 2px solid var(--line); margin-top: 2.5rem; } .item { margin: 1rem 0; } .item svg.plot { max-width: 40rem; }
table.numbers { width: auto; margin-top: .5rem; } .item .right { text-align: right; font-variant-numeric: tabular-nums; } .item > h3 { margin-top: 0; }
ul.claims { margin: .6rem 0 0; padding: 0; list-style: none; } ul.claims li { margin: .4rem 0; }
.holds { color: var(--for); } .does-not-hold { color: var(--against); } .not-comparable { color: var(--quiet); }
"""


def coloured(item):
    return [
        (name, PALETTE[number % len(PALETTE)], points)
        for number, (name, points) in enumerate(item["series"].items())
        if points
    ]


def drawn(item):
    return line_plot(
        coloured(item),
        item["x"],
        item["y"],
        log_x=item["log_x"],
        reference=item["reference"],
        from_zero=item["from_zero"],
        log_y=item["log_y"],
    )


def numbers(item):
    """A plot as a table: a row a place on the x axis, a column a series."""
    places = sorted({point[0] for points in item["series"].values() for point in points})
    known = {name: dict(map(tuple, points)) for name, points in item["series"].items()}
    rows = [[f"{x:g}", *(f"{known[name][x]:.4g}" if x in known[name] else "-" for name in known)] for x in places]
    if item["reference"]:
        rows.append([item["reference"][0], f"{item['reference'][1]:.4g}", *([""] * (len(known) - 1))])
    return [f"{item['x']} \\ {item['y']}", *known], rows


def cells(item):
    return (item["head"], item["rows"]) if item["kind"] == "table" else numbers(item)


def standalone(item):
    """The plot as a file of its own, with the names of its lines below it."""
    svg = re.match(r".*?</svg>", drawn(item), flags=re.DOTALL)[0]
    names = [
        *((name, colour) for name, colour, _ in coloured(item)),
        *([(item["reference"][0] + " (dashed)", "var(--quiet)")] if item["reference"] else []),
    ]
    legend = "".join(
        f'<rect x="56" y="{HEIGHT + 18 * row}" width="12" height="12" style="fill:{colour}"/>'
        f'<text x="74" y="{HEIGHT + 18 * row + 11}">{escape(name)}</text>'
        for row, (name, colour) in enumerate(names)
    )
    style = (
        "<style>text{font:12px sans-serif;fill:var(--quiet)}.grid{stroke:var(--line)}polyline{stroke-width:2}"
        ".reference{stroke:var(--quiet);stroke-dasharray:5 4}</style>"
    )
    svg = re.sub(
        r"<svg [^>]*>",
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT + 18 * len(names) + 8}">{style}',
        svg,
        count=1,
    )
    return with_values(svg.replace("</svg>", legend + "</svg>\n"))


def write_files(folder, items):
    for item in items:
        head, rows = cells(item)
        write_whole(folder / "tables" / f"{item['name']}.tsv", "".join("\t".join(row) + "\n" for row in [head, *rows]))
        if item["kind"] == "plot":
            write_whole(folder / "plots" / f"{item['name']}.svg", standalone(item))


def html_table(head, rows, kind=""):
    """Columns of numbers, which words or units may follow, stand to the right."""
    right = [all(re.match(r"[-+]?\d|-$|$", row[column]) for row in rows) for column in range(len(head))]

    def cell(tag, column, text):
        if not right[column]:
            return f"<{tag}>{escape(text)}</{tag}>"
        together = re.sub(r"\([^)]*\)", lambda bracket: bracket[0].replace(" ", "\u00a0"), text)
        return f"<{tag} class=right>{escape(together)}</{tag}>"

    def line(row, tag):
        return "<tr>" + "".join(cell(tag, column, text) for column, text in enumerate(row)) + "</tr>"

    return f'<div class="scroll"><table class="{kind}">{line(head, "th")}{"".join(line(row, "td") for row in rows)}</table></div>'


def outcome(one):
    """Our numbers, and why the claim does not hold, as far as is known, or cannot be compared."""
    if not one["why"]:
        return one["ours"]
    return f"{one['ours']} {'Likely reason: ' if one['holds'] is False else ''}{one['why']}"


def html_item(item):
    out = [f'<div class="card item"><h3>{escape(item["title"])}</h3>']
    if item["kind"] == "plot":
        out.append(
            drawn(item)
            + "<details><summary>the numbers</summary>"
            + html_table(*numbers(item), kind="numbers")
            + "</details>"
        )
    else:
        out.append(html_table(item["head"], item["rows"]))
    if item["note"]:
        out.append(f'<p class="note">{escape(item["note"])}</p>')
    if item["claims"]:
        out.append(
            '<ul class="claims">'
            + "".join(
                f'<li><span class="badge {VERDICTS[one["holds"]].replace(" ", "-")}">{VERDICTS[one["holds"]]}</span> '
                f'{escape(one["claim"])} <b>Here:</b> {escape(outcome(one))}</li>'
                for one in item["claims"]
            )
            + "</ul>"
        )
    return "".join(out) + "</div>"


def measured_on(paper):
    return f"{SIZES[paper['size']]}; {paper['data']}; {paper['machine']}"


def to_page(papers):
    links = "".join(f'<a href="#{one["paper"]}">{escape(one["citation"]["short"])}</a>' for one in papers)
    counts = [
        sum(c["holds"] is verdict for one in papers for item in one["items"] for c in item["claims"])
        for verdict in VERDICTS
    ]
    sections = "".join(
        f'<section class="paper" id="{one["paper"]}"><h2>{escape(one["citation"]["short"])}:'
        f' {escape(one["citation"]["title"])}</h2><p class="quiet">{escape(one["citation"]["where"])}. Measured on'
        f" {escape(measured_on(one))}."
        f' <code>pipelines/papers/{one["paper"]}.sh</code></p><p>{escape(one["citation"]["data"])}</p>'
        + "".join(map(html_item, one["items"]))
        + "</section>"
        for one in papers
    )
    return f"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Treeline: tables and figures of the papers</title><style>{STYLE}{MORE_STYLE}</style></head><body>
<header><h1>Tables and figures of the papers, measured again</h1></header>
<main>
<p class="quiet">Published numbers stand beside ours. {escape(INTRODUCTION)}</p>
<p>Of {sum(counts)} published claims that were looked at, {counts[0]} hold on these data, {counts[1]} do not, and {counts[2]} cannot be compared.</p>
<nav>{links}</nav>
{sections}
</main>
<footer>Made by pipelines/papers/NAME.sh; the numbers are in NAME/tables and NAME/results.json.</footer>
</body></html>
"""


INTRODUCTION = (
    "Data and machines differ from those of the papers, so levels cannot agree; what can is the shape: which method is"
    " ahead, by what factor, and how it grows. Seconds are processor seconds of one thread of whole programs, reading"
    " included, unless said otherwise."
)


def to_markdown(papers):
    out = [
        "# Tables and figures of the papers, measured again",
        "",
        "Written by the recipes of this folder; [README](../README.md#papers) says how to run them. " + INTRODUCTION,
        "",
    ]
    for one in papers:
        out += [
            f"## {one['citation']['short']}: {one['citation']['title']}",
            "",
            f"{one['citation']['where']}. Measured on {measured_on(one)}.",
            "",
            (
                f"    pipelines/papers/{one['paper']}.sh --data DIR --work DIR --size"
                f" {'full' if one['size'] == 'full' else 'small'}"
            ),
            "",
            one["citation"]["data"],
            "",
        ]
        for item in one["items"]:
            head, rows = cells(item)
            out += [
                f"### {item['title']}",
                "",
                *(
                    "| " + " | ".join(text.replace("|", "\\|") for text in row) + " |"
                    for row in [head, ["---"] * len(head), *rows]
                ),
                "",
            ]
            out += [item["note"], ""] if item["note"] else []
            out += [f"- **{VERDICTS[c['holds']]}**: {c['claim']} Here: {outcome(c)}" for c in item["claims"]]
            out += [""] if item["claims"] else []
    return "\n".join(out)


def gather(work):
    """Writes papers.html and RESULTS.md of what has been measured in this folder; the path of the page."""
    found = [work / name / "results.json" for name in PAPERS]
    papers = [json.loads(path.read_text()) for path in found if path.exists()]
    write_whole(Path(work) / "RESULTS.md", to_markdown(papers))
    write_whole(Path(work) / "papers.html", to_page(papers))
    return Path(work) / "papers.html"
