"""Line plots as SVG text."""

import math
from html import escape

COLOURS = {"exact": "#5b6472", "usvm": "#b4572e", "isvm": "#7a5bb5", "linearized": "#1f6fb2", "sparse": "#2c8a6b", "fsl": "#7a5bb5",
           "fmi": "#b4572e", "tfx": "#2c8a6b", "esl": "#1f6fb2", "esc": "#a3902b", "ksl": "#5b6472",
           "fpl": "#c23b6b", "search": "#c9ced6"}
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
        return f"{value / 1e6:g}M"
    return f"{value / 1000:g}k" if value >= 10000 else f"{value:g}"


def decades(low, high):
    """Powers of ten from at or below `low` to at or above `high`."""
    first, last = math.floor(math.log10(low) + 1e-9), math.ceil(math.log10(high) - 1e-9)
    return [10.0 ** power for power in range(first, max(last, first + 1) + 1)]


def line_plot(series, x_name, y_name, log_x=True, reference=None, from_zero=False, log_y=False):
    """`series`: (name, colour, [(x, y), ...]); `reference`: (name, y), a dashed line across; `log_y`: every y is above 0."""
    xs = sorted({x for _, _, points in series for x, _ in points})
    ys = [y for _, _, points in series for _, y in points] + ([reference[1]] if reference else [])
    ticks = decades(min(ys), max(ys)) if log_y else nice_ticks(0 if from_zero else min(ys), max(ys))
    scale = math.log10 if log_x else float
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
    if reference:
        y = place_y(reference[1])
        out.append(f'<line class="reference" x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"/>')
    for name, colour, points in series:
        path = " ".join(f"{place_x(x):.1f},{place_y(y):.1f}" for x, y in points)
        out.append(f'<polyline fill="none" stroke="{colour}" points="{path}"/>')
        out += [f'<circle fill="{colour}" cx="{place_x(x):.1f}" cy="{place_y(y):.1f}" r="3.5">'
                f'<title>{escape(name)}: {y:,.6g} at {x:g}</title></circle>' for x, y in points]
    out.append("</svg>")
    keys = [f'<span class="key"><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour, _ in series]
    if reference:
        keys.append(f'<span class="key"><i class="dashed"></i>{escape(reference[0])}</span>')
    return "".join(out) + f'<div class="keys">{"".join(keys)}</div>'


def stage_bars(methods):
    """Training time of each method, a horizontal bar cut into its stages."""
    longest = max(one["training_seconds"] or 0 for one in methods) or 1
    left, right, row, bar = 190, 80, 34, 20
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
            out.append(f'<rect fill="{COLOURS[stage]}" x="{x:.1f}" y="{y}" width="{max(length, 1):.1f}" height="{bar}">'
                       f'<title>{stage}: {taken["seconds"]} s</title></rect>')
            x += max(length, 1) + 1
        value = "-" if one["training_seconds"] is None else f'{one["training_seconds"]:.2f} s'
        out.append(f'<text class="tick" x="{x + 6:.1f}" y="{y + 15}">{value}</text>')
    out.append("</svg>")
    keys = "".join(f'<span class="key"><i style="background:{colour}"></i>{stage}</span>' for stage, colour in used.items())
    return "".join(out) + f'<div class="keys">{keys}</div>'
