"""``/submit``: new bugs, objections, and what reviewers decide."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.responses import HTMLResponse, RedirectResponse, Response

from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.record.store.contributions import ObjectionKind
from bugloss.record.store.job_queue import UnknownRecord
from bugloss.record.store.tokens import Role
from bugloss.show.api.security.caller import caller_of
from bugloss.show.web.access import services_of
from bugloss.show.web.rendering import render
from bugloss.show.web.views.submission import LABELS, files_of_form, form_choices, review_rows, rows_of

router = APIRouter()
_LONGEST_REASON = 10_000


@router.get("/submit")
def show_submit(request: Request, bug: str = "") -> HTMLResponse:
    """The forms, and what was sent in so far."""
    return _page(request, bug=bug)


@router.post("/submit")
async def submit_bug(
    request: Request, archive: Annotated[UploadFile | None, File()] = None, note: Annotated[str, Form()] = ""
) -> Response:
    """Takes a new bug in, as an archive or by the fields of the form."""
    services, caller = services_of(request), caller_of(request)
    form = {key: value for key, value in (await request.form()).items() if isinstance(value, str)}
    try:
        if archive is not None and archive.filename:
            content = await archive.read(services.settings.limits.upload_bytes + 1)
            offer = services.submissions.offer(content, note[:_LONGEST_REASON], caller.id)
        else:
            offer = services.submissions.offer_files(files_of_form(form), note[:_LONGEST_REASON], caller.id)
    except BuglossError as error:
        return _page(request, 400, problem=error.message, hint=error.hint, form=form)
    return RedirectResponse(f"/submit/{offer.id}", status_code=303)


@router.post("/submit/objection")
def send_objection(
    request: Request,
    bug: Annotated[str, Form()] = "",
    kind: Annotated[str, Form()] = "",
    reason: Annotated[str, Form()] = "",
    label: Annotated[str, Form()] = "",
    proposed: Annotated[str, Form()] = "",
) -> Response:
    """Asks for the removal of a bug or for another label."""
    services = services_of(request)
    try:
        chosen = ObjectionKind.REMOVAL if kind == "removal" else ObjectionKind.LABEL
        if len(reason.strip()) < 3:
            raise InvalidInput("a reviewer needs a reason.", hint="Say what is wrong, and how one can see it.")
        named = (label, proposed.strip()) if chosen is ObjectionKind.LABEL else ("", "")
        services.submissions.object(
            chosen, bug.strip(), reason.strip()[:_LONGEST_REASON], *named, caller_of(request).id
        )
    except BuglossError as error:
        return _page(request, 400, problem=error.message, hint=error.hint, bug=bug)
    return RedirectResponse("/submit#queue", status_code=303)


@router.get("/submit/{contribution}")
def show_submission(request: Request, contribution: str) -> HTMLResponse:
    """One submission or objection, with its problems and its reviews."""
    services = services_of(request)
    problems: tuple[tuple[str, str], ...] = ()
    job = ""
    try:
        offer = services.submissions.get(contribution)
        (row,), job = rows_of([offer], []), offer.job
        problems = tuple((str(one.get("file", "")), str(one.get("message", ""))) for one in offer.problems)
    except UnknownRecord:
        (row,) = rows_of([], [services.store.contributions.get_objection(contribution)])
    reviews = review_rows(services.store.contributions.reviews(contribution))
    may_review = caller_of(request).role.includes(Role.REVIEWER)
    return render(
        request, "submission.html", row=row, problems=problems, job=job, reviews=reviews, may_review=may_review
    )


@router.post("/submit/{contribution}/review")
def review(
    request: Request, contribution: str, decision: Annotated[str, Form()] = "", reason: Annotated[str, Form()] = ""
) -> RedirectResponse:
    """Accepts or rejects with a reason."""
    if decision not in {"accept", "reject"} or len(reason.strip()) < 3:
        raise InvalidInput("a decision needs a reason.", hint="Go back, and say why.")
    services_of(request).submissions.decide(
        contribution, decision == "accept", reason.strip()[:_LONGEST_REASON], caller_of(request).id
    )
    return RedirectResponse(f"/submit/{contribution}", status_code=303)


def _page(
    request: Request,
    status: int = 200,
    *,
    problem: str = "",
    hint: str = "",
    bug: str = "",
    form: dict[str, str] | None = None,
) -> HTMLResponse:
    services = services_of(request)
    found = services.store.contributions
    rows = rows_of(found.offers(limit=100), found.objections(limit=100))
    labels = {name: [(label.value, label.title) for label in facet] for name, facet in LABELS.items()}
    values = {"rows": rows, "choices": form_choices(), "labels": labels, "form": form or {}}
    runnable = services.settings.allow_run
    return render(request, "submit.html", status, **values, problem=problem, hint=hint, bug=bug[:80], runnable=runnable)
