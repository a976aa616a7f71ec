"""Relation-centred trees (GRCT, one a line: label, tab, tree with KeLP's labels) as the CoNLL-U they were made from."""
import re
import sys


def nodes(text):
    """Nested lists [label, child, ...]."""
    stack = [[]]
    for token in re.findall(r"[()]|[^()]+", text):
        if token == "(":
            stack.append([])
        elif token == ")":
            node = stack.pop()
            stack[-1].append(node)
        else:
            stack[-1].append(token)
    return stack[0][0]


def words(node, found):
    """Appends the words below a relation in order; returns the place of its own."""
    relation, *children = node
    own, heads = None, []
    for child in children:
        if child[0].startswith("POS##"):
            own = len(found)
            found.append([child[1][0].removeprefix("LEX##"), child[0].removeprefix("POS##"), relation, 0])
        else:
            heads.append(words(child, found))
    for place in heads:
        found[place][3] = own + 1
    return own


for line in sys.stdin:
    label, tree = line.rstrip("\n").split("\t")
    found = []
    words(nodes(tree), found)
    print(f"# class = {label}")
    for number, (lemma, pos, relation, head) in enumerate(found, start=1):
        word = lemma.rpartition("::")[0]
        print(number, word, word, "_", pos, "_", head, relation.removeprefix("SYNT##"), "_", "_", sep="\t")
    print()
