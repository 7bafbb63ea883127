"""Results go to standard output, everything else to standard error."""

from __future__ import annotations

import json
import math
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from bugloss.core.codec import encode

if TYPE_CHECKING:
    from rich.console import Console


def print_json(name: str, document: dict[str, object]) -> None:
    """One document of the schema ``bugloss.<name>/1``, valid JSON also where a loss was NaN."""
    data = _finite(encode({"schema": f"bugloss.{name}/1", **document}))
    unicode = "utf" in (getattr(sys.stdout, "encoding", None) or "utf-8").lower()
    print(json.dumps(data, ensure_ascii=not unicode, indent=1 if sys.stdout.isatty() else None))


def console() -> Console:
    """For results: coloured on a terminal; elsewhere plain and as wide as the text."""
    from rich.console import Console

    return Console(highlight=False, width=None if sys.stdout.isatty() else 160)


def error_console() -> Console:
    """For progress and remarks."""
    from rich.console import Console

    return Console(stderr=True, highlight=False)


@contextmanager
def spinner(quiet: bool = False) -> Iterator[Callable[[str], None]]:
    """Shows the latest remark of a long piece of work; on a plain stream each remark is a line."""
    if quiet:
        yield lambda text: None
        return
    terminal = error_console()
    if not terminal.is_terminal:
        yield lambda text: terminal.print(text, markup=False, soft_wrap=True)
        return
    with terminal.status("…") as status:
        yield status.update


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
