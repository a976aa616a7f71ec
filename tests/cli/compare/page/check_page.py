"""check_page.py BROWSER PAGE WIDTH...: opens the page of a comparison in a headless Chromium and looks at it.

Content: table, plots, fragments. Layout: the page is not wider than the window; no text of a drawing lies on another one
or outside its drawing; no two boxes overlap; nothing is fetched.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

LOOK = """
const problems = [];
const box = element => element.getBoundingClientRect();
const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
if (document.documentElement.scrollWidth > window.innerWidth) {
    problems.push(`the page is ${document.documentElement.scrollWidth} wide, the window ${window.innerWidth}`);
}
for (const drawing of document.querySelectorAll('svg')) {
    const outer = box(drawing), texts = [...drawing.querySelectorAll('text')];
    texts.forEach((text, i) => {
        const inner = box(text);
        if (inner.left < outer.left - 1 || inner.right > outer.right + 1 || inner.top < outer.top - 2 || inner.bottom > outer.bottom + 2) {
            problems.push(`'${text.textContent}' sticks out of its drawing`);
        }
        texts.slice(i + 1).forEach(other => {
            if (!apart(inner, box(other))) problems.push(`'${text.textContent}' lies on '${other.textContent}'`);
        });
    });
}
for (const kind of ['.tile', 'figure', '.fragment']) {
    const all = [...document.querySelectorAll(kind)];
    all.forEach((one, i) => all.slice(i + 1).forEach(other => {
        if (!apart(box(one), box(other))) problems.push(`two of ${kind} overlap`);
    }));
    all.forEach(one => { if (one.scrollWidth > one.clientWidth + 1) problems.push(`a ${kind} overflows`); });
}
const found = {
    problems, rows: document.querySelectorAll('table tr').length, plots: document.querySelectorAll('figure svg').length,
    points: document.querySelectorAll('figure circle').length, fragments: document.querySelectorAll('.fragment svg').length,
    fetched: performance.getEntriesByType('resource').length, wide: document.querySelector('.card').scrollWidth > document.querySelector('.card').clientWidth,
};
document.body.innerHTML = '<pre id="found">' + JSON.stringify(found) + '</pre>';
"""


def look(browser, page, width):
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "page.html"
        copy.write_text(Path(page).read_text().replace("</body>", f"<script>{LOOK}</script></body>"))
        command = [browser, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/profile",
                   f"--window-size={width},1000", "--dump-dom", copy.as_uri()]
        dom = subprocess.run(command, check=True, capture_output=True, text=True, timeout=120).stdout
    return json.loads(re.search(r'<pre id="found">(.*?)</pre>', dom, re.DOTALL)[1])


browser, page, *widths = sys.argv[1:]
assert not re.search(r"(src|href)=|url\(|@import", Path(page).read_text()), "the page refers to other files"
for width in widths:
    found = look(browser, page, width)
    assert not found["problems"], found["problems"]
    assert found["rows"] == 9 + 8 and found["plots"] == 7 and found["fragments"] == 16, found
    assert found["points"] == 2 * 3 + 3 + 5 * 3 + 3 + 2 * 3 + 2 * 3 + 2 * 3, found
    assert found["fetched"] == 0, found
    assert int(width) < 1200 or not found["wide"], "the table does not fit"
    print(f"{width}: looks well")
