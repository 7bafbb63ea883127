"""Which bugs a verification takes."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from datetime import date

from bugloss.core.bug import Status
from bugloss.core.errors import InvalidInput
from bugloss.corpus.collection import Corpus
from bugloss.corpus.entry import Entry
from bugloss.corpus.where import select
from bugloss.workflows.verification import changed as changed_since_recorded


def choose(
    corpus: Corpus, named: Sequence[str], where: str | None = None, *, changed: bool = False, sample: int = 0
) -> list[Entry]:
    """The named bugs, or all active ones, narrowed by the query; ``changed`` and ``sample`` pick from those."""
    if named:
        pool = list({entry.id: entry for entry, _ in map(corpus.twin, named)}.values())
    else:
        pool = [entry for entry in corpus.readable()[0] if entry.status is Status.ACTIVE]
    pool = select(pool, where)
    if changed or sample:
        picked = {entry.id for entry in changed_since_recorded(pool)} if changed else set()
        # A sample is for what can be run here: sources of other repositories are cloned when their bugs are asked for.
        rest = [entry for entry in pool if entry.id not in picked and entry.at_hand]
        picked |= {entry.id for entry in rotating_sample(rest, sample, date.today())}
        pool = [entry for entry in pool if entry.id in picked]
    elif not pool:
        raise InvalidInput("no active bug matches.", hint="List the bugs: bugloss list")
    return pool


def rotating_sample(entries: Sequence[Entry], size: int, day: date) -> list[Entry]:
    """So many bugs, the same all day and others tomorrow."""

    def lot(entry: Entry) -> str:
        return hashlib.sha256(f"{day.isoformat()} {entry.id}".encode()).hexdigest()

    return sorted(entries, key=lot)[:size]
