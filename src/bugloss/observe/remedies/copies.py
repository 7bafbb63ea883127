"""Edits that keep an array apart from its other names."""

from __future__ import annotations

from collections.abc import Iterator

from bugloss.core.edit import Edit
from bugloss.observe.case import Case
from bugloss.observe.written_lines import returned_arrays
from bugloss.source.editing import call_on


def returned_copy(case: Case) -> Iterator[Edit]:
    """A copy is returned instead of the array itself."""
    for module, value in returned_arrays(case):
        numpy = any(name in module.source.text for name in ("numpy", "jax"))
        yield call_on(module, value, "copy()" if numpy else "clone()")
