"""Checks a model of fpl against vectors of tfx: check.py SPARSE VECTORS KERNEL LOSS"""
import glob
import json
import math
import sys

sparse, vectors, kernel, loss = sys.argv[1:]
C, J = 3.0, 2.0
lines = open(sparse + '/model.linear').read().split('\n')
at = lines.index('w')
count = int(next(line.split()[1] for line in lines if line.startswith('nr_feature')))
weights = [float(x) for x in lines[at + 1:at + 1 + count]]
bias = float(lines[at + 1 + count])
scores = [0.0] * count
total = balance = 0.0
for path in sorted(glob.glob(vectors + '/part-*.svm')):
    for line in open(path):
        fields = line.split()
        y = float(fields[0])
        row = [(int(i) - 1, float(v)) for i, v in (field.split(':') for field in fields[1:])]
        margin = y * (bias + sum(weights[i] * v for i, v in row))
        cost = C * (J if y > 0 else 1)
        if loss == 'logistic':
            total += cost * math.log1p(math.exp(-margin))
            theta = cost / (1 + math.exp(margin))
        else:
            total += cost * max(0.0, 1 - margin) ** 2
            theta = 2 * cost * max(0.0, 1 - margin)
        balance += y * theta
        for i, v in row:
            scores[i] += y * theta * v
primal = total + sum(map(abs, weights))
said = json.load(open(sparse + '/manifest.json'))['counts']
worst = max(abs(s - math.copysign(1, w)) for s, w in zip(scores, weights) if w != 0)
print(kernel, loss, said['gap-reached'], abs(primal - said['primal']) < 1e-5 * primal, worst < 1e-2, abs(balance) < 1e-2,
      sum(w != 0 for w in weights) == said['fragments'] > 3)
