"""What the frameworks' calls do to shapes, types and ranges: one module per family, one table for all.

A module has ``SEMANTICS``, a mapping from canonical names to functions that take a ``Call`` and return the
abstract result. A name may end in ``.*`` or `` *`` to serve a whole family.
"""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pkgutil import iter_modules

from bugloss.source.follow.call import Semantics


@cache
def all_semantics() -> Semantics:
    """The tables of all modules in this package, joined."""
    table: Semantics = {}
    for module in iter_modules(__path__):
        if not module.name.startswith("_"):
            table.update(getattr(import_module(f"{__name__}.{module.name}"), "SEMANTICS", {}))
    return table
