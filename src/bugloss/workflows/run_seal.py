"""Which recorded runs are this user's own: their facts have a seal that needs the user's key.

A run's folder can be sent from one person to another, and its facts name a folder, an interpreter and arguments. They
are taken at their word only where the seal fits; the key is in the user's cache folder and never in a run.
"""

from __future__ import annotations

import hmac
import json
import os
import secrets
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from bugloss.core.cache import cache_folder, writable
from bugloss.core.errors import CacheUnusable, FileRefused
from bugloss.core.foreign_file import read_bytes
from bugloss.record.runs import RunFacts

_KEY, _KEY_BYTES = "run-key", 32


def seal(facts: RunFacts) -> RunFacts:
    """The facts with a seal; without one where the cache cannot be used."""
    with suppress(CacheUnusable, OSError):
        key = _key() or _new_key(writable(cache_folder()))
        return replace(facts, seal=_mark(facts, key)) if key else facts
    return facts


def is_own(facts: RunFacts) -> bool:
    """Whether this user recorded the run, with this folder, script, interpreter, packages and arguments."""
    try:
        key = _key()
    except CacheUnusable:
        return False
    return bool(key) and hmac.compare_digest(facts.seal.encode(), _mark(facts, key).encode())


def sign(text: str) -> str:
    """A seal of any text of ours; empty where the cache cannot be used."""
    with suppress(CacheUnusable, OSError):
        key = _key() or _new_key(writable(cache_folder()))
        return hmac.digest(key, text.encode(), "sha256").hex() if key else ""
    return ""


def _mark(facts: RunFacts, key: bytes) -> str:
    sealed: tuple[object, ...] = (facts.script, facts.folder, facts.arguments, facts.python, facts.stack)
    further = (facts.entry, facts.module, facts.added, facts.isolation is not None and facts.stack is None)
    sealed += further if any(further) else ()  # runs that were recorded before these existed keep their seal
    return hmac.digest(key, json.dumps(sealed).encode(), "sha256").hex()


def _key() -> bytes:
    """The user's key; empty where there is none yet."""
    try:
        key = read_bytes(cache_folder(), _KEY, _KEY_BYTES)
    except FileRefused:
        return b""
    return key if len(key) == _KEY_BYTES else b""


def _new_key(folder: Path) -> bytes:
    """Made beside its place and linked there whole: of two that start at once one wins, and both use its key."""
    draft = folder / f".{_KEY}.{secrets.token_hex(4)}"
    handle = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    with os.fdopen(handle, "wb") as file:
        file.write(secrets.token_bytes(_KEY_BYTES))
    try:
        with suppress(FileExistsError):
            os.link(draft, folder / _KEY)
    finally:
        draft.unlink()
    return _key()
