"""What section 5 of Pighin & Moschitti 2009 says about the fragments of a dictionary."""

import re
import subprocess

from show import claim, table


def exported(work, dictionary):
    """The cells of every fragment: id, relevance, class, size, depth, count, models, text."""
    done = subprocess.run(
        [work.programs / "fdi", "export", dictionary, "--log-level", "quiet"],
        check=True,
        capture_output=True,
        text=True,
    )
    return [line.split("\t", 7) for line in done.stdout.splitlines()[1:]]


def describe(text):
    """What a fragment contains: predicate, candidate (each also expanded), words."""
    return {
        "predicate": bool(re.search(r"-P[ )]", text)),
        "candidate": bool(re.search(r"-B[ )]", text)),
        "rooted": bool(re.match(r"\([^ ()]+-B[ )]", text)),
        "words": bool(re.search(r"[^(\s]\s+[^()\s]", text)),
        "predicate open": bool(re.search(r"-P\)", text)),
        "candidate open": bool(re.search(r"-B\)", text)),
    }


def fragments(lines):
    """The tables of section 5; `lines`: what `exported` gives."""
    listed = [(float(cells[1]), int(cells[3]), int(cells[4]), cells[7], describe(cells[7])) for cells in lines]
    total = len(listed)

    def share(test, among=None):
        among = listed if among is None else among
        return 100 * sum(bool(test(row[4])) for row in among) / max(len(among), 1)

    candidates = [row for row in listed if row[4]["candidate"]]
    figures = [
        ("with the predicate node", "15%", share(lambda f: f["predicate"]), 15),
        ("with the candidate node", "more than a third", share(lambda f: f["candidate"]), 33),
        ("of these, rooted in the candidate", "about a third", share(lambda f: f["rooted"], candidates), 33),
        ("with both", "about 10%", share(lambda f: f["predicate"] and f["candidate"]), 10),
        ("a path: both, neither expanded", "about 1%", share(lambda f: f["predicate open"] and f["candidate open"]), 1),
        (
            "an extended path: both, only the candidate expanded",
            "about 5%",
            share(lambda f: f["predicate open"] and f["candidate"] and not f["candidate open"]),
            5,
        ),
        ("with words", "about two thirds", share(lambda f: f["words"]), 67),
    ]
    rows = [[name, published, f"{value:.1f}%"] for name, published, value, _ in figures] + [
        ["fragments in all", "62,760", total]
    ]
    depths = sorted({row[2] for row in listed})
    weight = sum(abs(row[0]) for row in listed)
    for depth in depths[:6]:
        at = [row for row in listed if row[2] == depth]
        rows.append(
            [
                f"depth {depth}: fragments; share of |w|",
                "-",
                f"{100 * len(at) / total:.1f}%; {100 * sum(abs(row[0]) for row in at) / weight:.1f}%",
            ]
        )
    near = {name: value for name, _, value, wanted in figures if abs(value - wanted) <= max(5, wanted / 3)}
    words = figures[6][2]
    yield table(
        "fragments",
        "Section 5: the fragments of the dictionary (boundaries, L = 10,000)",
        ["fragments", "published", "here"],
        rows,
        "Paths are counted where predicate and candidate are open nodes; siblings are part of a fragment, as"
        " productions are not broken.",
        [
            claim(
                "The shares of section 5.",
                len(near) == len(figures),
                f"{len(near)} of {len(figures)} within a third of the published share (or 5 points).",
                "Trees are other ones (gold, shorter web sentences), and our miner ranks by the kernel's own weight"
                " lambda^(size/2) and is complete, where the paper's weighs by depth and stops at depth 4.",
            ),
            claim("Two thirds of the fragments have words.", 50 < words < 84, f"{words:.1f}%."),
        ],
    )
    first = sorted(listed, key=lambda row: -abs(row[0]))[:15]
    yield table(
        "strongest",
        "Section 5: the strongest fragments",
        ["relevance", "productions", "depth", "fragment"],
        [[f"{row[0]:+.3f}", row[1], row[2], row[3]] for row in first],
        "Relevance as fdi lists it; + speaks for an argument.",
        [
            claim(
                "The internal structure of the candidate is a strong feature, and so is its place next to the"
                " predicate.",
                sum(row[4]["candidate"] for row in first) >= 5 if data_has_marks(listed) else None,
                f"{sum(row[4]['candidate'] for row in first)} of the 15 strongest have the candidate node,"
                f" {sum(row[4]['predicate'] for row in first)} the predicate; mean depth"
                f" {sum(row[2] for row in first) / len(first):.1f}.",
            )
        ],
    )


def data_has_marks(listed):
    return any(row[4]["candidate"] for row in listed)
