"""``/``: what each of three kinds of users can do here."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.access import catalogue_of
from bugloss.show.web.rendering import render
from bugloss.show.web.views.health import view_health

router = APIRouter()


@router.get("/")
def show_start(request: Request) -> HTMLResponse:
    """The start page."""
    catalogue = catalogue_of(request)
    return render(request, "start.html", health=view_health(catalogue.entries))
