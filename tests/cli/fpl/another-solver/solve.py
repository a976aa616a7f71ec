"""Solves the problem of fpl over vectors of tfx by coordinate descent: solve.py SPARSE VECTORS KERNEL LOSS L2"""
import glob
import json
import math
import sys

sparse, vectors, kernel, loss = sys.argv[1:5]
l2 = float(sys.argv[5])
C, J = 2.0, 2.0

labels, costs, columns = [], [], {}
for path in sorted(glob.glob(vectors + '/part-*.svm')):
    for line in open(path):
        fields = line.split()
        row = len(labels)
        labels.append(float(fields[0]))
        costs.append(C * (J if labels[row] > 0 else 1))
        for field in fields[1:]:
            index, value = field.split(':')
            columns.setdefault(int(index), []).append((row, float(value)))
rows = range(len(labels))
features = sorted(columns)
weights = dict.fromkeys(features, 0.0)
bias = 0.0
margins = [0.0] * len(labels)


def slope(row):
    """Of the loss, times its cost."""
    m = margins[row]
    if loss == 'logistic':
        return -costs[row] / (1 + math.exp(m))
    return -2 * costs[row] * max(0.0, 1 - m)


def curvature(row):
    """Largest one of the loss, times its cost."""
    return costs[row] * (0.25 if loss == 'logistic' else 2)


def objective():
    if loss == 'logistic':
        total = sum(costs[i] * math.log1p(math.exp(-margins[i])) for i in rows)
    else:
        total = sum(costs[i] * max(0.0, 1 - margins[i]) ** 2 for i in rows)
    return total + sum(abs(w) + l2 / 2 * w * w for w in weights.values())


def conjugate(theta, cost):
    if loss == 'logistic':
        u = theta / cost
        return -cost * sum(x * math.log(x) for x in (u, 1 - u) if x > 0)
    return theta - theta * theta / (4 * cost)


def bound():
    """Of the objective from below: the dual at -slope, balanced and scaled until it is feasible."""
    theta = [-slope(i) for i in rows]
    sides = {y: sum(theta[i] for i in rows if labels[i] == y) for y in (1.0, -1.0)}
    least = min(sides.values())
    theta = [theta[i] * least / sides[labels[i]] for i in rows]
    scores = [abs(sum(labels[i] * theta[i] * v for i, v in columns[f])) for f in features]
    if l2 > 0:
        return sum(conjugate(theta[i], costs[i]) for i in rows) - sum(max(0.0, s - 1) ** 2 for s in scores) / (2 * l2)
    scale = 1 / max(1.0, max(scores))
    return sum(conjugate(scale * theta[i], costs[i]) for i in rows)


def move(column, step):
    for i, v in column:
        margins[i] += labels[i] * v * step


everywhere = [(i, 1.0) for i in rows]
for sweep in range(20000):
    for f in features:
        column = columns[f]
        slope_f = sum(labels[i] * v * slope(i) for i, v in column)
        steep = sum(v * v * curvature(i) for i, v in column)
        aim = steep * weights[f] - slope_f
        best = math.copysign(max(0.0, abs(aim) - 1), aim) / (steep + l2)
        if best != weights[f]:
            move(column, best - weights[f])
            weights[f] = best
    step = -sum(labels[i] * slope(i) for i in rows) / sum(curvature(i) for i in rows)
    bias += step
    move(everywhere, step)
    if sweep % 10 == 9:
        primal = objective()
        if primal - bound() <= 5e-7 * primal:
            break
said = json.load(open(sparse + '/manifest.json'))['counts']
print(kernel, loss, l2, said['fragments'] > 3, primal - bound() <= 5e-7 * primal, abs(primal - said['primal']) <= 1e-6 * primal)
