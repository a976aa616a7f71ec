"""Compares explained.json and explained.html with the vectors of tfx: check.py KERNEL"""
import glob
import html
import json
import re
import sys

lines = open('sparse/model.linear').read().split('\n')
at = lines.index('w')
count = int(next(line.split()[1] for line in lines if line.startswith('nr_feature')))
weights = [float(x) for x in lines[at + 1:at + 1 + count]]
vectors = []
for path in sorted(glob.glob('vectors/part-*.svm')):
    for line in open(path):
        vectors.append({int(i) - 1: float(v) for i, v in (field.split(':') for field in line.split()[1:])})
explained = [json.loads(line) for line in open('explained.json')]
rows = re.findall(r'<tr[^>]* data-nodes[^>]*>.*?<code>(.*?)</code>', open('explained.html').read())
named = [one['name'] for example in explained for one in example['contributions']]
print(sys.argv[1], len(explained) == len(vectors), len(named) > 300,
      all({one['feature'] for one in example['contributions']} == set(vector) for example, vector in zip(explained, vectors)),
      all(example['others']['count'] == 0 for example in explained),
      all(abs(example['bias'] + sum(one['contribution'] for one in example['contributions']) - example['decision']) < 1e-9
          for example in explained),
      min(map(abs, weights)) > 1e-12,
      [html.unescape(row) for row in rows] == named)
