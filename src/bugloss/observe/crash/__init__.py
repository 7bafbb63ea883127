"""Crashes explained: an exception in, causes with lines, evidence and advice out.

What enters: a ``Crash`` (the exception and the tensors that lived in the user's frame); ``core.failure`` reads it from
texts. What leaves: ``Cause`` values. Each family of crashes is one module of ``families`` with a table of patterns;
every pattern carries example messages that a generic test runs. Front function: ``explain``. Names load on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from bugloss.observe.crash.explanation import explain, kind_of

__all__ = ["explain", "kind_of"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from bugloss.observe.crash import explanation

    return getattr(explanation, name)
