# Pictures for notebooks of what the library does not draw: graphs, and several tours at once.

from html import escape
from math import cos, sin, tau

MOST = 12
SIDE = 320


# Returns a page with the pictures of some tours, and how many there are.
def grid(tours, words=""):
    if len(tours) > MOST:
        words += f" {MOST} of {len(tours)} tours"
    cell = '<div style="width:11em">'
    cells = "".join(f"{cell}{tour._repr_svg_() or escape(str(tour))}</div>" for tour in tours[:MOST])
    return f'<div>{escape(words)}</div><div style="display:flex;flex-wrap:wrap;gap:1em">{cells}</div>'


# Returns the picture of a tour of a graph: numbered vertices on a circle, or where `pos` has them.
def graph_svg(tour, is_cycle, title, pos):
    names, count = tour.names, len(tour)
    try:
        places = [tuple(map(float, pos[name])) for name in names] if pos is not None else None
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"pos: give each vertex two numbers, as networkx does: {error!r}") from error
    places = places or [(sin(tau * step / count), cos(tau * step / count)) for step in range(count)]
    low, high = [[bound(axis) for axis in zip(*(place[:2] for place in places))] for bound in (min, max)]
    scale = (SIDE - 48) / (max(one - other for one, other in zip(high, low)) or 1)
    # Points go up in a plot and down in a picture.
    points = [(24 + (x - low[0]) * scale, 24 + (high[1] - y) * scale) for x, y, *_ in places]
    width, height = (48 + (one - other) * scale for one, other in zip(high, low))
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    shape = "polygon" if is_cycle else "polyline"
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" font-family="sans-serif" font-size="10" text-anchor="middle">',
        f"<title>{escape(title or f'A tour of a graph of {count} vertices')}</title>",
        f'<{shape} points="{line}" fill="none" stroke="#4063d8" stroke-width="2"/>',
    ]
    for step, ((x, y), name) in enumerate(zip(points, names), 1):
        parts.append(
            f'<g><title>{escape(str(name))}</title><circle cx="{x:.1f}" cy="{y:.1f}" r="10" fill="white" '
            f'stroke="#4063d8"/><text x="{x:.1f}" y="{y + 3.5:.1f}">{step}</text></g>'
        )
    return "".join(parts) + "</svg>"
