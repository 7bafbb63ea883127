"""Bugs of the corpus: lists with facets, single bugs, their fixes and similar ones."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bugloss.show.api.answering import respond
from bugloss.show.api.corpus_view import FACETS, ExploreQuery
from bugloss.show.api.jobs.requests import BugName
from bugloss.show.api.routes.access import TheServices

router = APIRouter(tags=["bugs"])
_Limit = Annotated[int, Query(ge=1, le=200)]


@router.get("/bugs")
def list_bugs(
    request: Request,
    services: TheServices,
    where: Annotated[str, Query(max_length=1_000)] = "",
    text: Annotated[str, Query(max_length=1_000)] = "",
    cursor: Annotated[str, Query(max_length=80)] = "",
    limit: _Limit = 50,
) -> Response:
    """Bugs with the counts of every facet. Facets are parameters too: ``framework=torch&framework=keras``."""
    chosen = {name: tuple(values) for name in FACETS if (values := request.query_params.getlist(name))}
    page = services.corpus.explore(ExploreQuery(where, text, chosen, cursor, limit))
    facets = {
        name: [{"value": one.value, "count": one.count, "chosen": one.chosen} for one in values]
        for name, values in page.facets.items()
    }
    bugs = [{**one.fields, **({"score": one.score, "excerpt": one.excerpt} if text else {})} for one in page.bugs]
    return respond("bugs", {"bugs": bugs, "total": page.total, "facets": facets, "next": page.next_cursor or None})


@router.get("/bugs/{bug}")
def get_bug(services: TheServices, bug: BugName) -> Response:
    """One bug: labels, report, fix, stability."""
    return respond("bug", services.corpus.details(bug))


@router.get("/bugs/{bug}/diff")
def get_diff(services: TheServices, bug: BugName) -> Response:
    """The fix of a bug as a unified diff."""
    return respond("diff", {"bug": bug, "diff": services.corpus.entry(bug).diff()})


@router.get("/bugs/{bug}/similar")
def list_similar(services: TheServices, bug: BugName, limit: _Limit = 5) -> Response:
    """The bugs that are most similar to one, with the labels they share."""
    hits = services.corpus.similar(bug, limit)
    return respond("hits", {"hits": [{"bug": hit.bug, "score": hit.score, "excerpt": hit.excerpt} for hit in hits]})
