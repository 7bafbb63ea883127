"""Puts values into a page of the application: header, navigation and the token of forms are the same everywhere."""

from __future__ import annotations

from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse

from bugloss import __version__
from bugloss.show.page.rendering import DRAWING
from bugloss.show.templates import fill

_HERE = Path(__file__).parent
FOLDERS = (_HERE / "templates", _HERE.parent / "page" / "templates", _HERE.parent / "case" / "templates")
SECTIONS = (
    ("/ask", "Ask"),
    ("/explore", "Explore"),
    ("/runs", "Runs"),
    ("/cases", "Cases"),
    ("/bench", "Bench"),
    ("/studies", "Studies"),
    ("/health", "Health"),
    ("/submit", "Submit"),
)


def render(request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page of the application as the answer to a request."""
    text = fill(
        FOLDERS,
        template,
        layout="layout.html",
        sections=[(address, title, request.url.path.startswith(address)) for address, title in SECTIONS],
        asked_text=request.query_params.get("q", "")[:400],
        csrf_token=getattr(request.state, "csrf_token", ""),
        installed=__version__,
        **DRAWING,
        **values,
    )
    return HTMLResponse(text, status)
