"""Puts values into a page of the application, with the token of its forms, as the answer to a request."""

from __future__ import annotations

from fastapi import Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.page_text import page_text

SECTIONS = (
    ("/ask", "Ask"),
    ("/explore", "Explore"),
    ("/runs", "Runs"),
    ("/cases", "Cases"),
    ("/bench", "Bench"),
    ("/studies", "Studies"),
    ("/health", "Health"),
    ("/submit", "Submit"),
    ("/jobs", "Jobs"),
)


def render(request: Request, template: str, status: int = 200, **values: object) -> HTMLResponse:
    """A page of the application as the answer to a request."""
    text = page_text(
        template,
        request.url.path,
        SECTIONS,
        served=True,
        asked_text=request.query_params.get("q", "")[:400],
        csrf_token=getattr(request.state, "csrf_token", ""),
        **values,
    )
    return HTMLResponse(text, status)
