"""Medians, spreads and ratios of times that were taken in the same round. Nothing here measures."""
from typing import NamedTuple


class Spread(NamedTuple):
    median: float
    low: float  # quartiles
    high: float
    rounds: int


def quantile(values, q):
    """Between the two neighbours, in proportion."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    place = q * (len(ordered) - 1)
    below = int(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def spread(values):
    return Spread(quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75), len(values))


def paired(numerators, denominators):
    """The ratios round by round: what slowed a round down slowed both."""
    if len(numerators) != len(denominators):
        raise ValueError(f"{len(numerators)} and {len(denominators)} rounds: not of one run")
    return [n / d for n, d in zip(numerators, denominators)]


def ratio(numerators, denominators):
    return spread(paired(numerators, denominators))


def rotated(items, by):
    """The order of round `by`: nobody always comes first, or always after the same neighbour's caches."""
    items = list(items)
    if not items:
        return items
    by %= len(items)
    return items[by:] + items[:by]
