"""Crashes explained: an exception in, causes with lines, evidence and advice out.

What enters: a ``Crash`` (the exception and the tensors that lived in the user's frame), or any text that holds a
traceback. What leaves: ``Cause`` values. Each family of crashes is one module of ``families`` with a table of patterns;
every pattern carries example messages that a generic test runs. Front functions: ``explain`` and, for texts,
``traceback_text.parse``.
"""

from __future__ import annotations

from bugloss.observe.crash.explanation import explain, kind_of

__all__ = ["explain", "kind_of"]
