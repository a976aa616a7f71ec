"""Labels and classes, as the stages have them."""

import re

NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def class_key(label):
    """The same for all labels of a class, by the rule of lib/example/class_set.hpp: equal numbers ("1", "+1" and "1.0") or equal texts."""
    return float(label) if len(label) <= 15 and NUMBER.fullmatch(label) else label


def positive_of(classes):
    """The positive one of two classes: the larger number, or the later word; None of more."""
    return max(classes, key=lambda label: (isinstance(class_key(label), str), class_key(label))) if len(classes) == 2 else None
