"""What a reader of a layout gets, and the facts that all of them look for under many names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.errors import FileRefused
from bugloss.core.foreign_bug import ForeignBug
from bugloss.core.foreign_file import read_text

LARGEST_FILE = 200_000_000  # of JSON lines with patches; SWE-bench's test split has 80 MB
MOST_BUGS = 50_000


@dataclass(frozen=True, slots=True)
class Reader:
    """A layout: whether a folder has it, and the bugs in it. ``read`` gets the source's name for the ids."""

    fits: Callable[[Path], bool]
    read: Callable[[Path, str], Iterator[ForeignBug]]


def local_id(name: str) -> str:
    """A part of an id from a foreign name: letters, digits, dots, hyphens and underscores."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:80] or "unnamed"


def release_of(text: str) -> str:
    """The version of Python without its patch release: 3.7 of ``Python 3.7.9``."""
    match = re.search(r"\b([23]\.\d{1,2})", text)
    return match[1] if match else ""


def optional_text(root: Path, name: str) -> str:
    """A file's text, empty where it is not there or not readable."""
    try:
        return read_text(root, name, errors="replace")
    except FileRefused:
        return ""


def settings_of(text: str) -> dict[str, str]:
    """``key = value`` or ``key: value`` lines of an INI file, a shell file or a properties file; keys in lower case."""
    found: dict[str, str] = {}
    for line in text.splitlines():
        match = re.match(r"\s*(?:export\s+)?([A-Za-z][\w .-]*?)\s*[=:]\s*(.*?)\s*$", line)
        if match and not line.lstrip().startswith(("#", ";", "[")):
            found.setdefault(plain_key(match[1]), match[2].strip().strip("\"'"))
    return found


def plain_key(key: str) -> str:
    """A key in one spelling: buggyCommitId, buggy-commit-id and buggy_commit_id are the same."""
    return re.sub(r"[\s.-]+", "_", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", key.strip())).lower()


def first_of(facts: Mapping[str, str], *names: str) -> str:
    """The first of these keys that has a value."""
    return next((facts[name].strip() for name in names if facts.get(name, "").strip()), "")
