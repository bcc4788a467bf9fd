"""A line plot over a logarithmic axis of sizes, as SVG. No library: a plot here is a page of text."""
import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 400
LEFT, RIGHT, TOP, BOTTOM = 62, 150, 40, 52
# Colours that differ in lightness too, and a mark each: readable in print and by the colour-blind.
STYLES = {
    "ours": ("#c1121f", 2.6, "circle"), "numpy": ("#1d4e89", 1.4, "square"), "torch": ("#e07a00", 1.4, "diamond"),
    "eigen": ("#2a7f3f", 1.4, "triangle"), "xtensor": ("#7b2d8b", 1.4, "cross"), "onednn": ("#00838f", 1.4, "plus"),
    "numexpr": ("#8d6e63", 1.4, "square"), "loop": ("#555555", 1.4, "cross"),
}


def mark(kind, x, y, colour):
    if kind == "circle":
        return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.4" fill="{colour}"/>'
    if kind == "square":
        return f'<rect x="{x - 2.6:.1f}" y="{y - 2.6:.1f}" width="5.2" height="5.2" fill="{colour}"/>'
    outlines = {
        "diamond": f"M{x:.1f} {y - 3.8:.1f}l3.8 3.8l-3.8 3.8l-3.8 -3.8z",
        "triangle": f"M{x:.1f} {y - 3.6:.1f}l3.6 6.2h-7.2z",
    }
    if kind in outlines:
        return f'<path d="{outlines[kind]}" fill="{colour}"/>'
    strokes = {
        "cross": f"M{x - 3:.1f} {y - 3:.1f}l6 6m0 -6l-6 6",
        "plus": f"M{x - 3.6:.1f} {y:.1f}h7.2m-3.6 -3.6v7.2",
    }
    return f'<path d="{strokes[kind]}" stroke="{colour}" stroke-width="1.6" fill="none"/>'


def text(x, y, words, anchor="middle", size=12, more=""):
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" font-size="{size}" {more}>'
            f"{escape(words)}</text>")


def power(exponent):
    return "10" + "".join("⁰¹²³⁴⁵⁶⁷⁸⁹"[int(digit)] for digit in str(exponent))


def plot(title, series, top=1.2):
    """`series`: name -> [(size, ratio)]. Ratios above `top` are drawn at the top."""
    sizes = [size for points in series.values() for size, _ in points]
    low, high = math.log10(min(sizes)), math.log10(max(sizes))
    across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM

    def place(size, value):
        share = (math.log10(size) - low) / ((high - low) or 1)
        return LEFT + across * share, TOP + down * (1 - min(value, top) / top)
    parts = [f'<svg xmlns="http:' f'//www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
             'font-family="sans-serif" fill="#222222">',
             f"<title>{escape(title)}</title>",
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
             text(LEFT + across / 2, 24, title, size=15, more='font-weight="bold"')]
    for step in range(int(top / 0.2 + 1e-9) + 1):
        _, y = place(10 ** low, step * 0.2)
        strong = abs(step * 0.2 - 1) < 1e-9
        parts.append(f'<path d="M{LEFT} {y:.1f}h{across}" stroke="{"#444444" if strong else "#dddddd"}" '
                     f'stroke-width="{1.4 if strong else 1}"/>')
        parts.append(text(LEFT - 8, y + 4, f"{step * 0.2:.1f}", "end"))
    for exponent in range(math.ceil(low - 1e-9), math.floor(high + 1e-9) + 1):
        x, _ = place(10.0 ** exponent, 0)
        parts.append(f'<path d="M{x:.1f} {TOP}v{down}" stroke="#eeeeee"/>')
        parts.append(text(x, TOP + down + 18, power(exponent)))
    parts.append(text(LEFT + across / 2, HEIGHT - 12, "elements"))
    parts.append(text(0, 0, "time of the limit / time (1 = as fast as the machine allows)",
                      more=f'transform="translate(16 {TOP + down / 2:.1f}) rotate(-90)"'))
    for number, (name, points) in enumerate(series.items()):
        colour, width, kind = STYLES.get(name, ("#000000", 1.4, "plus"))
        spots = [place(size, value) for size, value in sorted(points)]
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{width}"/>')
        parts += [mark(kind, x, y, colour) for x, y in spots]
        y = TOP + 14 + 20 * number
        x = WIDTH - RIGHT + 14
        parts.append(f'<path d="M{x} {y}h24" stroke="{colour}" stroke-width="{width}"/>')
        parts.append(mark(kind, x + 12, y, colour))
        parts.append(text(x + 32, y + 4, name, "start", 13))
    return "\n".join([*parts, "</svg>", ""])
