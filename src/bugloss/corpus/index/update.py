"""Brings a section of the index to the present state of a corpus: only bugs whose files changed are read."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path

from bugloss.core.cache import cache_folder, writable
from bugloss.corpus.code_revision import code_revision
from bugloss.corpus.collection import Corpus
from bugloss.corpus.index.section import IndexSection, ReadBug, open_section, read_stamps, replace_bugs
from bugloss.corpus.index.stamps import bug_of, stamp_of

_PACKAGE = Path(__file__).parents[2]
_CODE = ("corpus/*.py", "corpus/index/*.py", "core/bug*.py", "core/taxonomy/*.py", "stacks/*.toml")


def fresh_section(corpus: Corpus, section: IndexSection) -> sqlite3.Connection:
    """A section of a corpus as it is now."""
    folder = writable(cache_folder() / "indexes")
    path = folder / f"{section.name}-{_name_of_place(corpus.root)}-{_name_of_code()}.sqlite"
    try:
        return _brought_up_to_date(open_section(path, section), corpus, section)
    except sqlite3.OperationalError:
        raise  # locked for long, or the disk is full: that is no reason to throw an index away
    except sqlite3.DatabaseError:  # damaged: made again
        path.unlink(missing_ok=True)
        return _brought_up_to_date(open_section(path, section), corpus, section)


def _brought_up_to_date(index: sqlite3.Connection, corpus: Corpus, section: IndexSection) -> sqlite3.Connection:
    known = {folder for (folder,) in index.execute("SELECT folder FROM bugs")}
    there = {folder for folder in corpus.places() if folder in known or (corpus.root / folder / "bug.toml").is_file()}
    stale = {bug_of(path) for path in read_stamps(index).changed(str(corpus.root))} | (known ^ there)
    if stale:
        present = [folder for folder in sorted(stale & there) if (corpus.root / folder / "bug.toml").exists()]
        replace_bugs(index, section, stale, [_read(corpus, folder) for folder in present])
    return index


def _read(corpus: Corpus, folder: str) -> ReadBug:
    """Its stamp is taken first: a bug that is edited while it is read is read again next time."""
    stamp = stamp_of(corpus.root, folder)
    entry, broken = corpus.read_again(folder.rpartition("/")[2])
    return ReadBug(folder, stamp, entry, broken)


def _name_of_place(root: Path) -> str:
    place = os.path.abspath(root)  # noqa: PTH100 - resolve() would follow links
    return hashlib.sha256(place.encode(errors="surrogateescape")).hexdigest()[:12]


def _name_of_code() -> str:
    """Another one for each state of the code that reads bugs."""
    files = [path for pattern in _CODE for path in _PACKAGE.glob(pattern)]
    return hashlib.sha256(code_revision(files).encode()).hexdigest()[:12]
