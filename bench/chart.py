"""The chart: for each row, how many times faster Packhorse is than each peer, as SVG."""

import math
from xml.sax.saxutils import escape

from judge import NOT_PEERS

WIDTH = 860
LABEL = 220
LINE = 22
COLOURS = {
    "msgpack": "#c2410c",
    "msgspec": "#1d4ed8",
    "ormsgpack": "#15803d",
    "orjson": "#7e22ce",
    "ssrjson": "#b45309",
    "json": "#64748b",
}
GROUPS = ("msgpack unpack", "msgpack pack", "json decode", "json encode", "streaming")


def ratios(result):
    values = result["values"]
    own = values.get("packhorse")
    if own is None or own["best"] <= 0:
        return {}
    return {
        name: value["best"] / own["best"] for name, value in values.items() if name not in NOT_PEERS
    }


class Scale:
    """Places a ratio on a logarithmic axis."""

    def __init__(self, largest):
        self.low, self.high = 0.5, max(4.0, largest * 1.1)

    def x(self, ratio):
        share = math.log(max(ratio, self.low) / self.low) / math.log(self.high / self.low)
        return LABEL + share * (WIDTH - LABEL - 30)

    def ticks(self):
        return [tick for tick in (0.5, 1, 2, 3, 5, 10, 20, 50, 100) if tick <= self.high]


def group_lines(group, results, scale, top):
    """SVG of one group, and where the next one begins."""
    parts = [f'<text x="8" y="{top + 16}" class="group">{escape(group)}</text>']
    first = top + 28
    bottom = first + LINE * len(results)
    for tick in scale.ticks():
        x = scale.x(tick)
        style = "one" if tick == 1 else "tick"
        parts.append(
            f'<line x1="{x:.1f}" x2="{x:.1f}" y1="{first}" y2="{bottom}" class="{style}"/>'
        )
        parts.append(f'<text x="{x:.1f}" y="{bottom + 14}" class="axis">{tick:g}×</text>')
    for index, result in enumerate(results):
        y = first + LINE * index + LINE // 2
        parts.append(
            f'<text x="{LABEL - 8}" y="{y + 4}" class="row">{escape(result["row"])}</text>'
        )
        for name, ratio in ratios(result).items():
            title = f"{name}: {ratio:.2f} times"
            parts.append(
                f'<circle cx="{scale.x(ratio):.1f}" cy="{y}" r="5" fill="{COLOURS.get(name, "#000")}">'
                f"<title>{escape(title)}</title></circle>"
            )
    return parts, bottom + 32


def legend(names):
    parts = []
    for index, name in enumerate(names):
        x = LABEL + index * 105
        parts.append(f'<circle cx="{x}" cy="44" r="5" fill="{COLOURS.get(name, "#000")}"/>')
        parts.append(f'<text x="{x + 10}" y="48">{escape(name)}</text>')
    return parts


def draw(report):
    shown = [result for result in report["results"] if result["group"] in GROUPS and ratios(result)]
    names = [name for name in COLOURS if any(name in ratios(result) for result in shown)]
    scale = Scale(max((max(ratios(result).values()) for result in shown), default=1))
    machine = report["machine"]
    title = (
        f"How many times faster Packhorse is: CPython {machine['python']}, {machine['processor']}"
    )
    body, top = legend(names), 64
    for group in GROUPS:
        members = [result for result in shown if result["group"] == group]
        if members:
            parts, top = group_lines(group, members, scale, top)
            body += parts
    style = (
        "text{font:12px sans-serif;fill:#111}.group{font-weight:bold;font-size:14px}"
        ".row{text-anchor:end}.axis{text-anchor:middle;fill:#666;font-size:10px}"
        ".tick{stroke:#ddd}.one{stroke:#888}"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{top}" '
        f'viewBox="0 0 {WIDTH} {top}"><style>{style}</style>'
        f'<rect width="100%" height="100%" fill="#fff"/>'
        f'<text x="8" y="22" class="group">{escape(title)}</text>' + "".join(body) + "</svg>\n"
    )
