"""Jobs: start, watch, cancel."""

from __future__ import annotations

from fastapi import APIRouter
from starlette.responses import Response

from bugloss.record.store.job import JobRecord
from bugloss.show.api.answering import respond
from bugloss.show.api.jobs import requests
from bugloss.show.api.routes.access import TheServices

router = APIRouter(tags=["jobs"])


@router.post("/test", status_code=202)
def start_test(services: TheServices, request: requests.TestJob) -> Response:
    """Run the test of a bug on its buggy or its fixed program."""
    return accepted(services.jobs.submit(request))


@router.get("/jobs/{job}")
def get_job(services: TheServices, job: str) -> Response:
    """One job with its result."""
    return respond("job", job_document(services.jobs.get(job)))


def accepted(job: JobRecord) -> Response:
    return respond("job", job_document(job), 202, {"Location": f"/api/v1/jobs/{job.id}"})


def job_document(job: JobRecord) -> dict[str, object]:
    return {"job": job.id, "verb": job.verb, "subject": job.subject, "state": job.state, "result": job.result}
