"""All patterns in the order in which they are tried: special messages before general ones."""

from __future__ import annotations

from functools import cache
from importlib import import_module

from bugloss.observe.crash.contract import Pattern

FAMILIES = (
    "collation",
    "matrix_shapes",
    "window_shapes",
    "declared_inputs",
    "layer_inputs",
    "target_shapes",
    "reshaping",
    "joining",
    "elementwise_shapes",
    "devices",
    "dtypes",
    "conversions",
    "ranges",
    "indices",
    "memory",
    "checkpoints",
    "versions",
    "imports",
    "files",
    "initialisation",
    "graphs",
    "autograd",
    "numerics",
    "identifiers",
    "arguments",
)


@cache
def patterns() -> tuple[Pattern, ...]:
    """Every pattern of every family."""
    package = f"{__package__}.families"
    return tuple(pattern for name in FAMILIES for pattern in import_module(f"{package}.{name}").PATTERNS)
