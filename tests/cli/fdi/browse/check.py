"""Looks at the pages of `fdi browse` and drives them: check.py INDEX COUNTS, a file of lines `pattern<TAB>matches` as `fdi find` counts them."""

import sys
from urllib.parse import quote

from browser import Browser

index = sys.argv[1]
patterns = {pattern: int(count) for pattern, count in (line.rstrip("\n").split("\t") for line in open(sys.argv[2]))}
matches = patterns["(NP (DT the) *)"]


def settled(page, address):
    page.wait_for(f"decodeURIComponent(document.body.dataset.ready || '') === decodeURIComponent({address!r})")


def looks_well(page, what):
    assert not page.problems(), (what, page.problems())
    assert not page.errors(), (what, page.errors())
    assert all(address.startswith("file:") for address in page.addresses()), page.addresses()


with Browser() as browser:
    for width in (400, 900, 1600):
        for address in ("#/", "#/f/0", "#/c/a", "#/c/%3Cscript%3Ealert(1)%3C%2Fscript%3E"):
            page = browser.open(index + address, width)
            settled(page, address)
            looks_well(page, (width, address))
            assert page.evaluate("document.scripts.length") == 1, "a label became a script"
    phone = browser.open(index, 400)
    settled(phone, "#/")
    assert phone.evaluate("document.querySelector('#field-q').offsetHeight") < 60, "a field is one line high"
    assert phone.evaluate("[...document.querySelectorAll('tbody code')].slice(0, 5).every(code => code.getBoundingClientRect().right <= 400)"), "fragments are in view"
    print("every page fits at 400, 900 and 1600")

    page = browser.open(index)
    settled(page, "#/")
    page.press("/")
    assert page.evaluate("document.activeElement.id") == "field-q"
    page.type("(NP (DT the) *)")
    page.press("Enter")
    page.wait_for("location.hash.includes('q=') && document.body.dataset.ready === location.hash")
    assert page.evaluate("document.querySelector('[role=status]').textContent").startswith(f"{matches} of "), matches
    print("a pattern finds what fdi find does")
    page.press("j")
    page.press("j")
    second = page.evaluate("document.querySelector('tr.chosen').dataset.id")
    page.press("Enter")
    settled(page, f"#/f/{second}")
    assert page.evaluate("document.querySelectorAll('.card svg').length") > 0, "examples are drawn"
    assert page.evaluate("document.querySelectorAll('.card svg rect').length") > 0, "occurrences are marked"
    page.press("Escape")
    page.wait_for("location.hash.includes('q=')")
    print("keys choose, open and go back")

    ordered = browser.open(index + "#/?class=a&sort=weight&dir=up")
    settled(ordered, "#/?class=a&sort=weight&dir=up")
    shown = ordered.evaluate("[...document.querySelectorAll('tbody tr td:nth-child(2)')].map(cell => Number(cell.textContent.replace('−', '-')))")
    assert shown == sorted(shown) and len(shown) > 3, shown
    labelled = browser.open(index + "#/?label=V*&size=1-2")
    settled(labelled, "#/?label=V*&size=1-2")
    assert all("(V" in text for text in labelled.evaluate("[...document.querySelectorAll('tbody code')].map(code => code.textContent)"))
    assert all(1 <= int(text) <= 2 for text in labelled.evaluate("[...document.querySelectorAll('tbody tr td:nth-child(5)')].map(cell => cell.textContent)"))
    for field, good in (("weight=0.2", lambda weight: abs(weight) >= 0.2), ("weight=-0.2", lambda weight: weight <= -0.2), ("weight=%2B0.2", lambda weight: weight >= 0.2)):
        heavy = browser.open(index + "#/?" + field)
        settled(heavy, "#/?" + field)
        shown = heavy.evaluate("[...document.querySelectorAll('tbody tr td:nth-child(2)')].map(cell => Number(cell.textContent.replace('−', '-')))")
        assert shown and all(map(good, shown)), (field, shown)
    for pattern, count in patterns.items():
        found = browser.open(index + "#/?q=" + quote(pattern))
        settled(found, "#/?q=" + quote(pattern))
        assert found.evaluate("document.querySelector('[role=status]').textContent").startswith(f"{count} of "), (pattern, count)
    wrong = browser.open(index + "#/?q=(NP")
    settled(wrong, "#/?q=(NP")
    assert "brackets must close" in wrong.evaluate("document.querySelector('[role=status]').textContent")
    absent = browser.open(index + "#/f/999999")
    settled(absent, "#/f/999999")
    assert "There is no fragment" in absent.evaluate("document.querySelector('[role=status]').textContent")
    print("order, filters and mistakes")
