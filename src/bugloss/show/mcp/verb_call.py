"""Calls a verb in a process of its own and returns its JSON document."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from bugloss.core.documents import parse_json

Document = dict[str, Any]


async def call_verb(arguments: Sequence[str], folder: Path, *, given: str = "", seconds: float = 600.0) -> Document:
    """The document that ``bugloss VERB --json`` prints; one of the schema ``bugloss.error/1`` where there is none."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bugloss", arguments[0], "--json", *arguments[1:]),
        cwd=folder,
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        start_new_session=True,
    )
    try:
        printed, remarks = await asyncio.wait_for(process.communicate(given.encode()), seconds)
    except TimeoutError:
        return _failed("too-slow", f"bugloss {arguments[0]} did not end within {seconds:g} seconds.")
    finally:
        await _end(process)
    try:
        document = parse_json(printed)
    except ValueError:
        last = remarks.decode(errors="replace").strip().splitlines()[-1:] or ["it printed nothing"]
        return _failed("no-document", f"bugloss {arguments[0]} printed no document: {last[0]}")
    return document if isinstance(document, dict) else _failed("no-document", "The document is not an object.")


async def _end(process: asyncio.subprocess.Process) -> None:
    """Ends the verb and what it started; a verb that has ended is left alone."""
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        with suppress(TimeoutError):
            await asyncio.wait_for(process.wait(), 5.0)
    if process.returncode is None:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        await process.wait()


def _failed(kind: str, message: str) -> Document:
    return {"schema": "bugloss.error/1", "error": kind, "message": message, "hint": ""}
