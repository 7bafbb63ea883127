"""New bugs, objections, and what reviewers decide."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, UploadFile
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.responses import Response

from bugloss.record.store.contributions import ContributionState, ObjectionKind
from bugloss.show.api.answering import respond
from bugloss.show.api.jobs.requests import BugName
from bugloss.show.api.routes.access import Cursor, Limit, RecordId, TheCaller, TheServices, document
from bugloss.show.api.routes.documents import objection_document, offer_document, review_document

router = APIRouter(tags=["contributions"])
_Reason = Annotated[str, StringConstraints(min_length=3, max_length=10_000, strip_whitespace=True)]


class ObjectionRequest(BaseModel):
    """Remove a bug, or change the label of one facet."""

    model_config = ConfigDict(extra="forbid")
    kind: ObjectionKind
    bug: BugName
    reason: _Reason
    label: Annotated[str, StringConstraints(max_length=32)] = ""
    proposed: Annotated[str, StringConstraints(max_length=80)] = ""


class ReviewRequest(BaseModel):
    """A decision with its reason."""

    model_config = ConfigDict(extra="forbid")
    accept: bool
    reason: _Reason


@router.post("/submissions", status_code=202, responses=document("submission", 202, "Taken in; its checks are queued"))
def submit_bug(
    services: TheServices,
    caller: TheCaller,
    archive: UploadFile,
    note: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    """Offer a new bug: the folder that ``bugloss new`` makes, as .zip or .tar.gz. It is linted, verified, reviewed."""
    content = archive.file.read(services.settings.limits.upload_bytes + 1)
    offer = services.submissions.offer(content, note, caller.id)
    return respond("submission", offer_document(offer), 202, {"Location": f"/api/v1/submissions/{offer.id}"})


@router.get("/submissions", responses=document("submissions"))
def list_submissions(
    services: TheServices, state: ContributionState | None = None, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Submissions, the latest first."""
    found = services.store.contributions.offers(state, cursor, limit)
    following = found[-1].id if len(found) == limit else None
    return respond("submissions", {"submissions": [offer_document(one) for one in found], "next": following})


@router.get("/submissions/{submission}", responses=document("submission"))
def get_submission(services: TheServices, submission: RecordId) -> Response:
    """One submission with its problems and reviews."""
    offer = services.submissions.get(submission)
    return respond("submission", offer_document(offer, list(services.store.contributions.reviews(submission))))


@router.post("/submissions/{submission}/review", responses=document("review"))
def review_submission(
    services: TheServices, caller: TheCaller, submission: RecordId, review: ReviewRequest
) -> Response:
    """Accept or reject a new bug. An accepted one is verified again and added to the corpus by a job."""
    services.store.contributions.get_offer(submission)
    decided = services.submissions.decide(submission, review.accept, review.reason, caller.id)
    return respond("review", review_document(decided))


@router.post("/objections", status_code=201, responses=document("objection", 201, "Taken in, open for review"))
def add_objection(services: TheServices, caller: TheCaller, request: ObjectionRequest) -> Response:
    """Ask for the removal of a bug, or contest one of its labels."""
    objection = services.submissions.object(
        request.kind, request.bug, request.reason, request.label, request.proposed, caller.id
    )
    return respond("objection", objection_document(objection), 201)


@router.get("/objections", responses=document("objections"))
def list_objections(
    services: TheServices, state: ContributionState | None = None, cursor: Cursor = "", limit: Limit = 50
) -> Response:
    """Objections, the latest first."""
    found = services.store.contributions.objections(state, cursor, limit)
    following = found[-1].id if len(found) == limit else None
    return respond("objections", {"objections": [objection_document(one) for one in found], "next": following})


@router.post("/objections/{objection}/review", responses=document("review"))
def review_objection(services: TheServices, caller: TheCaller, objection: RecordId, review: ReviewRequest) -> Response:
    """Accept or reject an objection. An accepted removal deprecates the bug; its id is never used again."""
    services.store.contributions.get_objection(objection)
    decided = services.submissions.decide(objection, review.accept, review.reason, caller.id)
    return respond("review", review_document(decided))
