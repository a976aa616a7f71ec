"""strongest.py INDEX MODELS MINED: the ten strongest fragments of each class on the page of the class are those that its models have.

MINED has what `fdi export` says of each model of the folder MODELS mined alone: MODEL.tsv.
"""

import json
import sys
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote

from browser import Browser

index, models, mined = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
of_class = defaultdict(list)
for manifest in sorted(models.glob("*.svm.manifest.json")):
    of_class[json.loads(manifest.read_text())["options"]["class"]].append(manifest.name.removesuffix(".manifest.json"))
with Browser() as browser:
    for label, names in of_class.items():
        sums = defaultdict(float)
        for name in names:
            for line in (mined / f"{name}.tsv").read_text().splitlines()[1:]:
                cells = line.split("\t")
                sums[cells[-1]] += float(cells[1])
        means = {fragment: total / len(names) for fragment, total in sums.items()}
        page = browser.open(f"{index}#/?class={quote(label, safe='')}")
        page.wait_for("document.body.dataset.ready !== undefined")
        shown = page.evaluate("[...document.querySelectorAll('tbody tr')].slice(0, 10).map(row => [row.querySelector('code').textContent, row.cells[1].textContent.replace('−', '-')])")
        assert len(shown) == 10, (label, shown)
        best = sorted((abs(value) for value in means.values()), reverse=True)[:10]
        for (fragment, weight), amount in zip(shown, best):
            assert fragment in means, (label, fragment)
            # Of fragments with the same weight any may come first; the amounts say which ranks they share.
            assert abs(abs(means[fragment]) - amount) <= 1e-6 * amount, (label, fragment, means[fragment], amount)
            assert abs(float(weight) - means[fragment]) <= 0.006 * amount, (label, fragment, weight, means[fragment])
        cards = browser.open(f"{index}#/c/{quote(label, safe='')}")
        cards.wait_for("document.body.dataset.ready !== undefined")
        drawn = cards.evaluate("[...document.querySelectorAll('.card .for, .card .against')].map(card => Number(card.textContent.replace('−', '-')))")
        assert max(map(abs, drawn)) >= 0.99 * best[0], (label, drawn)
print(f"the ten strongest of {len(of_class)} classes are those of the models")
