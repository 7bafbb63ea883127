"""``/cases``: reports that were investigated here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import read_text
from bugloss.record.runs import all_runs
from bugloss.record.store.job import JobRecord
from bugloss.show.web.access import services_of
from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render
from bugloss.show.web.views.jobs import row_of, view_job

if TYPE_CHECKING:
    from bugloss.show.web.views.report import ReportView

router = APIRouter()
_VERB, _FOLDER, _SCRIPT = "investigate", "case", "repro.py"
_LONGEST_SCRIPT = 2_000_000


@router.get("/cases")
def show_cases(request: Request) -> HTMLResponse:
    """All investigations, the latest first, and the box that starts one."""
    services = services_of(request)
    rows = [row_of(job) for job in services.jobs.list(verb=_VERB, limit=100)]
    return render(request, "cases.html", rows=rows, runnable=services.settings.allow_run)


@router.post("/cases")
def start_case(request: Request, report: Annotated[str, Form()] = "") -> RedirectResponse:
    """Starts the investigation of a report or a program."""
    from bugloss.show.web.views.ask import is_program

    text = report.replace("\r\n", "\n").strip()
    if not text:
        raise InvalidInput("there is nothing to investigate.", hint="Paste a report or a program on the page Cases.")
    asked = {"source": text + "\n"} if is_program(text) else {"report": text + "\n"}
    job = services_of(request).jobs.submit_data(_VERB, asked)
    return RedirectResponse(f"/cases/{job.id}", status_code=303)


@router.get("/cases/{job_id}")
def show_case(request: Request, job_id: str) -> HTMLResponse:
    """A case: live while it is investigated, then with its reproduction, cause and patches."""
    from bugloss.show.case import read_case

    services = services_of(request)
    job = _job(request, job_id)
    view = read_case(services.jobs.folder(job) / _FOLDER) if job.state.is_final else None
    live = view_job(job, services.jobs.events(job_id))
    if view is None:
        runs = all_runs(services.jobs.folder(job))
        program = str(job.request.get("source") or "")
        return render(request, "case_live.html", live=live, report=_report(job), program=program, runs=runs)
    repairs = [_repair(request, one) for one in services.jobs.list(verb="repair", limit=100) if _is_of(one, job)]
    runnable = services.settings.allow_run
    return render(request, "case_page.html", view=view, live=live, repairs=repairs, runnable=runnable)


def _report(job: JobRecord) -> ReportView | None:
    """What is being investigated, with the facts that bugloss reads; None for a report that the job fetches itself."""
    from bugloss.show.web.views.report import view_report
    from bugloss.workflows.triage import read_pasted

    text = job.request.get("report")
    if not isinstance(text, str) or not text.strip():
        return None
    return view_report(read_pasted(text))


@router.post("/cases/{job_id}/repair")
def start_repair(request: Request, job_id: str) -> RedirectResponse:
    """Searches for a patch of the reproduction."""
    services = services_of(request)
    job = _job(request, job_id)
    folder = services.jobs.folder(job) / _FOLDER
    source = read_text(folder, _SCRIPT, _LONGEST_SCRIPT)
    services.jobs.submit_data("repair", {"source": source, "name": _name_of(job)})
    return RedirectResponse(f"/cases/{job_id}#repair", status_code=303)


def _name_of(job: JobRecord) -> str:
    """The program of a repair is named for its case, so that the case finds it."""
    return f"case-{job.id}.py"


def _is_of(repair: JobRecord, case: JobRecord) -> bool:
    return repair.request.get("name") == _name_of(case)


def _repair(request: Request, job: JobRecord) -> object:
    services = services_of(request)
    return view_job(services.jobs.get(job.id), services.jobs.events(job.id))


def _job(request: Request, job_id: str) -> JobRecord:
    job = services_of(request).jobs.get(job_id)
    if job.verb != _VERB:
        raise NoSuchPage(f"The job {job_id} is not an investigation.")
    return job
