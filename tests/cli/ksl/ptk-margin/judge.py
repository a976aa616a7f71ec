"""PTK as the 2006 paper and SVM-light-TK have it, and decisions of a model file by it."""
import math
import random
import re
import sys


def parse(text):
    stack = [("", [])]
    for token in re.findall(r"\(|\)|[^\s()]+", text):
        if token == "(":
            stack.append(None)
        elif token == ")":
            node = stack.pop()
            stack[-1][1].append(node)
        elif stack[-1] is None:
            stack[-1] = (token, [])
        else:
            stack[-1][1].append((token, []))
    return stack[0][1][0]


def nodes(tree):
    yield tree
    for child in tree[1]:
        yield from nodes(child)


def delta(a, b, lam, mu, known):
    """mu (lambda^2 + sum over lengths up to 5 of the pairs of child sequences), by brute-force recursion on positions."""
    if a[0] != b[0]:
        return 0.0
    key = (id(a), id(b))
    if key not in known:
        total = lam * lam
        ends = {}  # (i, j) -> sum over pairs of sequences of the length at hand that end there
        pairs = {(i, j): delta(x, y, lam, mu, known)
                 for i, x in enumerate(a[1]) for j, y in enumerate(b[1]) if x[0] == y[0]}
        for length in range(1, 6):
            ends = {(i, j): d * (1.0 if length == 1 else
                                 sum(e * lam ** (i - k - 1 + j - l - 1) for (k, l), e in ends.items() if k < i and l < j))
                    for (i, j), d in pairs.items()}
            total += sum(ends.values())
        known[key] = mu * total
    return known[key]


def kernel(x, y, lam, mu):
    known = {}
    return sum(delta(a, b, lam, mu, known) for a in nodes(x) for b in nodes(y))


def trees():
    source = random.Random(4)
    for _ in range(40):
        words = [source.choice("abc") for _ in range(source.randint(1, 9))]
        children = [f"({source.choice(['N', 'V'])} {word})" for word in words]
        label = "+1" if (words.count("a") > words.count("b")) != (source.random() < 0.1) else "-1"
        print(f"{label} |BT| (S {' '.join(children)}) |ET|")


def judge(model_path, data_path, predictions_path):
    lines = open(model_path).read().split("\n")
    head = {line.rsplit("#", 1)[1].strip(): line.rsplit("#", 1)[0].strip() for line in lines[1:21]}
    assert head["kernel parameter -F"] == "3" and head["kernel parameter -u"] == "empty", head
    assert head["kernel parameter -N"] == "3" and head["kernel parameter -C"] == "T", head
    lam, mu = float(head["kernel parameter -L"]), float(head["kernel parameter -M"])
    at = next(i for i, line in enumerate(lines) if "# threshold b" in line)
    threshold = float(lines[at].split()[0])
    support = [(float(line.split()[0]), parse(line.split("|BT|")[1].split("|ET|")[0])) for line in lines[at + 1:] if line and line[0] != "#"]
    norms = [math.sqrt(kernel(tree, tree, lam, mu)) for _, tree in support]

    def decide(x):
        own = math.sqrt(kernel(x, x, lam, mu))
        return sum(c * kernel(x, t, lam, mu) / (own * n) for (c, t), n in zip(support, norms)) - threshold

    cap = max(abs(c) for c, _ in support)
    free = [(c, tree) for c, tree in support if abs(c) < 0.999 * min(cap, 50)]
    worst = max(abs(math.copysign(1, c) * decide(tree) - 1) for c, tree in free)
    print("free support vectors:", "some" if len(free) > 5 else "none", "on the margin:", worst < 1e-5)
    found = [float(line.split("\t")[-1]) for line in open(predictions_path) if not line.startswith("#") and
             re.fullmatch(r"[-+0-9.e]+", line.split("\t")[-1].strip())]
    examples = [parse(line.split("|BT|")[1].split("|ET|")[0]) for line in open(data_path)]
    worst = max(abs(decide(tree) - value) for tree, value in zip(examples, found, strict=True))
    print("decisions of ksc agree:", worst < 1e-6, "trees of more than 5 children:", any(len(t[1]) > 5 for t in examples))


if sys.argv[1] == "trees":
    trees()
else:
    judge(*sys.argv[2:])
