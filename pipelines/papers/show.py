"""What a paper's module hands over, as dictionaries that go to results.json: tables, plots and claims."""


def table(name, title, head, rows, note="", claims=()):
    """A table; `name` is that of its file, such as table-1."""
    return {
        "kind": "table",
        "name": name,
        "title": title,
        "head": head,
        "rows": [[cell(one) for one in row] for row in rows],
        "note": note,
        "claims": list(claims),
    }


def plot(
    name, title, x_name, y_name, series, note="", claims=(), reference=None, log_x=True, log_y=False, from_zero=False
):
    """A plot; `series`: name -> [(x, y), ...]; `reference`: (name, y), a line across."""
    return {
        "kind": "plot",
        "name": name,
        "title": title,
        "x": x_name,
        "y": y_name,
        "series": {key: [list(point) for point in points] for key, points in series.items()},
        "note": note,
        "claims": list(claims),
        "reference": reference,
        "log_x": log_x,
        "log_y": log_y,
        "from_zero": from_zero,
    }


def claim(text, holds, ours, why=""):
    """What the paper says, whether it holds here (None: cannot be compared), our numbers, and why, shown unless it holds."""
    return {"claim": text, "holds": holds, "ours": ours, "why": "" if holds else why}


def cell(value):
    if isinstance(value, float):
        return seconds(value)
    return "-" if value is None else f"{value:,}" if isinstance(value, int) else str(value)


def seconds(value):
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"


def percent(value):
    return "-" if value is None else f"{value:.2f}"
