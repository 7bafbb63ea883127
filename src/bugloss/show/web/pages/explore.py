"""``/explore``."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.access import catalogue_of
from bugloss.show.web.rendering import render
from bugloss.show.web.views.explore import explore, read_asked

router = APIRouter()


@router.get("/explore")
def show_explore(request: Request) -> HTMLResponse:
    """All bugs, filtered as the address says."""
    view = explore(catalogue_of(request), read_asked(request.query_params.multi_items()))
    return render(request, "explore.html", view=view)
