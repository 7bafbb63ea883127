"""``/ask``."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, File, Form, Request, UploadFile
from fastapi.responses import HTMLResponse

from bugloss.core.errors import BuglossError
from bugloss.show.web.access import catalogue_of, corpus_of
from bugloss.show.web.rendering import render

router = APIRouter()
EXAMPLES = (("crash", "A crash"), ("bad-performance", "A loss that does not fall"))


@router.get("/ask")
def show_ask(request: Request, bug: str = "", example: str = "") -> HTMLResponse:
    """An empty box, or one with the report of a bug."""
    entries = catalogue_of(request).entries
    entry = next((one for one in entries if one.id == bug or one.bug.labels.symptom.value == example), None)
    return render(
        request, "ask.html", text=entry.report if entry else "", view=None, problem="", hint="", examples=EXAMPLES
    )


@router.post("/ask")
def show_answer(
    request: Request, text: Annotated[str, Form()] = "", file: Annotated[UploadFile | None, File()] = None
) -> HTMLResponse:
    """What bugloss says of the text or of the file."""
    from bugloss.show.web.views.ask import LONGEST, answer

    if file is not None and file.filename:
        text = file.file.read(4 * LONGEST).decode("utf-8", errors="replace")
    text = text.replace("\r\n", "\n")  # as forms send lines
    view, problem, hint = None, "", ""
    try:
        if text.strip():
            view = answer(text, corpus_of(request))
        else:
            problem, hint = "There is nothing to answer yet.", "Paste a traceback, a program or a report."
    except BuglossError as error:
        problem, hint = error.message, error.hint
    status = 400 if problem else 200
    return render(
        request, "ask.html", status, text=text[:LONGEST], view=view, problem=problem, hint=hint, examples=EXAMPLES
    )
