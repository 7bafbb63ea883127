"""``/health``."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.access import catalogue_of
from bugloss.show.web.rendering import render
from bugloss.show.web.views.health import view_health

router = APIRouter()


@router.get("/health")
def show_health(request: Request) -> HTMLResponse:
    """Which bugs still verify."""
    return render(request, "health.html", view=view_health(catalogue_of(request).entries))
