"""The failures of all bugs, kept in the cache: reading every report takes longer than comparing with all of them.

The file is named after the content it was made from, as the index of ``search`` is: a changed corpus or changed code
gets a new one, and where the cache cannot be written the failures are read each time.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from bugloss.core.cache import cache_folder, writable
from bugloss.core.errors import CacheUnusable
from bugloss.core.failure_text import in_one_line
from bugloss.corpus.failure_profile import FailureProfile, KnownFailure

if TYPE_CHECKING:
    from bugloss.corpus.collection import Corpus
    from bugloss.corpus.entry import Entry

    Reader = Callable[[Entry], KnownFailure]

logger = logging.getLogger(__name__)


def known_failures(corpus: Corpus, read: Reader, revision: str) -> tuple[KnownFailure, ...]:
    """The failure of every readable bug that counts, as ``read`` sees it; ``revision`` changes when ``read`` does."""
    name = f"failures-{_digest(corpus, revision)}.json"
    stored = _stored(name)
    if stored is not None:
        return stored
    failures = tuple(_read_each(corpus, read))
    _store(name, failures)
    return failures


def _digest(corpus: Corpus, revision: str) -> str:
    content = hashlib.sha256(revision.encode())
    files = [f"{corpus.folder(bug)}/{name}" for bug in corpus for name in ("bug.toml", "report.md")]
    for path in (f"{corpus.root}/register.toml", *files):
        try:
            facts = os.stat(path)  # noqa: PTH116 - a hundred Path objects take longer than what they are asked
        except OSError:
            continue
        content.update(f"{path} {facts.st_size} {facts.st_mtime_ns}\n".encode())
    return content.hexdigest()[:16]


def _read_each(corpus: Corpus, read: Reader) -> Iterator[KnownFailure]:
    from bugloss.core.bug import Status

    for entry in corpus.readable()[0]:
        if entry.status is not Status.DEPRECATED:
            try:
                yield read(entry)
            except Exception as error:  # ours: the other bugs can be near all the same
                logger.warning("%s is left out: %s", entry.id, in_one_line(error))


def _stored(name: str) -> tuple[KnownFailure, ...] | None:
    try:
        data = json.loads((cache_folder() / "indexes" / name).read_text(encoding="utf-8"))
        # Not through the codec: checking every word of every report again takes longer than the rest of a lookup.
        return tuple(KnownFailure(**{**item, "failure": _profile(item["failure"])}) for item in data)
    except (OSError, ValueError, CacheUnusable, KeyError, TypeError):
        return None


def _profile(data: Mapping[str, Any]) -> FailureProfile:
    return FailureProfile(**{**data, "names": tuple(data["names"])})


def _store(name: str, failures: tuple[KnownFailure, ...]) -> None:
    """Written beside its place and moved there whole, so that no reader sees half of it."""
    from bugloss.core.codec import encode

    try:
        folder = writable(cache_folder() / "indexes")
        draft = folder / f"{name}.{os.getpid()}"
        draft.write_text(json.dumps(encode(failures)), encoding="utf-8")
        draft.replace(folder / name)
    except (OSError, CacheUnusable):
        return
