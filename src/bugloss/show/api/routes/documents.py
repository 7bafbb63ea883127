"""Records of the store as documents: times as ISO 8601 in UTC, a link to what belongs to them."""

from __future__ import annotations

from datetime import UTC, datetime

from starlette.responses import Response

from bugloss.core.codec import encode
from bugloss.record.store.contributions import Objection, Review, SubmittedBug
from bugloss.record.store.job import JobEvent, JobRecord
from bugloss.show.api.answering import respond

PREFIX = "/api/v1"


def moment(seconds: float | None) -> str | None:
    """Seconds since 1970 as ISO 8601."""
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC).isoformat(timespec="milliseconds")


def job_document(job: JobRecord, brief: bool = False) -> dict[str, object]:
    """A job; ``brief`` leaves out its request and its result."""
    whole = {} if brief else {"request": job.request, "result": job.result}
    return {
        "job": job.id,
        "verb": job.verb,
        "subject": job.subject,
        "state": job.state,
        "created_at": moment(job.created_at),
        "started_at": moment(job.started_at),
        "finished_at": moment(job.finished_at),
        "attempt": job.attempt,
        "cancelled": job.cancelled,
        "exit_code": job.exit_code,
        "error": job.error,
        "events": f"{PREFIX}/jobs/{job.id}/events",
        **whole,
    }


def event_document(event: JobEvent) -> dict[str, object]:
    return {"number": event.number, "at": moment(event.at), "kind": event.kind, "text": event.text}


def offer_document(offer: SubmittedBug, reviews: list[Review] | None = None) -> dict[str, object]:
    return {
        **encode(offer),
        "created_at": moment(offer.created_at),
        **({} if reviews is None else {"reviews": [review_document(review) for review in reviews]}),
    }


def objection_document(objection: Objection, reviews: list[Review] | None = None) -> dict[str, object]:
    return {
        **encode(objection),
        "created_at": moment(objection.created_at),
        **({} if reviews is None else {"reviews": [review_document(review) for review in reviews]}),
    }


def review_document(review: Review) -> dict[str, object]:
    return {**encode(review), "at": moment(review.at)}


def accepted(job: JobRecord) -> Response:
    """The answer to a request that started a job."""
    return respond("job", job_document(job), 202, {"Location": f"{PREFIX}/jobs/{job.id}"})
