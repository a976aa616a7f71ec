#!/usr/bin/env python3
"""bags.py --output DIR [--limit N] [--label-until TEXT]: what baselines need, from lines LABEL<TAB>tree on stdin.

DIR/words.frag has every word (leaf) of the trees, DIR/productions.frag every node with its children, as fragments for `fmi --merge`: vectors
over these dictionaries are bags of words and bags of productions. DIR/classes.json has the number of examples of each class.
"""

import argparse
import json
import re
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

from measure import write_whole

INNER = "\ud800"  # marks what was a bracket: no UTF-8 text has it
SPACE = r" \t-\r"  # as the trees have it; other spaces are parts of words
TOKEN = rf"(?:\\.|[^{SPACE}()\\])+"
WORD = re.compile(TOKEN)
INNERMOST = re.compile(rf"\(({TOKEN})((?:[{SPACE}]+{TOKEN})*)[{SPACE}]*\)")
KERNELS = {"words": "sst-bow(lambda=0.4)", "productions": "sst(lambda=0.4)"}
CHUNK = 2000  # lines looked at together


def productions_of(text):
    """(label, children) of every node with children, for each time that it occurs; children that are inner nodes are marked.

    The innermost brackets of the whole text become words again and again, until none is left."""
    while found := INNERMOST.findall(text):
        yield from (one for one in found if one[1])
        text = INNERMOST.sub(lambda match: (INNER if match[2] else "") + match[1], text)


def spelled(label, children):
    """A fragment as the dictionary writes it: open nodes in brackets, words bare."""
    parts = (f"({child[1:]})" if child.startswith(INNER) else child for child in WORD.findall(children))
    return f"({label} {' '.join(parts)})"


def mined(kernel, fragments):
    """The text of a file of mined fragments: all of relevance 1, the order does not matter."""
    model = {"digest": "", "label": "all", "least": 1, "mined": len(fragments), "name": "all", "norm": 1, "retained": 1, "support_vectors": 0}
    yield from ("# treeline mined fragments 1", f"# kernel {kernel}", "# weight exact", "# miner exact",
                f"# model {json.dumps([model], separators=(',', ':'))}")
    yield from (f"1\t{count}\t{fragment}" for fragment, count in sorted(fragments.items()))
    yield f"# end {len(fragments)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--label-until", default="")
    options = parser.parse_args()

    productions, classes = Counter(), Counter()
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    lines = islice(sys.stdin, options.limit or None)
    while chunk := list(islice(lines, CHUNK)):
        trees = []
        for line in chunk:
            label, _, tree = line.rstrip("\n").partition("\t")
            classes[label.split(options.label_until)[0] if options.label_until else label] += 1
            trees.append(tree)
        productions.update(productions_of("\n".join(trees)))
    for _ in sys.stdin:  # whoever writes them wants to be read to the end
        pass
    words = Counter()
    for (_, children), count in productions.items():
        for child in WORD.findall(children):
            if not child.startswith(INNER):
                words[child] += count
    bags = {"words": words, "productions": {spelled(*one): count for one, count in productions.items()}}
    for name, fragments in bags.items():
        write_whole(options.output / f"{name}.frag", "".join(f"{line}\n" for line in mined(KERNELS[name], fragments)))
    write_whole(options.output / "classes.json", json.dumps(classes.most_common()) + "\n")


if __name__ == "__main__":
    sys.exit(main())
