"""``/health``."""

from __future__ import annotations

import time

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.access import catalogue_of, services_of
from bugloss.show.web.rendering import render
from bugloss.show.web.views.health import Checkup, view_health

router = APIRouter()


@router.get("/health")
def show_health(request: Request) -> HTMLResponse:
    """Which bugs still verify."""
    standings = services_of(request).store.verifications.list()
    checkups = [
        Checkup(one.bug, time.strftime("%Y-%m-%d", time.localtime(one.at)), one.status, one.reason)
        for one in reversed(standings)
    ]
    return render(request, "health.html", view=view_health(catalogue_of(request).entries, checkups))
