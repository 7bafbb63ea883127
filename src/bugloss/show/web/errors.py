"""Pages for addresses that lead nowhere, requests that are refused and failures of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from fastapi import HTTPException, Request
from fastapi.responses import HTMLResponse

from bugloss.show.web.rendering import render

_HEADINGS = {
    403: "This is not allowed",
    404: "There is nothing here",
    413: "This is too large",
    429: "Too many requests",
    500: "bugloss itself failed",
}


class NoSuchPage(HTTPException):
    """What an address names does not exist."""

    def __init__(self, message: str) -> None:
        super().__init__(404, message)


def error_page(request: Request, status: int, document: Mapping[str, Any]) -> HTMLResponse:
    """An error document for people; nothing of a traceback is in it."""
    heading = _HEADINGS.get(status, "This did not work")
    message, hint = str(document.get("message", "")), str(document.get("hint", ""))
    return render(request, "error.html", status, heading=heading, message=message, hint=hint, number=status)
