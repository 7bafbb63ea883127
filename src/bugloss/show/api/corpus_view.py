"""The corpus as a server shows it: read once, filtered and counted from memory, read again when its folders change."""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.core.suggestion import did_you_mean
from bugloss.corpus.catalogue import FACETS_BY_NAME, Catalogue, Filters
from bugloss.corpus.collection import Corpus, UnknownBug, load
from bugloss.corpus.entry import Entry
from bugloss.corpus.search_hit import SearchHit
from bugloss.corpus.where import FIELDS, value_of

_log = logging.getLogger(__name__)
_LOOK_AGAIN_SECONDS = 1.0  # how long a change of the corpus may go unseen
_NOTICED_SECONDS = 0.03  # a look that takes longer than this would delay a page
_SHARE = 50  # looking at a large corpus takes one part in so many of the time


@dataclass(frozen=True, slots=True)
class ExploreQuery:
    """Which bugs to list: a query of ``--where``, words to search for, chosen values of facets.

    Values of one facet are alternatives; facets, words and the query must all hold. ``cursor`` is the id of the last
    bug of the page before.
    """

    where: str = ""
    text: str = ""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    cursor: str = ""
    limit: int = 50


@dataclass(frozen=True, slots=True)
class BugListing:
    """One bug of a list: its fields by name; with a search, how well it fits and the words around the match."""

    id: str
    fields: Mapping[str, object]
    score: float | None = None
    excerpt: str = ""


@dataclass(frozen=True, slots=True)
class FacetValue:
    """A value of a facet, and how many bugs a list would have if it were chosen."""

    value: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class ExplorePage:
    """A page of a list; ``next_cursor`` is empty on the last page."""

    bugs: tuple[BugListing, ...]
    total: int
    facets: Mapping[str, tuple[FacetValue, ...]]
    next_cursor: str


class CorpusState:
    """One state of the corpora, with what is derived from it."""

    def __init__(self, corpora: Sequence[Corpus], revision: str) -> None:
        self.revision = revision
        self.entries: dict[str, Entry] = {}
        self.broken: dict[str, str] = {}
        for corpus in reversed(corpora):
            entries, broken = corpus.readable()
            self.entries |= {entry.id: entry for entry in entries}
            self.broken |= broken
        self.entries = dict(sorted(self.entries.items()))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The bugs, ready to be filtered and searched."""
        return Catalogue(tuple(self.entries.values()))

    def explore(self, query: ExploreQuery) -> ExplorePage:
        """The bugs that a query selects, with the counts of every facet."""
        found = self.catalogue.select(Filters(query.text, query.where, _checked(query.chosen)))
        start = _position_after([entry.id for entry in found.entries], query.cursor)
        page = found.entries[start : start + query.limit]
        excerpts = self.catalogue.excerpts(query.text, page) if found.ranked else {}
        listings = (
            BugListing(entry.id, fields_of(entry), found.scores.get(entry.id), excerpts.get(entry.id, ""))
            for entry in page
        )
        more = start + len(page) < len(found.entries)
        facets = {name: tuple(_counted(counts, query.chosen.get(name, ()))) for name, counts in found.counts.items()}
        return ExplorePage(tuple(listings), len(found.entries), facets, page[-1].id if more and page else "")


class CorpusView:
    """What routes and pages ask about bugs."""

    def __init__(self, roots: Sequence[Path], clock: Callable[[], float] = time.monotonic) -> None:
        self._roots = tuple(roots)
        self._clock = clock
        self._lock = threading.Lock()
        self._state: CorpusState | None = None
        self._look_at = self._look_seconds = 0.0
        self._looking: threading.Thread | None = None

    @property
    def state(self) -> CorpusState:
        """The present state; the folders are looked at again after a second.

        Where that takes long, because there are thousands of bugs, requests go on with the last state meanwhile.
        """
        with self._lock:
            if self._state is None:
                self._look()
            elif self._clock() >= self._look_at and self._looking is None:
                if self._look_seconds < _NOTICED_SECONDS:
                    self._look()
                else:
                    self._looking = threading.Thread(target=self._look_meanwhile, daemon=True)
                    self._looking.start()
            assert self._state is not None
            return self._state

    def _look(self) -> None:
        begun = self._clock()
        revision = _revision(self._roots)
        self._look_seconds = self._clock() - begun
        self._look_at = self._clock() + max(_LOOK_AGAIN_SECONDS, _SHARE * self._look_seconds)
        if self._state is None or self._state.revision != revision:
            self._state = CorpusState([load(root) for root in self._roots], revision)

    def _look_meanwhile(self) -> None:
        try:
            self._look()
        except BuglossError as error:
            _log.warning("the corpus cannot be read again: %s", error.message)
        finally:
            self._looking = None

    @property
    def revision(self) -> str:
        """Changes with the content of the corpus; the ETag of lists."""
        return self.state.revision

    @property
    def root(self) -> Path:
        """The corpus that new bugs are added to."""
        return self._roots[0]

    def __len__(self) -> int:
        return len(self.state.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.state.entries.values())

    def entry(self, bug: str) -> Entry:
        """A bug by its id, with or without the letter of one of its programs."""
        entries = self.state.entries
        found = entries.get(bug) or (entries.get(bug[:-1]) if bug[-1:] in {"b", "f"} else None)
        if found is None:
            raise UnknownBug(f"there is no bug '{bug[:60]}'.", hint=did_you_mean(bug, entries))
        return found

    def details(self, bug: str) -> dict[str, object]:
        """Everything about one bug: the document ``bugloss.bug/1``."""
        from bugloss.workflows.forecast import forecast

        entry = self.entry(bug)
        diff = entry.diff() if entry.at_hand else None
        more = {
            "report": entry.report,
            "diff": diff,
            "upstream": entry.bug.upstream,
            "stability": entry.verified,
            "forecast": forecast(entry),
        }
        facts = {"oracle": entry.oracle, "data": entry.bug.data, "notes": entry.bug.notes}
        return {**fields_of(entry), **facts, **more, "digest": entry.digest()}

    def explore(self, query: ExploreQuery) -> ExplorePage:
        """The bugs that a query selects, with the counts of every facet."""
        return self.state.explore(query)

    def similar(self, bug: str, limit: int = 5) -> list[SearchHit]:
        """The bugs most similar to one, with the labels they share."""
        return self.state.catalogue.similarities.similar(self.entry(bug).id, limit)


def fields_of(entry: Entry) -> dict[str, object]:
    """Every field of a bug that queries know, by name."""
    return {name: value_of(entry, name) for name in FIELDS}


def _checked(chosen: Mapping[str, tuple[str, ...]]) -> Mapping[str, tuple[str, ...]]:
    for facet in chosen:
        if facet not in FACETS_BY_NAME:
            hint = did_you_mean(facet, FACETS_BY_NAME) or f"Known: {', '.join(FACETS_BY_NAME)}."
            raise InvalidInput(f"there is no facet '{facet[:60]}'.", hint=hint)
    return chosen


def _counted(counts: Mapping[str, int], chosen: tuple[str, ...]) -> Iterator[FacetValue]:
    """The values that have bugs or are chosen, the most frequent first."""
    every = {
        **dict.fromkeys(chosen, 0),
        **{value: count for value, count in counts.items() if count or value in chosen},
    }
    for value, count in sorted(every.items(), key=lambda item: (-item[1], item[0])):
        yield FacetValue(value, count, value in chosen)


def _position_after(bugs: Sequence[str], cursor: str) -> int:
    if not cursor:
        return 0
    try:
        return bugs.index(cursor) + 1
    except ValueError:
        hint = "Ask for the first page again."
        raise InvalidInput(f"the cursor '{cursor[:60]}' does not belong to this list.", hint=hint) from None


def _revision(roots: Sequence[Path]) -> str:
    """Names and times of the bug folders and ledgers: a folder changes when a bug enters or leaves it."""
    content = hashlib.sha256()
    for root in roots:
        for path in (root, *sorted(root.glob("*")), *sorted(root.glob("*/*")), *sorted(root.glob("*/*/bug.toml"))):
            try:
                content.update(f"{path} {path.stat().st_mtime_ns}\n".encode(errors="replace"))
            except OSError:
                continue
    return content.hexdigest()[:16]
