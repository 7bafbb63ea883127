"""The bugs of a corpus, ready to be filtered: a set of bugs is an integer with one bit for each.

Filters of one facet widen the selection, those of different facets narrow it. The count beside a value says how many
bugs there would be with it: it takes all filters into account but those of its own facet.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from bugloss.core.bug import BugKind, Framework, OracleKind, OriginKind, Status
from bugloss.core.taxonomy import (
    BugType,
    Category,
    EditAction,
    FixPattern,
    GeneralType,
    Label,
    Origin,
    Property,
    SymptomType,
)
from bugloss.corpus.entry import Entry
from bugloss.corpus.search import SearchIndex
from bugloss.corpus.similarity import Similarities
from bugloss.corpus.where import parse, value_of


@dataclass(frozen=True, slots=True)
class Facet:
    """A property by which bugs are filtered; its name is that of queries."""

    name: str
    title: str
    labels: type[Label] | None = None
    words: Mapping[str, str] = field(default_factory=dict)

    def title_of(self, value: str) -> str:
        """A value in words."""
        if self.labels is not None:
            return self.labels(value).title
        return self.words.get(value, value)

    def definition_of(self, value: str) -> str:
        return self.labels(value).definition if self.labels is not None else ""


FACETS = (
    Facet(
        "framework",
        "Framework",
        words={
            Framework.TORCH.value: "PyTorch",
            Framework.KERAS.value: "Keras",
            Framework.TENSORFLOW.value: "TensorFlow",
        },
    ),
    Facet(
        "kind",
        "Kind",
        words={BugKind.REAL.value: "real", BugKind.SYNTHETIC.value: "synthetic: made by an operator"},
    ),
    Facet("category", "Category", Category),
    Facet("symptom", "Symptom", SymptomType),
    Facet("fix_pattern", "Fix pattern", FixPattern),
    Facet("general_type", "General type", GeneralType),
    Facet("bug_type", "Bug type", BugType),
    Facet("exception", "Exception"),
    Facet(
        "oracle",
        "Oracle",
        words={
            OracleKind.EXCEPTION.value: "exception",
            OracleKind.VALUE.value: "value",
            OracleKind.SYMPTOM.value: "symptom over seeds",
            OracleKind.COST.value: "time or memory",
        },
    ),
    Facet("property", "Violated property", Property),
    Facet("origin", "Origin", Origin),
    Facet("edit_actions", "Edit actions", EditAction),
    Facet("stack", "Stack"),
    Facet("python", "Python"),
    Facet(
        "source",
        "Reported on",
        words={
            OriginKind.STACK_OVERFLOW.value: "Stack Overflow",
            OriginKind.GITHUB_ISSUE.value: "GitHub issue",
            OriginKind.GITHUB_COMMIT.value: "GitHub commit",
            OriginKind.GITHUB_PULL.value: "GitHub pull request",
            OriginKind.MUTATION.value: "nowhere: made by an operator",
        },
    ),
    Facet("status", "Status", words={status.value: status.value for status in Status}),
)
FACETS_BY_NAME = {facet.name: facet for facet in FACETS}


@dataclass(frozen=True, slots=True)
class Filters:
    """What a selection asks for."""

    text: str = ""
    where: str = ""
    chosen: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SelectedBugs:
    """The bugs that pass, in the order of the catalogue or of relevance, and the counts of each facet."""

    entries: tuple[Entry, ...]
    counts: Mapping[str, Mapping[str, int]]
    ranked: bool = False
    any_word: bool = False  # no bug has all the words: these have some
    scores: Mapping[str, float] = field(default_factory=dict)  # how well bugs fit what was searched for


def facet_values(entry: Entry, name: str) -> Iterable[str]:
    """The values of a bug in one facet: one, several or none."""
    value = value_of(entry, name)
    return filter(None, map(str, value if isinstance(value, list) else (value,)))


class Catalogue:
    """The readable bugs of a corpus with an index of every facet; made once, asked often, from any thread."""

    def __init__(self, entries: Sequence[Entry], index: SearchIndex | None = None) -> None:
        self.entries = tuple(entries)
        self._index_of_words = index
        self.all = (1 << len(self.entries)) - 1
        self._places = {entry.id: place for place, entry in enumerate(self.entries)}
        self._sets = {facet.name: self._index(facet.name) for facet in FACETS}

    @cached_property
    def _search(self) -> SearchIndex:
        return self._index_of_words or SearchIndex(self.entries)

    @cached_property
    def similarities(self) -> Similarities:
        """How similar its bugs are."""
        return Similarities(self.entries)

    def __len__(self) -> int:
        return len(self.entries)

    def get(self, bug: str) -> Entry | None:
        place = self._places.get(bug)
        return None if place is None else self.entries[place]

    def select(self, filters: Filters) -> SelectedBugs:
        """The bugs that pass all filters; the sentence of a wrong query is raised."""
        scores, any_word = self._scores(filters.text)
        ranking = None if scores is None else [self._places[bug] for bug in scores]
        base = self.all if ranking is None else self._set_of(ranking)
        base &= self._where(filters.where)
        chosen = {name: self._union(name, values) for name, values in filters.chosen.items() if values}
        passing = base
        for members in chosen.values():
            passing &= members
        counts = {facet.name: self._counts(facet.name, base, chosen) for facet in FACETS}
        order = range(len(self.entries)) if ranking is None else ranking
        entries = tuple(self.entries[place] for place in order if passing >> place & 1)
        return SelectedBugs(entries, counts, ranking is not None, any_word, scores or {})

    def excerpts(self, text: str, entries: Sequence[Entry]) -> dict[str, str]:
        """For some bugs, the words around what was searched for; matched words are in «»."""
        return self._search.excerpts(text, [entry.id for entry in entries]) if text else {}

    def _index(self, name: str) -> dict[str, int]:
        sets: dict[str, int] = defaultdict(int)
        for place, entry in enumerate(self.entries):
            for value in facet_values(entry, name):
                sets[value] |= 1 << place
        return dict(sets)

    def _scores(self, text: str) -> tuple[Mapping[str, float] | None, bool]:
        """The bugs found, the best first; None where nothing is searched for."""
        if not text.strip():
            return None, False
        if (known := text.strip().lower()) in self._places:
            return {known: 1.0}, False
        all_words = self._search.scores(text, every_word=True)
        found = all_words or self._search.scores(text)
        return found, bool(found) and not all_words

    def _where(self, query: str) -> int:
        if not query.strip():
            return self.all
        test: Callable[[Entry], bool] = parse(query)
        return self._set_of(place for place, entry in enumerate(self.entries) if test(entry))

    def _union(self, name: str, values: Sequence[str]) -> int:
        members = 0
        for value in values:
            members |= self._sets[name].get(value, 0)
        return members

    def _counts(self, name: str, base: int, chosen: Mapping[str, int]) -> dict[str, int]:
        others = base
        for other, members in chosen.items():
            if other != name:
                others &= members
        return {value: (members & others).bit_count() for value, members in self._sets[name].items()}

    def _set_of(self, places: Sequence[int] | Iterator[int]) -> int:
        """One bit for each place; over bytes, because an integer is copied whenever a bit is added."""
        bits = bytearray(len(self.entries) // 8 + 1)
        for place in places:
            bits[place >> 3] |= 1 << (place & 7)
        return int.from_bytes(bits, "little")
