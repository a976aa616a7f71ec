"""The explanations of the case in a browser: what they say adds up, they fit, filters and keys work, hostile text stays text."""

import json
import xml.etree.ElementTree as xml
from pathlib import Path

from browser import Browser

WIDTHS = (400, 900, 1600)


def looks_well(page, what):
    assert not page.problems(), (what, page.problems())
    assert not page.errors(), (what, page.errors())
    assert all(address.startswith("file:") for address in page.addresses()), page.addresses()
    assert page.evaluate("document.scripts.length") == 1, (what, "a label became a script")


def settled(page):
    page.wait_for("document.body.dataset.ready !== undefined")
    return page


lines = Path("predictions.tsv").read_text().splitlines()
head = lines[0].split("\t")
rows = [dict(zip(head, line.split("\t"))) for line in lines[1:]]
values = {row["example"]: {name.removeprefix("value:"): float(row[name]) for name in head if name.startswith("value:")} for row in rows}
wrong = {row["example"] for row in rows if row["gold"] != row["predicted"]}
assert len(wrong) >= 10, wrong

for line in Path("some.jsonl").read_text().splitlines():
    one = json.loads(line)
    assert one["predicted"] == "b" and one["margin"] <= 0.2, one
for line in Path("all.jsonl").read_text().splitlines():
    one = json.loads(line)
    contrast, scores = one["contrast"], values[str(one["id"])]
    total = contrast["bias"] + sum(item["contribution"] for item in contrast["contributions"])
    assert contrast["others"]["count"] == 0
    assert abs(total - (scores[one["predicted"]] - scores[contrast["other"]])) < 1e-9, one["id"]
    assert contrast["other"] == one["gold"] or one["gold"] == one["predicted"]
assert {element.tag.rpartition("}")[2] for element in xml.parse("trees/0.svg").getroot()} >= {"style", "rect", "text", "line"}
print("JSON and SVG")

with Browser() as browser:
    for width in WIDTHS:
        for name in ("page.html", "errors.html", "site/index.html", "site/page-0.html"):
            looks_well(settled(browser.open(name, width)), (width, name))
    print("every page fits at 400, 900 and 1600")

    page = settled(browser.open("errors.html", 900))
    sections = page.evaluate("""[...document.querySelectorAll('section.example')].map(section => ({id: section.dataset.id, gold: section.dataset.gold, predicted: section.dataset.predicted,
        parts: [...section.querySelectorAll('tr:not(.total) td[data-value]')].map(cell => Number(cell.dataset.value)), total: Number(section.querySelector('tr.total td[data-value]').dataset.value)}))""")
    assert {one["id"] for one in sections} == wrong
    for one in sections:
        difference = values[one["id"]][one["predicted"]] - values[one["id"]][one["gold"]]
        assert abs(sum(one["parts"]) - difference) < 1e-9 and abs(one["total"] - difference) < 1e-9, one
    margins = page.evaluate("[...document.querySelectorAll('section.example')].map(section => Number(section.dataset.margin))")
    assert margins == sorted(margins, reverse=True)
    print("gold against predicted adds up to the difference of the scores, in every error")

    page = settled(browser.open("page.html", 900))
    shown = "[...document.querySelectorAll('section.example:not([hidden])')]"
    assert page.evaluate(f"{shown}.length") == len(rows)
    page.press("e")
    assert set(page.evaluate(f"{shown}.map(section => section.dataset.id)")) == wrong
    page.press("j")
    page.press("j")
    assert page.evaluate(f"{shown}.indexOf(document.querySelector('.chosen'))") == 1
    assert page.evaluate("document.activeElement.classList.contains('chosen')")
    page.evaluate("document.querySelector('.chosen tr[data-nodes]').focus()")
    assert page.evaluate("document.querySelectorAll('.chosen rect.lit').length") > 0
    page.evaluate("location.hash = '#?gold=a&predicted=b'")
    page.wait_for("document.body.dataset.ready === '#?gold=a&predicted=b'")
    expected = {row["example"] for row in rows if (row["gold"], row["predicted"]) == ("a", "b")}
    assert set(page.evaluate(f"{shown}.map(section => section.dataset.id)")) == expected
    page.evaluate("location.hash = '#?margin=0.1&order=margin'")
    page.wait_for("document.body.dataset.ready.includes('margin')")
    margins = page.evaluate(f"{shown}.map(section => Number(section.dataset.margin))")
    assert margins == sorted(margins) and all(margin <= 0.1 for margin in margins)
    wide = settled(browser.open("page.html", 400))
    assert wide.evaluate("document.querySelectorAll('polygon').length") > 0, "parts of wide trees that say nothing are folded"
    roots = wide.evaluate("""[...document.querySelectorAll('.drawing')].filter(box => box.clientWidth).map(box => {
        const outer = box.getBoundingClientRect(), texts = [...box.querySelectorAll('text')].map(text => text.getBoundingClientRect()), root = texts.reduce((best, one) => one.top < best.top ? one : best);
        return root.left >= outer.left - 1 && root.right <= outer.right + 1; })""")
    assert roots and all(roots), "the root is in view"
    print("filters, keys, folded trees, roots in view")

    site = settled(browser.open("site/index.html", 900))
    cells = site.evaluate("[...document.querySelectorAll('.confusion td.miss a')].map(cell => [cell.getAttribute('href'), cell.textContent])")
    assert sum(int(count) for _, count in cells) == len(wrong), cells
    site.evaluate("document.querySelector('.confusion td.miss a').click()")
    site.wait_for("document.body.dataset.ready.includes('gold=')")
    assert site.evaluate("document.querySelectorAll('#list tbody tr').length") == int(cells[0][1])
    site.press("j")
    site.press("Enter")
    site.wait_for("location.pathname.includes('page-') && document.body && document.body.dataset.ready !== undefined")
    target = site.evaluate("document.querySelector(':target') && document.querySelector(':target').dataset.id")
    assert target in wrong, target
    assert site.evaluate("document.querySelectorAll('section.example').length") <= 50
    print("a cell of the confusion matrix leads to its examples, a row to its explanation")
