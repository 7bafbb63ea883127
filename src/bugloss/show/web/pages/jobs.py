"""``/jobs``: the list, one job, and its end on request."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse, RedirectResponse

from bugloss.record.runs import all_runs
from bugloss.record.store.job import JobRecord, JobState
from bugloss.show.api.job_files import files_of
from bugloss.show.web.access import services_of
from bugloss.show.web.rendering import render
from bugloss.show.web.views.jobs import outcome_of, row_of, view_job

router = APIRouter()
_SHOWN_DEPTH = 1  # folders: deeper files, such as the recordings of an evaluation, are folded


@router.get("/jobs")
def show_jobs(request: Request, cursor: str = "") -> HTMLResponse:
    """All jobs, the latest first."""
    jobs = services_of(request).jobs.list(cursor=cursor, limit=50)
    more = jobs[-1].id if len(jobs) == 50 else ""
    rows = [(row_of(job), outcome_of(services_of(request).jobs, job)) for job in jobs]
    return render(request, "jobs.html", rows=rows, more=more)


@router.get("/jobs/{job_id}")
def show_job(request: Request, job_id: str) -> HTMLResponse:
    """One job; an investigation has a page of its own."""
    services = services_of(request)
    job = services.jobs.get(job_id)
    view = view_job(job, services.jobs.events(job_id), _links(request, job))
    files = files_of(services.jobs.folder(job)) if job.state.is_final else []
    deep = [file for file in files if file.path.count("/") > _SHOWN_DEPTH]
    return render(request, "job.html", view=view, files=[one for one in files if one not in deep], deep=deep)


@router.get("/jobs/{job_id}/result")
def show_result(request: Request, job_id: str) -> HTMLResponse:
    """What came out of a job, as a part of another page."""
    job = services_of(request).jobs.get(job_id)
    return render(request, "job_result.html", view=view_job(job, ()))


@router.post("/jobs/{job_id}/cancel")
def cancel_job(request: Request, job_id: str) -> RedirectResponse:
    """Asks for the end of a job."""
    services_of(request).jobs.cancel(job_id)
    return RedirectResponse(f"/jobs/{job_id}", status_code=303)


def _links(request: Request, job: JobRecord) -> list[tuple[str, str]]:
    """Other pages about what the job did."""
    links = [(f"/bugs/{bug}", f"The bug {bug}") for bug in _bugs(request, job)]
    if job.verb == "investigate":
        links.append((f"/cases/{job.id}", "The case"))
    if job.verb == "evaluate" and job.state is JobState.DONE:
        links.append((f"/bench/job-{job.id}", "The evaluation"))
    folder = services_of(request).jobs.folder(job)
    links += [(f"/runs/{job.id}/{run.id}", f"The run {run.id}") for run in all_runs(folder)]
    return links


def _bugs(request: Request, job: JobRecord) -> list[str]:
    named = [str(job.request.get("bug") or ""), *map(str, job.request.get("bugs") or ())]
    return [bug for bug in named if bug in services_of(request).corpus.state.entries]
