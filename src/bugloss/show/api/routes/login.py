"""The page to log in, for servers that need tokens."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from fastapi import APIRouter, Form, Request
from starlette.responses import HTMLResponse, RedirectResponse, Response

from bugloss.show.api.answering import RequestRefused
from bugloss.show.api.routes.access import TheServices
from bugloss.show.api.routes.session import log_in_with
from bugloss.show.templates import fill

router = APIRouter(include_in_schema=False)
_TEMPLATES = Path(__file__).parent.parent / "templates"


@router.get("/login")
def show_login(request: Request) -> Response:
    """A form for the token."""
    return _page(request, "", 200)


@router.post("/login")
def log_in(request: Request, services: TheServices, token: Annotated[str, Form(max_length=200)] = "") -> Response:
    """Back to the start page with a cookie, or the form again."""
    response = RedirectResponse("/", 303)
    try:
        log_in_with(request, services, token, response)
    except RequestRefused as error:
        return _page(request, error.message, error.status)
    return response


def _page(request: Request, problem: str, status: int) -> HTMLResponse:
    text = fill(_TEMPLATES, "login.html", problem=problem, csrf_token=request.state.csrf_token)
    return HTMLResponse(text, status)
