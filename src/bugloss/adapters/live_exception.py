"""An exception of this process, read while its frames are alive: what was raised, and the tensors that lived there."""

from __future__ import annotations

from pathlib import Path
from types import TracebackType
from typing import Any

from bugloss.probes.observe import core, crash


class ExceptionReader:
    """Reads exceptions of programs below a folder."""

    def __init__(self, folder: Path) -> None:
        self._recorder = core.Recorder(None, root=str(folder))

    def read(self, error: BaseException, trace: TracebackType | None) -> dict[str, Any]:
        """The fields of a crash event."""
        found: dict[str, Any] = crash.report(self._recorder, error, trace)
        return found
