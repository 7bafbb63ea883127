"""Who asks, and whether they may: tokens in a header or in a session cookie, and the role that a request needs."""

from __future__ import annotations

import hashlib
import hmac
import time
from collections.abc import Callable
from dataclasses import dataclass

from fastapi import Request

from bugloss.record.store.tokens import Role, TokenRecord
from bugloss.show.api.answering import RequestRefused
from bugloss.show.api.services import Services

SESSION_COOKIE = "bugloss_session"  # names a browser; the token of its forms is derived from it
LOGIN_COOKIE = "bugloss_login"
SESSION_SECONDS = 12 * 3600
SAFE_METHODS = frozenset({"GET", "HEAD", "OPTIONS"})
_OPEN = frozenset({"/login", "/api/v1/session", "/favicon.ico"})
_ASKING = frozenset(
    {"/ask", "/api/v1/check", "/api/v1/triage", "/api/v1/lookup", "/api/v1/objections", "/submit/objection"}
)


@dataclass(frozen=True, slots=True)
class Caller:
    """Who sends a request; without tokens, whoever uses this machine."""

    id: str
    role: Role


LOCAL = Caller("", Role.ADMIN)


def needed_role(method: str, path: str) -> Role:
    """Looking and asking need a reader, starting something a runner, deciding a reviewer."""
    if method in SAFE_METHODS or path in _ASKING:
        return Role.READER
    return Role.REVIEWER if path.endswith(("/review", "/reviews")) else Role.RUNNER


async def guard(request: Request) -> None:
    """For every route: knows the caller, checks the role, and the token of a form."""
    services: Services = request.app.state.services
    path = request.url.path
    caller = _caller(request, services)
    if path not in _OPEN:
        if caller is None:
            raise RequestRefused(
                401,
                "this server needs a token.",
                hint="Send it as 'Authorization: Bearer …', or log in at /login.",
                headers={"WWW-Authenticate": "Bearer"},
            )
        needed = needed_role(request.method, path)
        if not caller.role.includes(needed):
            raise RequestRefused(403, f"this needs the role {needed.value}, and your token has {caller.role.value}.")
    request.state.caller = caller or Caller("", Role.READER)
    if request.method not in SAFE_METHODS and not _has_bearer(request):
        await _check_form_token(request, path)


def caller_of(request: Request) -> Caller:
    """Who sent a request that ``guard`` let through."""
    caller: Caller = request.state.caller
    return caller


def _has_bearer(request: Request) -> bool:
    return request.headers.get("authorization", "").lower().startswith("bearer ")


def _caller(request: Request, services: Services) -> Caller | None:
    if _has_bearer(request):
        token = services.store.tokens.find(request.headers["authorization"][7:].strip())
        if token is not None:
            return Caller(token.id, token.role)
        raise RequestRefused(401, "the token is not valid, or has expired.", headers={"WWW-Authenticate": "Bearer"})
    if not services.settings.require_tokens:
        return LOCAL
    token = _logged_in(request.cookies.get(LOGIN_COOKIE, ""), services)
    return Caller(token.id, token.role) if token else None


def login_cookie(token: TokenRecord, secret: bytes, clock: Callable[[], float] = time.time) -> str:
    """What a browser keeps instead of a token: its id and an end, signed."""
    text = f"{token.id}.{int(clock() + SESSION_SECONDS)}"
    return f"{text}.{_sign(secret, 'login', text)}"


def _logged_in(cookie: str, services: Services) -> TokenRecord | None:
    text, _, seal = cookie.rpartition(".")
    if not hmac.compare_digest(seal.encode(), _sign(services.secret, "login", text).encode()):
        return None
    token_id, _, end = text.partition(".")
    return services.store.tokens.get(token_id) if end.isdigit() and int(end) > time.time() else None


def form_token(secret: bytes, session: str) -> str:
    """What every form of a browser's session contains; another site does not know it."""
    return _sign(secret, "form", session)


async def _check_form_token(request: Request, path: str) -> None:
    """Requests of the API are JSON, which no form sends. Forms show the token, also what a browser sends to it."""
    kind = request.headers.get("content-type", "").split(";")[0].strip().lower()
    is_form = kind in {"", "application/x-www-form-urlencoded", "multipart/form-data", "text/plain"}
    in_api = path.startswith("/api/")
    if in_api and (LOGIN_COOKIE not in request.cookies) and not _is_from_browser(request):
        return
    if in_api and not is_form:
        return  # a browser asks the server before it sends JSON across origins, and is refused
    given = request.headers.get("x-csrf-token", "")
    if not given and kind in {"application/x-www-form-urlencoded", "multipart/form-data"}:
        given = str((await request.form()).get("csrf_token", ""))
    expected = getattr(request.state, "csrf_token", "")
    if not expected or not hmac.compare_digest(given.encode(), expected.encode()):
        hint = "Load the page again, and send the form from there."
        raise RequestRefused(403, "the form has no valid token: it may not be from this server.", hint=hint)


def _is_from_browser(request: Request) -> bool:
    return "sec-fetch-site" in request.headers or "origin" in request.headers


def _sign(secret: bytes, purpose: str, text: str) -> str:
    return hmac.new(secret, f"{purpose}:{text}".encode(), hashlib.sha256).hexdigest()
