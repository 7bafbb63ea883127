"""The corpus as a server shows it: read once, filtered and counted from memory, read again when its folders change."""

from __future__ import annotations

import hashlib
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from bugloss.core.errors import InvalidInput
from bugloss.core.suggestion import did_you_mean
from bugloss.corpus.catalogue import Catalogue
from bugloss.corpus.collection import Corpus, UnknownBug, load
from bugloss.corpus.entry import Entry
from bugloss.corpus.search import SearchHit, SearchIndex
from bugloss.corpus.similarity import similar
from bugloss.corpus.where import FIELDS, parse, value_of
from bugloss.workflows.forecast import forecast

FACETS = (
    *("framework", "category", "bug_type", "general_type", "symptom", "property", "fix_pattern", "origin"),
    *("edit_actions", "oracle", "status", "stack", "python", "source"),
)
_LOOK_AGAIN_SECONDS = 1.0  # how long a change of the corpus may go unseen
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
        self.fields = {entry.id: {name: value_of(entry, name) for name in FIELDS} for entry in self.entries.values()}

    @cached_property
    def index(self) -> SearchIndex:
        return SearchIndex(list(self.entries.values()))

    @cached_property
    def catalogue(self) -> Catalogue:
        """The bugs as the pages filter them."""
        return Catalogue(tuple(self.entries.values()), self.index)

    def explore(self, query: ExploreQuery) -> ExplorePage:
        """The bugs that a query selects, with the counts of every facet."""
        scores = self.index.scores(query.text) if query.text.strip() else None
        found = self._matching(query.where, scores)
        masks = {facet: self._having(found, facet, values) for facet, values in _checked(query.chosen).items()}
        listed = [bug for bug in found if all(bug in mask for mask in masks.values())]
        start = _position_after(listed, query.cursor)
        page = listed[start : start + query.limit]
        excerpts = self.index.excerpts(query.text, page) if scores is not None else {}
        listings = (
            BugListing(bug, self.fields[bug], scores[bug] if scores else None, excerpts.get(bug, "")) for bug in page
        )
        more = start + len(page) < len(listed)
        facets = {facet: self._count(found, masks, facet, query.chosen.get(facet, ())) for facet in FACETS}
        return ExplorePage(tuple(listings), len(listed), facets, page[-1] if more and page else "")

    def _matching(self, where: str, scores: Mapping[str, float] | None) -> list[str]:
        bugs: Iterable[str] = self.entries if scores is None else (bug for bug in scores if bug in self.entries)
        if not where.strip():
            return list(bugs)
        test = parse(where)
        return [bug for bug in bugs if test(self.entries[bug])]

    def _having(self, bugs: Iterable[str], facet: str, values: tuple[str, ...]) -> set[str]:
        wanted = set(values)
        return {bug for bug in bugs if wanted.intersection(_values(self.fields[bug][facet]))}

    def _count(
        self, found: Sequence[str], masks: Mapping[str, set[str]], facet: str, chosen: tuple[str, ...]
    ) -> tuple[FacetValue, ...]:
        """A facet is counted over the bugs that the other facets let through: its values are alternatives."""
        others = [mask for name, mask in masks.items() if name != facet]
        counts: Counter[str] = Counter(dict.fromkeys(chosen, 0))
        for bug in found:
            if all(bug in mask for mask in others):
                counts.update(_values(self.fields[bug][facet]))
        ordered = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        return tuple(FacetValue(value, count, value in chosen) for value, count in ordered)


class CorpusView:
    """What routes and pages ask about bugs."""

    def __init__(self, roots: Sequence[Path], clock: Callable[[], float] = time.monotonic) -> None:
        self._roots = tuple(roots)
        self._clock = clock
        self._lock = threading.Lock()
        self._state: CorpusState | None = None
        self._look_at = 0.0

    @property
    def state(self) -> CorpusState:
        """The present state; the folders are looked at again after a second."""
        with self._lock:
            now = self._clock()
            if self._state is None or now >= self._look_at:
                revision = _revision(self._roots)
                self._look_at = self._clock() + max(_LOOK_AGAIN_SECONDS, _SHARE * (self._clock() - now))
                if self._state is None or self._state.revision != revision:
                    self._state = CorpusState([load(root) for root in self._roots], revision)
            return self._state

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
        return {**self.state.fields[entry.id], **facts, **more, "digest": entry.digest()}

    def explore(self, query: ExploreQuery) -> ExplorePage:
        """The bugs that a query selects, with the counts of every facet."""
        return self.state.explore(query)

    def similar(self, bug: str, limit: int = 5) -> list[SearchHit]:
        """The bugs most similar to one, with the labels they share."""
        return similar(self.entry(bug), list(self.state.entries.values()), limit)


def _checked(chosen: Mapping[str, tuple[str, ...]]) -> dict[str, tuple[str, ...]]:
    for facet in chosen:
        if facet not in FACETS:
            hint = did_you_mean(facet, FACETS) or f"Known: {', '.join(FACETS)}."
            raise InvalidInput(f"there is no facet '{facet[:60]}'.", hint=hint)
    return {facet: values for facet, values in chosen.items() if values}


def _values(value: object) -> Iterable[str]:
    return map(str, value) if isinstance(value, list) else (str(value),)


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
