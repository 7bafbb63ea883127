"""The corpus's two ledgers: which bugs no longer count and why, and how each bug stood when last verified.

``register.toml`` is written by ``bugloss deprecate``; ``stability.json`` by ``bugloss verify --record``.
Ids stay in the register for good: they are never given out again.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from bugloss.core.bug import Status
from bugloss.core.codec import decode, encode
from bugloss.core.documents import parse_json, parse_toml
from bugloss.core.errors import FileRefused, InvalidInput, Refusal
from bugloss.core.foreign_file import read_text
from bugloss.core.written_file import without_links, write_inside
from bugloss.corpus.bug_writing import toml_string

_LARGEST_LEDGER = 50_000_000


@dataclass(frozen=True, slots=True)
class Retirement:
    """Why a bug no longer counts."""

    bug: str
    status: Status
    since: str
    why: str


@dataclass(frozen=True, slots=True)
class Verified:
    """How a bug stood when its present content was last verified."""

    digest: str
    buggy: str
    fixed: str
    standing: str
    date: str
    platform: str
    isolation: str
    environment: str
    seconds: float
    p_value: float | None = None
    a12: float | None = None


def read_retirements(root: Path) -> dict[str, Retirement]:
    path = root / "register.toml"
    try:
        entries = parse_toml(_ledger(root, path.name, empty="")).get("retired", [])
        return {entry["bug"]: decode(Retirement, entry) for entry in entries}
    except FileRefused:
        raise
    except (ValueError, KeyError, TypeError, InvalidInput) as error:
        raise InvalidInput(f"{path} cannot be read: {error}.") from error


def retire(root: Path, bug: str, status: Status, why: str) -> Retirement:
    """Adds a bug to the register; its folder stays."""
    if bug in read_retirements(root):
        raise InvalidInput(f"{bug} is already in the register.", hint=f"See {root / 'register.toml'}.")
    # What a shell hands over need not be whole characters; the register is.
    entry = Retirement(bug, status, date.today().isoformat(), why.encode(errors="replace").decode())
    lines = [f"{key} = {toml_string(value)}" for key, value in encode(entry).items()]
    with _writing(root / "register.toml") as path, open(path, "a", encoding="utf-8", opener=without_links) as register:
        register.write("\n[[retired]]\n" + "\n".join(lines) + "\n")
    return entry


def read_verified(root: Path) -> dict[str, Verified]:
    path = root / "stability.json"
    try:
        entries = parse_json(_ledger(root, path.name, empty="{}")).items()
        return {bug: decode(Verified, entry) for bug, entry in entries}
    except (ValueError, AttributeError, InvalidInput) as error:
        hint = f"Remove {path}, then create it again: bugloss verify --record"
        reason = error.words if isinstance(error, FileRefused) else str(error)
        raise InvalidInput(f"{path} cannot be read: {reason}.", hint=hint) from error


def write_verified(root: Path, verified: dict[str, Verified]) -> None:
    """Replaces the ledger in one step, so that a kill leaves the old one or the new one."""
    merged = {**read_verified(root), **verified}
    text = json.dumps({bug: encode(merged[bug]) for bug in sorted(merged)}, indent=1) + "\n"
    with _writing(root / "stability.json") as path:
        write_inside(path.parent, path.name, text)


def _ledger(root: Path, name: str, empty: str) -> str:
    """The text of a ledger, or that of an empty one where the corpus has none yet."""
    try:
        return read_text(root, name, _LARGEST_LEDGER)
    except FileRefused as error:
        if error.reason is Refusal.MISSING:
            return empty
        raise


@contextmanager
def _writing(path: Path) -> Iterator[Path]:
    try:
        yield path
    except OSError as error:
        raise InvalidInput(
            f"{path} cannot be written: {error.strerror}.", hint="Set a corpus of your own: export BUGLOSS_BUGS=/path"
        ) from error
