"""Recorded runs, folders of results, and the history of verifications."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Path, Query
from starlette.responses import Response

from bugloss.core.codec import encode
from bugloss.record.store.result_index import ResultKind
from bugloss.show.api.answering import respond
from bugloss.show.api.routes.access import Cursor, Limit, TheServices, document
from bugloss.show.api.routes.documents import moment

router = APIRouter(tags=["results"])
_Key = Annotated[str, Query(pattern=r"^[0-9a-z-]{1,40}/[0-9a-z-]{1,40}$", examples=["here/20260101-120000"])]
_Name = Annotated[str, Path(pattern=r"^[0-9a-z-]{1,40}$")]


@router.get("/runs", responses=document("runs"))
def list_runs(services: TheServices, limit: Limit = 50) -> Response:
    """Recorded runs, the latest first; ``place`` is the job that recorded it, or ``here``."""
    runs = [{"place": place, **encode(summary)} for place, summary in services.runs.list(limit)]
    return respond("runs", {"runs": runs})


@router.get("/comparison", responses=document("comparison"))
def compare_two_runs(services: TheServices, first: _Key, second: _Key) -> Response:
    """Two runs side by side; each is named by its place and its id, such as ``here/20260101-120000``."""
    from bugloss.workflows.recorded_runs import compare_runs

    folders = [services.runs.find(*key.split("/")) for key in (first, second)]
    return respond("comparison", compare_runs(*folders).document())


@router.get("/runs/{place}/{run}", responses=document("run"))
def get_run(services: TheServices, place: _Name, run: _Name) -> Response:
    """One run: what was run, how it ended, symptoms and causes."""
    folder = services.runs.find(place, run)
    facts = {key: value for key, value in encode(folder.facts()).items() if key != "seal"}
    return respond("run", {"run": run, "place": place, "facts": facts, "diagnosis": folder.read("diagnosis.json")})


@router.get("/results", responses=document("results"))
def list_results(
    services: TheServices, kind: ResultKind = ResultKind.EVALUATION, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """What jobs left behind: cases, reproductions, evaluations."""
    found = services.results.list(kind, cursor, limit)
    rows = [
        {"id": one.id, "kind": one.kind, "title": one.title, "job": one.job, "created_at": moment(one.created_at)}
        for one in found
    ]
    return respond("results", {"results": rows, "next": found[-1].id if len(found) == limit else None})


@router.get("/verifications", responses=document("verifications"))
def list_verifications(
    services: TheServices,
    bug: Annotated[str, Query(max_length=40, pattern=r"^[a-z0-9-]*$")] = "",
    limit: Annotated[int, Query(ge=1, le=1000)] = 200,
) -> Response:
    """How bugs stood in the verifications that this server ran, the latest first."""
    found = services.store.verifications.list(bug, limit=limit)
    return respond("verifications", {"bugs": [{**encode(one), "at": moment(one.at)} for one in found]})
