"""Examples of three classes that words tell apart, most of the time; one class, some words and some labels are hostile, some trees wide."""

import random

CLASSES = {"a": "<b>dog</b>", "b": "cat", "<script>alert(1)</script>": "&amp;"}
dice = random.Random(7)
for number in range(240):
    label = dice.choice(list(CLASSES))
    word = CLASSES[label if dice.random() < 0.7 else dice.choice(list(CLASSES))]
    noun = f"(NN {word})" if number % 20 else f"(NN {word}) (NN {'x' * 10000})"
    tail = "".join(f" (PP (IN {dice.choice(['of', 'in', 'under'])}) (NP (DT the) (NN house{dice.randrange(9)})))" for _ in range(12 if number % 9 == 0 else 1))
    print(f"{label}\t(S (NP (DT {dice.choice(['the', 'a'])}) {noun}) (VP (VB </script>) (NP (NN \"'tree)){tail}) (. ?))")
