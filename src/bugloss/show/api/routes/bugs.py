"""Bugs of the corpus: lists with facets, single bugs, their fixes and similar ones."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from typing import Annotated

from fastapi import APIRouter, Query, Request
from starlette.responses import Response

from bugloss.corpus.catalogue import FACETS
from bugloss.show.api.answering import respond
from bugloss.show.api.corpus_view import ExploreQuery
from bugloss.show.api.jobs.requests import BugName
from bugloss.show.api.routes.access import Cursor, Limit, TheServices, document

router = APIRouter(tags=["bugs"])
_MOST_CHOSEN = 200


@router.get("/bugs", responses=document("bugs"))
def list_bugs(
    request: Request,
    services: TheServices,
    where: Annotated[str, Query(max_length=1_000, examples=["category=tensor and framework=torch"])] = "",
    text: Annotated[str, Query(max_length=1_000)] = "",
    cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:
    """Bugs with the counts of every facet. Facets are parameters too: ``framework=torch&framework=keras``."""
    values = request.query_params
    chosen = {one.name: tuple(found[:_MOST_CHOSEN]) for one in FACETS if (found := values.getlist(one.name))}
    query = ExploreQuery(where, text, chosen, cursor, limit)

    def answer() -> Mapping[str, object]:
        page = services.corpus.explore(query)
        bugs = [{**one.fields, **({"score": one.score, "excerpt": one.excerpt} if text else {})} for one in page.bugs]
        return {"bugs": bugs, "total": page.total, "facets": page.facets, "next": page.next_cursor or None}

    return _unless_known(request, services.corpus.revision, "bugs", answer)


@router.get("/bugs/{bug}", responses=document("bug"))
def get_bug(request: Request, services: TheServices, bug: BugName) -> Response:
    """One bug: labels, report, fix, stability."""
    services.corpus.entry(bug)
    return _unless_known(request, services.corpus.revision, "bug", lambda: services.corpus.details(bug))


@router.get("/bugs/{bug}/diff", responses=document("diff"))
def get_diff(request: Request, services: TheServices, bug: BugName) -> Response:
    """The fix of a bug as a unified diff."""
    entry = services.corpus.entry(bug)
    revision = services.corpus.revision
    return _unless_known(request, revision, "diff", lambda: {"bug": entry.id, "diff": entry.diff()})


@router.get("/bugs/{bug}/similar", responses=document("hits"))
def list_similar(request: Request, services: TheServices, bug: BugName, limit: Limit = 5) -> Response:
    """The bugs that are most similar to one, with the labels they share."""
    services.corpus.entry(bug)
    revision = services.corpus.revision
    return _unless_known(request, revision, "hits", lambda: {"hits": services.corpus.similar(bug, limit)})


def _unless_known(request: Request, revision: str, name: str, answer: Callable[[], Mapping[str, object]]) -> Response:
    """The document with its ETag, or 304 if the client has it: it changes with the corpus and the address alone."""
    address = hashlib.sha256(f"{request.url.path}?{request.url.query}".encode(errors="replace")).hexdigest()[:16]
    tag = f'W/"{revision}-{address}"'
    known = [part.strip() for part in request.headers.get("if-none-match", "").split(",")]
    if tag in known:
        return Response(status_code=304, headers={"ETag": tag})
    return respond(name, answer(), headers={"ETag": tag})
