"""Reads SVM-light-TK 1.5 models byte by byte as its own reader would, and refuses everything it would not write."""

import re
import sys

NUMBER = r"-?(?:\d+(?:\.\d+)?(?:e[+-]\d+)?)"
HEAD = [
    r"SVM-light Version V5\.01-TK-1\.5", r"5 # kernel type", r"\d+ # kernel parameter -d ", NUMBER + r" # kernel parameter -g ",
    NUMBER + r" # kernel parameter -s ", NUMBER + r" # kernel parameter -r ", r"empty# kernel parameter -u ",
    NUMBER + r" # kernel parameter -L ", NUMBER + r" # kernel parameter -T ", r"[TV+*] # kernel parameter -C ",
    r"[0-4] # kernel parameter -F ", r"[01] # kernel parameter -S ", r"\d+\.\d{6} # kernel parameter -M ",
    r"[0-3] # kernel parameter -N ", r"[SA] # kernel parameter -V ", r"[SA] # kernel parameter -W ", r"0 # kernel parameter -U ",
    r"\d+ # highest feature index ", r"(\d+) # number of training documents ", r"(\d+) # number of support vectors plus 1 ",
    NUMBER + r" # threshold b, each following line is a SV \(starting with alpha\*y\) ?",
]
VECTOR = rf"(?:[1-9]\d*:{NUMBER} )*"
SUPPORT = re.compile(rf"({NUMBER}) ((?: \|BT\| \S[^|]*)+ \|ET\| )({VECTOR}(?:\|BV\| {VECTOR})*\|EV\| )?")


def tree(text, at):
    """A node `(LABEL child child)` without spaces between children; leaves are `(word)`. Returns where it ends."""
    node = re.compile(r"\(([^\s()]+)").match(text, at)
    assert node, text[at:at + 30]
    at = node.end()
    if text[at] == " ":
        at += 1
        while text[at] == "(":
            at = tree(text, at)
    assert text[at] == ")", text[at:at + 30]
    return at + 1


for path in sys.argv[1:]:
    lines = open(path, encoding="utf-8", newline="").read().split("\n")
    assert lines.pop() == ""
    for expected, line in zip(HEAD, lines):
        found = re.fullmatch(expected, line)
        assert found, line
        if "plus 1" in line:
            count = int(found[1])
    # Whatever follows the support vectors is not read.
    support = lines[len(HEAD):][:count - 1]
    assert len(support) == count - 1, (len(support), count)
    total = 0.0
    for line in support:
        found = SUPPORT.fullmatch(line)
        assert found, line
        total += float(found[1])
        for text in found[2].split(" |ET| ")[0].split(" |BT| ")[1:]:
            assert tree(text, 0) == len(text), text
    assert abs(total) < 1e-6, total
    print(path, "is strict" if support else "is empty")
