"""Ranges of activations, as the tables of networks know them."""

from __future__ import annotations

from bugloss.core.network.activation import range_of
from bugloss.source.values.values import ANYTHING, Interval


def activation_interval(name: str | None) -> Interval | None:
    """The range of an activation; None for linear and unknown ones."""
    if name is None:
        return ANYTHING
    ends = range_of(name)
    return Interval(*ends) if ends is not None else None
