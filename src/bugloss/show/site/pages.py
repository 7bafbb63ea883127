"""Every page of a static site: its address in the application and its text."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urlencode

from bugloss.core.bug import Twin
from bugloss.core.foreign_file import read_text
from bugloss.corpus.catalogue import FACETS, Catalogue, facet_values
from bugloss.corpus.entry import Entry
from bugloss.corpus.search import words_of
from bugloss.show.web.page_text import page_text
from bugloss.show.web.views.ask import check_program
from bugloss.show.web.views.bug import view_bug
from bugloss.show.web.views.explore import Asked, explore
from bugloss.show.web.views.health import view_health
from bugloss.show.web.views.rules import KINDS, RuleChoice, view_rules
from bugloss.show.web.views.studies import STUDIES, study_result, view_study
from bugloss.triage.transactions import ReproducedBugs

_SECTIONS = (("/explore", "Explore"), ("/studies", "Studies"), ("/health", "Health"))


def all_pages(catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    """Addresses and texts of all files that are made; those of the folder ``static`` are copied."""
    yield "/", _page("site_start.html", "/", health=view_health(catalogue.entries))
    yield "/explore", _explore(catalogue)
    yield "/health", _page("health.html", "/health", view=view_health(catalogue.entries))
    for entry in catalogue.entries:
        yield from _bug(entry, catalogue)
    yield from _rules()
    yield from _studies()


def _page(template: str, address: str, **values: object) -> str:
    return page_text(template, address, _SECTIONS, served=False, **values)


def _explore(catalogue: Catalogue) -> str:
    """All bugs on one page; its script filters them by the facets and words that the page holds."""
    view = explore(catalogue, Asked(size=max(len(catalogue), 1)))
    facts = [
        {
            "id": entry.id,
            "facets": {facet.name: list(facet_values(entry, facet.name)) for facet in FACETS},
            "words": " ".join(words_of(entry)),
        }
        for entry in catalogue.entries
    ]
    titles = {facet.name: facet.title for facet in FACETS}
    return _page("explore.html", "/explore", view=view, catalogue={"bugs": facts, "titles": titles})


def _bug(entry: Entry, catalogue: Catalogue) -> Iterator[tuple[str, str]]:
    name = entry.bug.entry
    checked = check_program(name, read_text(entry.own_program(Twin.BUGGY), name))
    for whole in (False, True):
        address = f"/bugs/{entry.id}" + ("?code=whole" if whole else "")
        view = view_bug(entry, catalogue, whole=whole)
        yield address, _page("bug.html", address, view=view, checked=checked)


def _rules() -> Iterator[tuple[str, str]]:
    kinds = [(name, title) for name, (title, _) in KINDS.items()]
    scopes = [scope.value for scope in ReproducedBugs]
    for kind, _ in kinds:
        for scope in ReproducedBugs:
            choice = RuleChoice(kind=kind, scope=scope)
            view = view_rules(choice)
            text = _page("studies.html", "/studies", view=view, studies=STUDIES, kinds=kinds, scopes=scopes)
            yield f"/studies?{urlencode({'kind': kind, 'scope': scope.value})}", text
            if choice == RuleChoice():
                yield "/studies", text


def _studies() -> Iterator[tuple[str, str]]:
    for study in STUDIES:
        address = f"/studies/{study.name}"
        view, result = view_study(study.name), study_result(study.name)
        assert view is not None and result is not None
        yield address, _page("study.html", address, view=view, studies=STUDIES)
        for table in result.tables:
            yield f"{address}/{table.name}.csv", table.as_csv
