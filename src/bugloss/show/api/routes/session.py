"""Logging in: a browser exchanges a token for a cookie."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, StringConstraints
from starlette.responses import Response

from bugloss.show.api.answering import RequestRefused, respond
from bugloss.show.api.routes.access import TheServices, document
from bugloss.show.api.security.caller import LOGIN_COOKIE, SESSION_SECONDS, login_cookie

router = APIRouter(tags=["server"])


class LoginRequest(BaseModel):
    """The token to log in with."""

    model_config = ConfigDict(extra="forbid")
    token: Annotated[str, StringConstraints(min_length=1, max_length=200)]


@router.post("/session", responses=document("session"))
def log_in(http: Request, services: TheServices, request: LoginRequest) -> Response:
    """Set the cookie of a browser; it ends after twelve hours, or when the token is revoked."""
    response = respond("session", {"role": log_in_with(http, services, request.token, keep := Response())})
    response.headers["Set-Cookie"] = keep.headers["Set-Cookie"]
    return response


@router.delete("/session", responses=document("session"))
def log_out(services: TheServices) -> Response:
    """Delete the cookie."""
    response = respond("session", {"role": None})
    response.delete_cookie(LOGIN_COOKIE, httponly=True, samesite="strict")
    return response


def log_in_with(http: Request, services: TheServices, token: str, response: Response) -> str:
    """Puts the cookie of a token on a response; returns the token's role."""
    found = services.store.tokens.find(token.strip())
    if found is None:
        raise RequestRefused(401, "the token is not valid, or has expired.")
    response.set_cookie(
        LOGIN_COOKIE,
        login_cookie(found, services.secret),
        max_age=SESSION_SECONDS,
        httponly=True,
        samesite="strict",
        secure=http.url.scheme == "https",
    )
    return found.role.value
