"""Jobs: start, list, watch, cancel."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Header, Path, Query, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import Response, StreamingResponse

from bugloss.record.store.job import JobEventKind, JobState
from bugloss.show.api.answering import respond
from bugloss.show.api.job_files import content_of, files_of
from bugloss.show.api.jobs import requests
from bugloss.show.api.jobs.service import Jobs
from bugloss.show.api.routes.access import ERRORS, Cursor, Limit, RecordId, TheCaller, TheServices, document
from bugloss.show.api.routes.documents import accepted, event_document, job_document

router = APIRouter(tags=["jobs"])
_LOOK_SECONDS = 0.5
_ALIVE_SECONDS = 15.0  # a comment in an idle stream, so that proxies keep it open
_STARTED = document("job", 202, "The job that was queued; its address is in the header Location")


@router.post("/test", status_code=202, responses=_STARTED)
def start_test(services: TheServices, caller: TheCaller, request: requests.TestJob) -> Response:
    """Run the test of a bug on its buggy or its fixed program."""
    services.corpus.entry(request.bug)
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/verify", status_code=202, responses=_STARTED)
def start_verify(services: TheServices, caller: TheCaller, request: requests.VerifyJob) -> Response:
    """Run both programs of bugs several times; the outcome enters the history of the page Health."""
    for bug in request.bugs:
        services.corpus.entry(bug)
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/diagnose", status_code=202, responses=_STARTED)
def start_diagnose(services: TheServices, caller: TheCaller, request: requests.DiagnoseJob) -> Response:
    """Run a training, observed, and find what goes wrong in it and why."""
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/repair", status_code=202, responses=_STARTED)
def start_repair(services: TheServices, caller: TheCaller, request: requests.RepairJob) -> Response:
    """Find a patch for a program, and run it."""
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/grist", status_code=202, responses=_STARTED)
def start_grist(services: TheServices, caller: TheCaller, request: requests.GristJob) -> Response:
    """Search for inputs for which an operation of a program returns NaN or infinity."""
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/reproduce", status_code=202, responses=_STARTED)
def start_reproduce(services: TheServices, caller: TheCaller, request: requests.ReproduceJob) -> Response:
    """Turn a report into a script that shows the bug, and run it."""
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/investigate", status_code=202, responses=_STARTED)
def start_investigate(services: TheServices, caller: TheCaller, request: requests.InvestigateJob) -> Response:
    """Triage, reproduce and diagnose a report."""
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/localize", status_code=202, responses=_STARTED)
def start_localize(services: TheServices, caller: TheCaller, request: requests.LocalizeJob) -> Response:
    """Rank the files of a repository that the server was started with."""
    return accepted(services.jobs.submit(request, caller.id))


@router.post("/evaluate", status_code=202, responses=_STARTED)
def start_evaluate(services: TheServices, caller: TheCaller, request: requests.EvaluateJob) -> Response:
    """Score tools on bugs of the corpus."""
    for bug in request.bugs:
        services.corpus.entry(bug)
    return accepted(services.jobs.submit(request, caller.id))


@router.get("/jobs", responses=document("jobs"))
def list_jobs(
    services: TheServices,
    state: JobState | None = None,
    verb: Annotated[str, Query(max_length=32)] = "",
    cursor: Cursor = "",
    limit: Limit = 50,
) -> Response:
    """Jobs without their results, the latest first."""
    jobs = services.jobs.list(state=state, verb=verb, cursor=cursor, limit=limit)
    following = jobs[-1].id if len(jobs) == limit else None
    return respond("jobs", {"jobs": [job_document(job, brief=True) for job in jobs], "next": following})


@router.get("/jobs/{job}", responses=document("job"))
def get_job(services: TheServices, job: RecordId) -> Response:
    """One job; ``result`` is the document of its verb once it is done."""
    return respond("job", job_document(services.jobs.get(job)))


@router.delete("/jobs/{job}", responses=document("job"))
def cancel_job(services: TheServices, job: RecordId) -> Response:
    """Ask for the end of a job; one that is over stays as it is."""
    return respond("job", job_document(services.jobs.cancel(job)))


@router.get("/jobs/{job}/files", responses=document("files"))
def list_files(services: TheServices, job: RecordId) -> Response:
    """What a job wrote: the script and the page of a case, the patches of a repair, the answers of an evaluation."""
    return respond("files", {"files": files_of(services.jobs.folder(services.jobs.get(job)))})


@router.get(
    "/jobs/{job}/files/{path:path}",
    responses={200: {"description": "The file", "content": {"application/octet-stream": {}}}, **ERRORS},
    response_class=Response,
)
def get_file(services: TheServices, job: RecordId, path: Annotated[str, Path(max_length=400)]) -> Response:
    """One file of a job, to be saved."""
    content = content_of(services.jobs.folder(services.jobs.get(job)), path)
    name = re.sub(r"[^A-Za-z0-9._-]", "_", path.rsplit("/", 1)[-1])
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, headers=headers, media_type="application/octet-stream")


@router.get(
    "/jobs/{job}/events",
    responses={**document("error", 404, "There is no such job"), 200: {"content": {"text/event-stream": {}}}},
    response_class=StreamingResponse,
)
def stream_events(
    request: Request,
    services: TheServices,
    job: RecordId,
    last_event_id: Annotated[str, Header(max_length=20, pattern=r"^\d*$")] = "",
) -> Response:
    """What a job says, as server-sent events ``state`` and ``progress``; the stream ends with the job.

    A client that lost the connection sends the id of the last event that it got, and misses none.
    """
    services.jobs.get(job)
    after = int(last_event_id or 0)
    headers = {"Cache-Control": "no-store", "X-Accel-Buffering": "no"}
    return StreamingResponse(
        _events(request, services.jobs, job, after), media_type="text/event-stream", headers=headers
    )


async def _events(request: Request, jobs: Jobs, job: str, after: int) -> AsyncIterator[str]:
    idle = 0.0
    while not await request.is_disconnected():
        events = await run_in_threadpool(jobs.events, job, after)
        for event in events:
            after, idle = event.number, 0.0
            data = json.dumps(event_document(event), default=lambda value: value.value)
            yield f"id: {event.number}\nevent: {event.kind.value}\ndata: {data}\n\n"
            if event.kind is JobEventKind.STATE and JobState(event.text).is_final:
                return
        if not events:
            if after and (await run_in_threadpool(jobs.get, job)).state.is_final:
                return  # the client has seen the last event before
            await asyncio.sleep(_LOOK_SECONDS)
            idle += _LOOK_SECONDS
            if idle >= _ALIVE_SECONDS:
                idle = 0.0
                yield ": waiting\n\n"
