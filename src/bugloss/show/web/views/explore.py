"""The page *Explore*: filters with counts, the bugs that pass, and the address of every other selection."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlencode

from bugloss.core.errors import InvalidInput
from bugloss.corpus.catalogue import FACETS, FACETS_BY_NAME, Catalogue, Facet, Filters, SelectedBugs
from bugloss.corpus.entry import Entry

PAGE_SIZES = (25, 50, 100)
_SHORT_LIST = 6  # values of a facet that are shown at once
_LONGEST_TEXT = 400
_OPEN = frozenset({"framework", "category", "symptom", "fix_pattern"})

SORTS: Mapping[str, tuple[str, Callable[[Entry], tuple[object, ...]]]] = {
    "relevance": ("best match", lambda entry: ()),
    "id": ("id", lambda entry: (entry.id,)),
    "title": ("title", lambda entry: (entry.bug.title.lower(),)),
    "category": ("category", lambda entry: (entry.bug.labels.category.value, entry.id)),
    "seconds": ("duration", lambda entry: (entry.bug.seconds, entry.id)),
    "verified": ("last verified", lambda entry: (entry.verified.date if entry.verified else "", entry.id)),
}


@dataclass(frozen=True, slots=True)
class Asked:
    """What the address of the page says."""

    filters: Filters = field(default_factory=Filters)
    sort: str = ""
    descending: bool = False
    page: int = 1
    size: int = PAGE_SIZES[0]

    def address(self, **changes: object) -> str:
        """The address of the same selection with some things changed; a change of filters goes back to page 1."""
        chosen = changes.get("chosen", self.filters.chosen)
        assert isinstance(chosen, Mapping)
        pairs: list[tuple[str, object]] = [
            ("q", changes.get("text", self.filters.text)),
            ("where", changes.get("where", self.filters.where)),
            *((name, value) for name, values in chosen.items() for value in values),
            ("sort", changes.get("sort", self.sort)),
            ("desc", "1" if changes.get("descending", self.descending) else ""),
            ("size", changes.get("size", self.size) if changes.get("size", self.size) != PAGE_SIZES[0] else ""),
            ("page", changes.get("page", 1)),
        ]
        kept = [(name, value) for name, value in pairs if value and not (name == "page" and value == 1)]
        return "/explore" + (f"?{urlencode(kept)}" if kept else "")


@dataclass(frozen=True, slots=True)
class FacetChoice:
    """A value that can be chosen, and how many bugs there would be."""

    value: str
    title: str
    definition: str
    count: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class FacetView:
    """A facet as a group of check boxes; ``more`` are its rarer values."""

    name: str
    title: str
    values: tuple[FacetChoice, ...]
    more: tuple[FacetChoice, ...]
    open: bool


@dataclass(frozen=True, slots=True)
class Active:
    """A filter that is in force, and the address without it."""

    title: str
    value: str
    address: str


@dataclass(frozen=True, slots=True)
class BugRow:
    """A bug in the list."""

    id: str
    title: str
    framework: str
    category: str
    symptom: str
    fix_pattern: str
    exception: str
    status: str
    standing: str
    verified: str
    seconds: str
    excerpt: tuple[tuple[bool, str], ...]  # whether it was searched for, and the words


@dataclass(frozen=True, slots=True)
class SortView:
    """An order, and the address of the list in it."""

    name: str
    title: str
    address: str
    chosen: bool
    descending: bool


@dataclass(frozen=True, slots=True)
class ExploreView:
    """The whole page."""

    asked: Asked
    facets: tuple[FacetView, ...]
    active: tuple[Active, ...]
    rows: tuple[BugRow, ...]
    total: int
    of: int
    first: int
    pages: tuple[tuple[int, str], ...]  # numbers and addresses; 0 is a gap
    page: int
    before: str
    after: str
    sorts: tuple[SortView, ...]
    any_word: bool
    problem: str
    hint: str


def read_asked(pairs: Iterable[tuple[str, str]]) -> Asked:
    """What an address asks for; what it says wrongly is left out, because addresses are typed and cut."""
    given: dict[str, list[str]] = {}
    for name, value in pairs:
        given.setdefault(name, []).append(value[:_LONGEST_TEXT])
    one = {name: values[-1] for name, values in given.items()}
    chosen = {facet.name: tuple(dict.fromkeys(given[facet.name])) for facet in FACETS if facet.name in given}
    sort = one.get("sort", "")
    return Asked(
        Filters(one.get("q", "").strip(), one.get("where", "").strip(), chosen),
        sort if sort in SORTS else "",
        one.get("desc") == "1",
        max(_number(one.get("page", ""), 1), 1),
        size if (size := _number(one.get("size", ""), 0)) in PAGE_SIZES else PAGE_SIZES[0],
    )


def _number(text: str, default: int) -> int:
    return int(text) if text.isdecimal() and len(text) < 8 else default


def explore(catalogue: Catalogue, asked: Asked) -> ExploreView:
    """The page for what was asked."""
    problem, hint = "", ""
    try:
        selection = catalogue.select(asked.filters)
    except InvalidInput as error:
        problem, hint = error.message, error.hint
        selection = SelectedBugs((), catalogue.select(Filters(asked.filters.text)).counts)
    entries = _sorted(selection, asked)
    last = max(-(-len(entries) // asked.size), 1)
    page = min(asked.page, last)
    shown = entries[(page - 1) * asked.size : page * asked.size]
    excerpts = catalogue.excerpts(asked.filters.text, shown)
    return ExploreView(
        asked,
        tuple(_facet(facet, selection.counts[facet.name], asked) for facet in FACETS),
        tuple(_active(asked)),
        tuple(_row(entry, excerpts.get(entry.id, "")) for entry in shown),
        len(entries),
        len(catalogue),
        (page - 1) * asked.size + 1,
        tuple((number, asked.address(page=number) if number else "") for number in _numbers(page, last)),
        page,
        asked.address(page=page - 1) if page > 1 else "",
        asked.address(page=page + 1) if page < last else "",
        tuple(_sorts(asked, selection.ranked)),
        selection.any_word,
        problem,
        hint,
    )


def _sorted(selection: SelectedBugs, asked: Asked) -> Sequence[Entry]:
    name = asked.sort or ("relevance" if selection.ranked else "id")
    if name == "relevance":
        return selection.entries
    return sorted(selection.entries, key=SORTS[name][1], reverse=asked.descending)


def _sorts(asked: Asked, ranked: bool) -> Iterator[SortView]:
    current = asked.sort or ("relevance" if ranked else "id")
    for name, (title, _) in SORTS.items():
        if name == "relevance" and not ranked:
            continue
        turned = name == current and not asked.descending and name != "relevance"
        yield SortView(name, title, asked.address(sort=name, descending=turned), name == current, asked.descending)


def _facet(facet: Facet, counts: Mapping[str, int], asked: Asked) -> FacetView:
    chosen = asked.filters.chosen.get(facet.name, ())
    known = [value for value in counts if counts[value] or value in chosen]
    ordered = sorted(known, key=lambda value: (value not in chosen, -counts[value], value))
    values = [
        FacetChoice(value, facet.title_of(value), facet.definition_of(value), counts[value], value in chosen)
        for value in ordered
    ]
    cut = max(_SHORT_LIST, len([value for value in known if value in chosen]))
    cut = len(values) if len(values) <= cut + 1 else cut
    opened = facet.name in _OPEN or bool(chosen)
    return FacetView(facet.name, facet.title, tuple(values[:cut]), tuple(values[cut:]), opened)


def _active(asked: Asked) -> Iterator[Active]:
    filters = asked.filters
    if filters.text:
        yield Active("Text", filters.text, asked.address(text=""))
    if filters.where:
        yield Active("Query", filters.where, asked.address(where=""))
    for name, values in filters.chosen.items():
        facet = FACETS_BY_NAME[name]
        for value in values:
            rest = {**filters.chosen, name: tuple(one for one in values if one != value)}
            yield Active(facet.title, _title(facet, value), asked.address(chosen=rest))


def _title(facet: Facet, value: str) -> str:
    try:
        return facet.title_of(value)
    except ValueError:  # an address can name anything
        return value


def _row(entry: Entry, excerpt: str) -> BugRow:
    bug, labels = entry.bug, entry.bug.labels
    return BugRow(
        bug.id,
        bug.title,
        FACETS_BY_NAME["framework"].title_of(bug.framework.value),
        labels.category.title,
        labels.symptom.title,
        labels.fix_pattern.title,
        bug.oracle.exception.rsplit(".", 1)[-1],
        entry.status.value,
        entry.verified.standing if entry.verified else "",
        entry.verified.date if entry.verified else "",
        f"{bug.seconds:g} s",
        tuple(marked(excerpt)),
    )


def marked(excerpt: str) -> Iterator[tuple[bool, str]]:
    """An excerpt in pieces: those between «» were searched for."""
    first, *others = excerpt.split("«")
    pieces = [(False, first)]
    for part in others:
        hit, closing, rest = part.partition("»")
        pieces += [(bool(closing), hit), (False, rest)]
    return ((is_hit, text) for is_hit, text in pieces if text)


def _numbers(page: int, last: int) -> Iterator[int]:
    """First, last and those around the page; 0 where some are left out."""
    wanted = sorted({1, last, *range(max(page - 2, 1), min(page + 2, last) + 1)})
    for index, number in enumerate(wanted):
        if index and number - wanted[index - 1] > 1:
            yield 0
        yield number
