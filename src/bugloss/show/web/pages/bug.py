"""``/bugs/ID``."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.access import catalogue_of
from bugloss.show.web.errors import NoSuchPage
from bugloss.show.web.rendering import render
from bugloss.show.web.views.bug import view_bug
from bugloss.show.web.views.bug_actions import actions_of

router = APIRouter()


@router.get("/bugs/{bug}")
def show_bug(request: Request, bug: str, code: str = "") -> HTMLResponse:
    """A bug of the corpus."""
    catalogue = catalogue_of(request)
    entry = catalogue.get(bug)
    if entry is None:
        raise NoSuchPage(f"There is no bug '{bug}'.")
    view = view_bug(entry, catalogue, whole=code == "whole")
    return render(
        request, "bug.html", view=view, actions=actions_of(entry), runnable=True, why_not_runnable="", jobs=()
    )
