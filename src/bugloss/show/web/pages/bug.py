"""``/bugs/ID``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, JSONResponse, RedirectResponse, Response

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.corpus.entry import Entry
from bugloss.record.store.job import JobRecord
from bugloss.show.web.access import catalogue_of, services_of
from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render
from bugloss.show.web.views.bug_actions import actions_of
from bugloss.show.web.views.jobs import outcome_of, row_of

if TYPE_CHECKING:
    from bugloss.show.web.views.ask import CheckedProgram

router = APIRouter()
_MOST_LOOKED_AT = 200  # jobs among which those of a bug are searched
_MOST_SHOWN = 8


@router.get("/bugs/{bug}")
def show_bug(request: Request, bug: str, code: str = "", tool: str = "") -> HTMLResponse:
    """A bug of the corpus."""
    from bugloss.show.web.views.bug import view_bug

    entry, services = _entry(request, bug), services_of(request)
    about = [job for job in services.jobs.list(limit=_MOST_LOOKED_AT) if _is_about(job, entry)][:_MOST_SHOWN]
    jobs = [(row_of(job), outcome_of(services.jobs, job)) for job in about]
    return render(
        request,
        "bug.html",
        view=view_bug(entry, catalogue_of(request), whole=code == "whole"),
        actions=actions_of(entry),
        checked=_check(entry) if tool == "check" else None,
        runnable=services.settings.allow_run,
        jobs=jobs,
        results=_results(request, entry.id),
    )


@router.post("/bugs/{bug}/jobs")
def start_job(request: Request, bug: str, action: Annotated[str, Form()] = "") -> Response:
    """Starts what a button of the page says."""
    entry = _entry(request, bug)
    chosen = next((one for one in actions_of(entry) if one.name == action), None)
    if chosen is None or chosen.refusal:
        why = chosen.refusal if chosen else "there is no such button"
        raise InvalidInput(f"'{action[:40]}' cannot be run on {entry.id}: {why}.")
    job = services_of(request).jobs.submit_data(chosen.verb, chosen.request)
    if "application/json" in request.headers.get("accept", ""):
        return JSONResponse({"job": job.id}, 202)
    return RedirectResponse(f"/jobs/{job.id}", status_code=303)


def _results(request: Request, bug: str) -> list[tuple[str, str, str, str]]:
    """What the tools of evaluations said of a bug."""
    from bugloss.show.web.pages.bench import evaluations_of

    if not (folders := evaluations_of(request)):
        return []
    from bugloss.show.web.views.bench import results_of_bug

    return results_of_bug(folders, bug)


def _entry(request: Request, bug: str) -> Entry:
    entry = catalogue_of(request).get(bug)
    if entry is None:
        raise NoSuchPage(f"There is no bug '{bug}'.")
    return entry


def _check(entry: Entry) -> CheckedProgram:
    from bugloss.show.web.views.ask import check_program

    name = entry.bug.entry
    return check_program(name, read_text(entry.own_program(Twin.BUGGY), name))


def _is_about(job: JobRecord, entry: Entry) -> bool:
    named = (job.request.get("bug"), *(job.request.get("bugs") or ()))
    return entry.id in named or job.request.get("report") == entry.report
