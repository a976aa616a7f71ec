#!/usr/bin/env python3
"""words.py --output DIR [--limit N] [--label-until TEXT]: what baselines need, from lines LABEL<TAB>tree on stdin.

DIR/words.frag has every word (leaf) of the trees as a fragment of its own, for `fmi --merge`: vectors over that dictionary are bags of words.
DIR/classes.json has the number of examples of each class.
"""

import argparse
import json
import re
import sys
from collections import Counter
from itertools import islice
from pathlib import Path

from measure import write_whole

WORD = re.compile(r"(?<=[\s)])((?:\\.|[^\s()\\])+)(?=[\s)]|$)")
KERNEL = "sst-bow(lambda=0.4)"


def mined(words):
    """The text of a file of mined fragments: all of relevance 1, the order does not matter."""
    model = {"digest": "", "label": "words", "least": 1, "mined": len(words), "name": "words", "norm": 1, "retained": 1,
             "support_vectors": 0}
    yield from ("# treeline mined fragments 1", f"# kernel {KERNEL}", "# weight exact", "# miner exact",
                f"# model {json.dumps([model], separators=(',', ':'))}")
    yield from (f"1\t{words[word]}\t{word}" for word in sorted(words))
    yield f"# end {len(words)}"


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--limit", type=int, default=0)
    parser.add_argument("--label-until", default="")
    options = parser.parse_args()

    words, classes = Counter(), Counter()
    sys.stdin.reconfigure(encoding="utf-8", newline="\n")
    for line in islice(sys.stdin, options.limit or None):
        label, _, tree = line.rstrip("\n").partition("\t")
        classes[label.split(options.label_until)[0] if options.label_until else label] += 1
        words.update(WORD.findall(tree))
    for _ in sys.stdin:  # whoever writes them wants to be read to the end
        pass
    write_whole(options.output / "words.frag", "".join(f"{line}\n" for line in mined(words)))
    write_whole(options.output / "classes.json", json.dumps(classes.most_common()) + "\n")


if __name__ == "__main__":
    sys.exit(main())
