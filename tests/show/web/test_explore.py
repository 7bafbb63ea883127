"""Explore: filters that combine, search, sorting, and addresses that hold the state."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from urllib.parse import parse_qsl, urlsplit

import pytest

from bugloss.corpus.catalogue import FACETS, Catalogue, Filters
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.show.web.views.explore import Asked, ExploreView, explore, marked, read_asked


@cache
def entries() -> Sequence[Entry]:
    return load().readable()[0]


@cache
def catalogue() -> Catalogue:
    return Catalogue(entries())


def view(query: str = "") -> ExploreView:
    return explore(catalogue(), read_asked(parse_qsl(query)))


def test_everything_is_shown_where_nothing_is_asked() -> None:
    shown = view()
    assert shown.total == shown.of == len(entries())
    assert [row.id for row in shown.rows] == [entry.id for entry in entries()[:25]]


def test_values_of_one_facet_widen_and_facets_narrow() -> None:
    wide = view("framework=torch&framework=keras")
    assert wide.total == sum(entry.bug.framework.value in {"torch", "keras"} for entry in entries())
    narrow = view("framework=torch&framework=keras&symptom=crash")
    assert 0 < narrow.total < wide.total
    by_hand = [
        entry.id
        for entry in entries()
        if entry.bug.framework.value in {"torch", "keras"} and entry.bug.labels.symptom.value == "crash"
    ]
    assert narrow.total == len(by_hand)


@pytest.mark.parametrize("query", ["", "framework=torch", "framework=torch&symptom=crash&category=tensor", "q=loss"])
def test_a_count_is_what_choosing_the_value_gives(query: str) -> None:
    shown = view(query)
    for facet in shown.facets:
        for one in (*facet.values, *facet.more):
            chosen = {**shown.asked.filters.chosen, facet.name: (one.value,)}
            found = catalogue().select(replace(shown.asked.filters, chosen=chosen))
            assert len(found.entries) == one.count, (facet.name, one.value)


def test_the_address_of_a_selection_reads_as_that_selection() -> None:
    asked = read_asked(parse_qsl("q=loss+nan&where=seconds<9&framework=torch&framework=keras&sort=title&desc=1&page=3"))
    assert read_asked(parse_qsl(urlsplit(asked.address(page=3)).query)) == asked


def test_a_filter_in_force_can_be_taken_off() -> None:
    shown = view("q=loss&framework=torch&symptom=crash")
    assert {one.title for one in shown.active} == {"Text", "Framework", "Symptom"}
    without = next(one for one in shown.active if one.title == "Framework")
    assert "framework" not in without.address and "symptom=crash" in without.address


def test_words_are_found_in_reports_and_marked() -> None:
    shown = view("q=loss+nan")
    assert shown.total > 0 and shown.sorts[0].name == "relevance" and shown.sorts[0].chosen
    assert any(hit for row in shown.rows for hit, _ in row.excerpt)


def test_where_no_bug_has_all_words_those_with_some_are_shown() -> None:
    shown = view("q=softmax+zebrafishes")
    assert shown.any_word and shown.total > 0


def test_an_id_finds_its_bug_alone() -> None:
    assert [row.id for row in view("q=torch-0003").rows] == ["torch-0003"]


def test_a_wrong_query_is_explained_and_shows_nothing() -> None:
    shown = view("where=categori=tensor")
    assert "categori" in shown.problem and shown.total == 0


@pytest.mark.parametrize(
    "query",
    ["page=99999999999", "page=-1", "size=7", "sort=nonsense", "framework=cobol", "q=%00%22*", "desc=maybe", "page=²"],
)
def test_what_an_address_says_wrongly_does_no_harm(query: str) -> None:
    shown = view(query)
    assert shown.page >= 1 and not shown.problem


def test_lists_are_cut_into_pages() -> None:
    first, second = view("size=50"), view("size=50&page=2")
    assert len(first.rows) == 50 and first.after and not first.before
    assert {row.id for row in first.rows}.isdisjoint(row.id for row in second.rows)


def test_sorting_can_be_turned() -> None:
    up, down = view("sort=seconds"), view("sort=seconds&desc=1")
    assert [row.seconds for row in up.rows] != [row.seconds for row in down.rows]
    assert float(up.rows[0].seconds.split()[0]) <= float(down.rows[0].seconds.split()[0])


def test_marks_that_do_not_close_are_only_characters() -> None:
    assert list(marked("a «b» c")) == [(False, "a "), (True, "b"), (False, " c")]
    assert list(marked("«b")) == [(False, "b")]


def test_five_thousand_bugs_are_filtered_and_searched_within_the_time_of_a_page() -> None:
    """150 ms for the whole page on the server: the selection must leave most of it to the template and the network."""
    chance = random.Random(0)
    many = [
        replace(entry, bug=replace(entry.bug, id=f"torch-{number:04d}", labels=chance.choice(entries()).bug.labels))
        for number, entry in ((number, entries()[number % len(entries())]) for number in range(5000))
    ]
    large = Catalogue(many)
    for query in ("", "framework=torch&symptom=crash", "where=seconds<6", "q=loss", "q=loss+nan&category=training"):
        asked = read_asked(parse_qsl(query))
        explore(large, asked)  # the index of words is made once
        started = time.perf_counter()
        shown = explore(large, asked)
        assert time.perf_counter() - started < 0.15, query
        assert shown.of == 5000 and shown.total > 25


def test_every_facet_is_a_field_of_queries() -> None:
    for facet in FACETS:
        value = next(iter(catalogue().select(Filters()).counts[facet.name]))
        found = catalogue().select(Filters(where=f'{facet.name}="{value}"'))
        assert len(found.entries) == catalogue().select(Filters()).counts[facet.name][value]


def test_an_empty_corpus_has_a_page() -> None:
    shown = explore(Catalogue(()), Asked())
    assert shown.total == 0 and shown.rows == ()
