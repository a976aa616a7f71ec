"""The data that the papers are measured on: the development data where --data has it, else trees of a grammar."""

import gzip
import re
import sys

from work import write_lines

GRAMMAR = "questions.grammar"


class Data:
    """Files of examples by what they are for: boundaries, roles, questions, sentences, and binary vectors."""

    def __init__(self, folder, work, programs):
        self.folder, self.work, self.programs = folder, work, programs
        self.real = (folder / "srl").is_dir()
        if not self.real and not (folder / GRAMMAR).exists():
            sys.exit(
                f"'{folder}' has neither the development data (srl, qc, binary) nor {GRAMMAR} to generate trees from"
            )

    def describe(self):
        return "the development data" if self.real else "generated questions (data/questions.grammar)"

    def file(self, name, part):
        """`name`: boundaries, nominal (harder boundaries), roles, questions; `part`: train, dev, test."""
        if not self.real:
            return self.generated(part)
        return (
            self.folder
            / {
                "boundaries": f"srl/ewt.{part}.bc.dat.gz",
                "nominal": f"srl/ewtnom.{part}.bc.dat.gz",
                "roles": f"srl/ewt.{part}.rm.tsv.gz",
                "questions": f"qc/qc_const_{part}.tsv.gz",
            }[name]
        )

    def generated(self, part):
        counts = {"train": (3000, 1), "dev": (600, 2), "test": (1000, 3)}
        count, seed = counts[part]
        path = self.work.folder / "data" / f"{part}.tsv"
        self.work.step(
            f"generate-{part}",
            f"data/{part}.tsv",
            "tdp",
            "generate",
            "--grammar",
            self.folder / GRAMMAR,
            "--count",
            count,
            "--seed",
            seed,
            "--output",
            path,
        )
        return path

    def sentences(self):
        """Whole trees of sentences, as text."""
        if self.real:
            with gzip.open(self.folder / "srl/srl_ewt.tsv.gz", "rt") as lines:
                return [line.split("\t")[2] for line in lines]
        return [line.split("\t")[1].strip() for line in open(self.generated("train"))]

    def vectors(self, name, part, share=1.0):
        """LIBSVM lines of binary features, the first `share` of them: jdep or chunk, or the words of generated questions."""
        if self.real:
            source = self.folder / f"binary/{name}.{part}.svm.gz"
            if share == 1:
                return source
            with gzip.open(source, "rt") as lines:
                lines = lines.read().splitlines()
        else:
            lines = list(word_vectors(self.generated("train"), self.generated(part)))
        path = self.work.folder / "data" / f"{name}.{part}-{share:g}.svm"
        return write_lines(path, lines[: int(len(lines) * share)])


def open_text(path):
    return gzip.open(path, "rt") if str(path).endswith(".gz") else open(path)


def word_vectors(train, path):
    """Words, tags and pairs of words that follow each other, numbered in the order of the training data."""

    def features(line):
        label, tree = line.rstrip("\n").split("\t")
        words = re.findall(r" ([^()\s]+)\)", tree)
        return label, [*words, *re.findall(r"\(([^()\s]+)", tree), *(f"{a} {b}" for a, b in zip(words, words[1:]))]

    numbers = {}
    for line in open(train):
        for feature in features(line)[1]:
            numbers.setdefault(feature, len(numbers) + 1)
    for line in open(path):
        label, found = features(line)
        yield " ".join(
            [label, *(f"{number}:1" for number in sorted({numbers[one] for one in found if one in numbers}))]
        )


class Tree:
    """A tree read from its text, only for what recipes ask about it; the programs read trees by themselves."""

    def __init__(self, text):
        tokens = re.findall(r"[()]|[^()\s]+", text)
        self.labels, self.children, self.parent = [], [], []
        open_nodes = []
        expect_label = False
        for token in tokens:
            if token == "(":
                expect_label = True
            elif token == ")":
                open_nodes.pop()
            else:
                number = len(self.labels)
                self.labels.append(token)
                self.children.append([])
                self.parent.append(open_nodes[-1] if open_nodes else -1)
                if open_nodes:
                    self.children[open_nodes[-1]].append(number)
                if expect_label:
                    open_nodes.append(number)
                    expect_label = False

    def __len__(self):
        return len(self.labels)

    def ending(self, text):
        """The first node whose label ends so; -1 if there is none."""
        return next((i for i, label in enumerate(self.labels) if label.endswith(text) and self.children[i]), -1)

    def path_up(self, node):
        while node >= 0:
            yield node
            node = self.parent[node]

    def words(self, node):
        if not self.children[node]:
            return [self.labels[node]]
        return [word for child in self.children[node] for word in self.words(child)]


def role_features(text):
    """The standard features of an argument (Gildea & Jurafsky 2002), as far as the tree has them; of a tree without
    predicate its words and pairs of words."""
    tree = Tree(text)
    predicate, candidate = tree.ending("-P"), tree.ending("-B")
    if predicate < 0 or candidate < 0:
        words = tree.words(0)
        return [f"w {word}" for word in words] + [f"b {a} {b}" for a, b in zip(words, words[1:])]
    up, down = list(tree.path_up(candidate)), list(tree.path_up(predicate))
    top = next(node for node in up if node in set(down))
    path = (
        [tree.labels[node] for node in up[: up.index(top) + 1]]
        + ["!"]
        + [tree.labels[node] for node in down[: down.index(top)]]
    )
    words, verb = tree.words(candidate), tree.words(predicate)
    governing = next((tree.labels[node] for node in up[1:] if tree.labels[node] in ("S", "VP")), "none")
    return [
        f"phrase {tree.labels[candidate]}",
        f"path {' '.join(path)}",
        f"predicate {verb[-1].lower()}",
        f"tag {tree.labels[predicate]}",
        f"position {candidate < predicate}",
        f"governing {governing}",
        f"first {words[0].lower()}",
        f"last {words[-1].lower()}",
        f"top {tree.labels[top]}",
        f"predicate and phrase {verb[-1].lower()} {tree.labels[candidate]}",
    ]


def with_vectors(source, target, numbers, limit=0):
    """Lines of SVM-light-TK with the tree and its flat features. `numbers` grows only while it is empty at the start: with
    the training data."""
    grow = not numbers
    lines = []
    with open_text(source) as file:
        for count, line in enumerate(file):
            if limit and count == limit:
                break
            label, tree = line.rstrip("\n").split("\t")
            found = set()
            for feature in role_features(tree):
                if grow:
                    numbers.setdefault(feature, len(numbers) + 1)
                if feature in numbers:
                    found.add(numbers[feature])
            lines.append(f"{label} |BT| {tree} |ET| {' '.join(f'{number}:1' for number in sorted(found))} |EV|")
    return write_lines(target, lines)
