"""Line plots as SVG text."""

import math
from html import escape

from names import cut

SERIES = {"exact": 7, "usvm": 2, "isvm": 4, "linearized": 1, "mined": 8, "sparse": 3, "words": 5, "productions": 6, "fsl": 4, "fmi": 2, "tfx": 3, "esl": 1, "esc": 5, "ksl": 7,
          "fpl": 6}


def colour_of(name):
    """The colour of a method or stage, one of the pages' palette."""
    return "var(--line)" if name == "search" else f"var(--series-{SERIES.get(name, sum(map(ord, name)) % 8 + 1)})"


class _Colours(dict):
    def __missing__(self, name):
        return colour_of(name)


COLOURS = _Colours()
WIDTH, HEIGHT = 520, 300
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 14, 48


def nice_ticks(low, high, wanted=5):
    """Round numbers from at or below `low` to at or above `high`."""
    if high <= low:
        high = low + (abs(low) or 1) * 0.1
    step = 10 ** math.floor(math.log10((high - low) / wanted))
    step *= next(factor for factor in (1, 2, 5, 10) if (high - low) / (step * factor) <= wanted)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [round(number * step, 10) for number in range(first, last + 1)]


def short(value):
    if value >= 1e6:
        return f"{value / 1e6:.4g}M"
    return f"{value / 1000:.4g}k" if value >= 10000 else f"{value:g}"


def decades(low, high):
    """Powers of ten from at or below `low` to at or above `high`."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    return [10.0 ** power for power in range(first, max(last, first + 1) + 1)]


def line_plot(series, x_name, y_name, log_x=True, reference=None, from_zero=False, log_y=False, band=None):
    """`series`: (name, colour, [(x, y), ...]); `reference`: (name, y), a dashed line across, with `band` (low, high) around it; `log_x`: of numbers
    of things, 0 among them; `log_y`: every y is above 0."""
    xs = sorted({x for _, _, points in series for x, _ in points})
    if not xs:
        return '<p class="note">Not measured.</p>'
    ys = [y for _, _, points in series for _, y in points] + ([reference[1]] if reference else []) + list(band or [])
    ticks = decades(min(ys), max(ys)) if log_y else nice_ticks(0 if from_zero else min(ys), max(ys))
    scale = float if not log_x else math.log10 if xs[0] > 0 else math.log1p
    low, high = scale(xs[0]), scale(xs[-1])
    margin = 0.5 if not log_x else 0.08 * (high - low) or 0.5

    def place_x(x):
        return LEFT + (scale(x) - low + margin) / (high - low + 2 * margin) * (WIDTH - LEFT - RIGHT)

    def place_y(y):
        y, bottom, top = (math.log10(one) if log_y else one for one in (y, ticks[0], ticks[-1]))
        return HEIGHT - BOTTOM - (y - bottom) / (top - bottom) * (HEIGHT - TOP - BOTTOM)

    out = [f'<svg class="plot" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(y_name)} against {escape(x_name)}">']
    for tick in ticks:
        y = place_y(tick)
        out.append(f'<line class="grid" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
        out.append(f'<text class="tick" x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{short(tick)}</text>')
    shown = None
    for x in xs:
        if shown is None or place_x(x) - shown > 34:
            shown = place_x(x)
            out.append(f'<text class="tick" x="{shown:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{short(x)}</text>')
    middle = (LEFT + WIDTH - RIGHT) / 2
    out.append(f'<text class="axis" x="{middle}" y="{HEIGHT - 8}" text-anchor="middle">{escape(x_name)}</text>')
    out.append(f'<text class="axis" transform="translate(14,{(HEIGHT - BOTTOM + TOP) / 2}) rotate(-90)" '
               f'text-anchor="middle">{escape(y_name)}</text>')
    if band:
        out.append(f'<rect class="band" x="{LEFT}" y="{place_y(band[1]):.1f}" width="{WIDTH - RIGHT - LEFT}" '
                   f'height="{place_y(band[0]) - place_y(band[1]):.1f}"/>')
    if reference:
        y = place_y(reference[1])
        out.append(f'<line class="reference" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
    for name, colour, points in series:
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in points)
        out.append(f'<polyline fill="none" style="stroke:{colour}" points="{path}"/>')
        out += [f'<circle style="fill:{colour}" cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="3.5">'
                f'<title>{escape(name)}: {y:,.6g} at {x:g}</title></circle>' for x, y in points]
    out.append("</svg>")
    keys = [f'<span class="key"><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour, _ in series]
    if reference:
        keys.append(f'<span class="key"><i class="dashed"></i>{escape(reference[0])}</span>')
    if band:
        keys.append('<span class="key"><i class="band"></i>its 95% interval</span>')
    return "".join(out) + f'<div class="keys">{"".join(keys)}</div>'


def stage_bars(methods):
    """Training time of each method, a horizontal bar cut into its stages."""
    longest = max(one["training_seconds"] or 0 for one in methods) or 1
    left, right, row, bar = 210, 80, 34, 20
    width = 1080
    out = [f'<svg class="plot" viewBox="0 0 {width} {row * len(methods) + 6}" role="img" aria-label="training time by stage">']
    used = {}
    for number, one in enumerate(methods):
        y = number * row + 6
        x = left
        out.append(f'<text class="name" x="{left - 10}" y="{y + 15}" text-anchor="end">{escape(one["title"])}</text>')
        for stage, taken in one["training"].items():
            length = (taken["seconds"] or 0) / longest * (width - left - right)
            used[stage] = COLOURS[stage]
            out.append(f'<rect style="fill:{COLOURS[stage]}" x="{x:.1f}" y="{y}" width="{max(length, 1):.1f}" height="{bar}">'
                       f'<title>{stage}: {"-" if taken["seconds"] is None else taken["seconds"]} s</title></rect>')
            x += max(length, 1) + 1
        value = "-" if one["training_seconds"] is None else f'{one["training_seconds"]:.2f} s'
        out.append(f'<text class="tick" x="{x + 6:.1f}" y="{y + 15}">{value}</text>')
    out.append("</svg>")
    keys = "".join(f'<span class="key"><i style="background:{colour}"></i>{stage}</span>' for stage, colour in used.items())
    return "".join(out) + f'<div class="keys">{keys}</div>'


def size_bars(methods, size):
    """Size of each method's model, a horizontal bar; `size` spells it."""
    largest = max(one["model_bytes"] or 0 for one in methods) or 1
    left, right, row, bar, width = 210, 80, 30, 16, 1080
    out = [f'<svg class="plot" viewBox="0 0 {width} {row * len(methods) + 6}" role="img" aria-label="model sizes">']
    for number, one in enumerate(methods):
        y, length = number * row + 6, (one["model_bytes"] or 0) / largest * (width - left - right)
        out.append(f'<text class="name" x="{left - 10}" y="{y + 13}" text-anchor="end">{escape(one["title"])}</text>'
                   f'<rect style="fill:{colour_of(one["method"])}" x="{left}" y="{y}" width="{max(length, 1):.1f}" height="{bar}"/>'
                   f'<text class="tick" x="{left + max(length, 1) + 6:.1f}" y="{y + 13}">{escape(size(one["model_bytes"]))}</text>')
    return "".join(out) + "</svg>"


def interval_plot(labels, methods):
    """F1 of each class with its interval, a line a class and method; `methods`: (name, colour, {label: (f1, low, high)})."""
    left, right, line, gap, top, width = 180, 20, 15, 12, 8, 1080
    every = [number for _, _, scores in methods for label in labels if label in scores for number in scores[label]]
    ticks = nice_ticks(min(every), max(every)) if every else [0, 100]
    ticks = [tick for tick in ticks if tick <= 100] or ticks
    block = line * len(methods) + gap
    height = top + block * len(labels) + 24

    def place(value):
        return left + (min(value, ticks[-1]) - ticks[0]) / (ticks[-1] - ticks[0]) * (width - left - right)
    out = [f'<svg class="plot" viewBox="0 0 {width} {height}" role="img" aria-label="F1 of each class">']
    for tick in ticks:
        out.append(f'<line class="grid" x1="{place(tick):.1f}" x2="{place(tick):.1f}" y1="{top}" y2="{height - 22}"/>'
                   f'<text class="tick" x="{place(tick):.1f}" y="{height - 6}" text-anchor="middle">{short(tick)}</text>')
    for number, label in enumerate(labels):
        y = top + number * block
        out.append(f'<text class="name" x="{left - 12}" y="{y + line * len(methods) / 2 + 5:.1f}" text-anchor="end">{escape(cut(label, 16))}</text>')
        for row, (name, colour, scores) in enumerate(methods):
            if label in scores:
                f1, low, high = scores[label]
                at = y + line * row + line / 2
                out.append(f'<line class="whisker" style="stroke:{colour}" x1="{place(low):.1f}" x2="{place(high):.1f}" y1="{at:.1f}" y2="{at:.1f}"/>'
                           f'<circle style="fill:{colour}" cx="{place(f1):.1f}" cy="{at:.1f}" r="4"><title>{escape(name)}, {escape(label)}: '
                           f'{f1:.2f} ({low:.2f} to {high:.2f})</title></circle>')
    keys = "".join(f'<span class="key"><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour, _ in methods)
    return "".join(out) + f'</svg><div class="keys">{keys}</div>'
