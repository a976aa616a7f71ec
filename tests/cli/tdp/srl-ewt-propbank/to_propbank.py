"""Annotated lines (document, number, tree, propositions) as treebank files below trees/ and PropBank lines on stdout.

An argument becomes a pointer to the highest node over its words; one that no node covers exactly is left out. Roles that
are not plain become ARGM-X, so that they still count as arguments.
"""
import os
import re
import sys


def nodes(tree):
    """For each terminal the (first, end) words of the nodes above it, from its part of speech up."""
    above, open_nodes = [], []
    for bracket, word in re.findall(r"(\([^ ()]*)|([^ ()]+|\))", tree):
        if bracket:
            open_nodes.append([len(above), None])
        elif word == ")":
            open_nodes.pop()[1] = len(above)
        else:
            above.append(list(reversed(open_nodes)))
    return above


def pointer(above, begin, end):
    heights = [height for height, span in enumerate(above[begin]) if span == [begin, end]]
    return f"{begin}:{heights[-1]}" if heights else None


trees, order = {}, []
for line in sys.stdin:
    document, _, tree, propositions = line.rstrip("\n").split("\t")
    file = trees.setdefault(document, [])
    above = nodes(tree)
    for proposition in propositions.split():
        word, roleset, arguments = proposition.split(":", 2)
        groups = [f"{word}:0-rel"]
        for argument in filter(None, arguments.split(";")):
            role, begin, end = argument.rsplit(",", 2)
            found = pointer(above, int(begin), int(end))
            if found and role not in ("V", "C-V"):
                groups.append(f"{found}-{role if re.fullmatch('ARG[0-5]', role) else 'ARGM-X'}")
        print(f"{document}.mrg", len(file), word, "gold", roleset, "-----", *groups)
    file.append(tree)
for document, file in trees.items():
    path = os.path.join("trees", document + ".mrg")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as out:
        # Over several lines, as treebank files are.
        out.writelines("( " + tree.replace(" (VP", "\n  (VP") + " )\n\n" for tree in file)
