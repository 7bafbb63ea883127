"""How the server answers: our documents as JSON, and one shape for every error."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from pydantic import ValidationError
from starlette.exceptions import HTTPException
from starlette.responses import Response

from bugloss.core.errors import BuglossError, EnvironmentFailure, InvalidInput, MissingExtra
from bugloss.core.visible import json_text, visible
from bugloss.corpus.collection import UnknownBug
from bugloss.record.store.job_queue import QueueFull, UnknownRecord
from bugloss.show.api.jobs.service import RunsForbidden
from bugloss.show.json_document import plain_document

_log = logging.getLogger(__name__)
_LONGEST_MESSAGE = 1_000
ErrorPage = Callable[[Request, int, Mapping[str, Any]], Response]

# The first class that an error belongs to decides.
_STATUS: tuple[tuple[type[BuglossError], int], ...] = (
    (UnknownBug, 404),
    (UnknownRecord, 404),
    (QueueFull, 429),
    (RunsForbidden, 403),
    (MissingExtra, 501),
    (EnvironmentFailure, 503),
    (InvalidInput, 400),
    (BuglossError, 400),
)
_KINDS = {
    401: "unauthorized",
    403: "forbidden",
    404: "not-found",
    405: "method-not-allowed",
    413: "too-large",
    415: "unsupported-media-type",
    421: "wrong-host",
    429: "too-many-requests",
}


class RequestRefused(BuglossError):
    """A request that is answered with a status of its own; ``headers`` go with it."""

    kind = "refused"

    def __init__(self, status: int, message: str, *, hint: str = "", headers: Mapping[str, str] | None = None) -> None:
        super().__init__(message, hint=hint)
        self.status = status
        self.kind = _KINDS.get(status, "refused")
        self.headers = dict(headers or {})


def respond(
    name: str, document: Mapping[str, object], status: int = 200, headers: Mapping[str, str] | None = None
) -> Response:
    """The document ``bugloss.<name>/1``; hidden characters are spelled ``\\uXXXX``."""
    text = json_text(plain_document(name, document))
    return Response(text, status, dict(headers or {}), media_type="application/json")


def error_document(kind: str, message: str, hint: str = "") -> dict[str, object]:
    return {"error": kind, "message": visible(message)[:_LONGEST_MESSAGE], "hint": visible(hint)[:_LONGEST_MESSAGE]}


def respond_error(error: BuglossError) -> Response:
    """An error of ours as a response."""
    return respond(
        "error",
        error_document(error.kind, error.message, error.hint),
        status_of(error),
        error.headers if isinstance(error, RequestRefused) else None,
    )


def status_of(error: BuglossError) -> int:
    """The status code of an error of ours."""
    if isinstance(error, RequestRefused):
        return error.status
    return next(status for kind, status in _STATUS if isinstance(error, kind))


def add_error_handlers(app: FastAPI, page: ErrorPage | None) -> None:
    """One shape for every error below ``/api``; elsewhere ``page``, if there is one, shows it to people."""

    def answer(request: Request, status: int, response: Response, document: Mapping[str, Any]) -> Response:
        if page is None or request.url.path.startswith("/api/"):
            return response
        return page(request, status, document)

    async def ours(request: Request, error: Exception) -> Response:
        assert isinstance(error, BuglossError)
        document = error_document(error.kind, error.message, error.hint)
        return answer(request, status_of(error), respond_error(error), document)

    async def invalid(request: Request, error: Exception) -> Response:
        document = error_document("invalid-request", _what_is_wrong(error), "See /api/v1/openapi.json.")
        return answer(request, 422, respond("error", document, 422), document)

    async def plain(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        kind = _KINDS.get(error.status_code, "http")
        message = f"{request.url.path[:200]}: {error.detail}"
        document = error_document(kind, message)
        response = respond("error", document, error.status_code, error.headers)
        return answer(request, error.status_code, response, document)

    async def internal(request: Request, error: Exception) -> Response:
        _log.error("%s %s failed", request.method, request.url.path, exc_info=error)
        document = error_document("internal", "bugloss itself failed; the server's log has the details.")
        return answer(request, 500, respond("error", document, 500), document)

    handlers: dict[Any, Callable[[Request, Exception], Awaitable[Response]]] = {
        BuglossError: ours,
        RequestValidationError: invalid,
        ValidationError: invalid,
        HTTPException: plain,
        Exception: internal,
    }
    for kind, handler in handlers.items():
        app.add_exception_handler(kind, handler)


def _what_is_wrong(error: Exception) -> str:
    assert isinstance(error, (RequestValidationError, ValidationError))
    found = error.errors()[0] if error.errors() else {"loc": (), "msg": "it cannot be read"}
    where = ".".join(str(part) for part in found["loc"] if part != "body")
    reason = str(found["msg"]).removeprefix("Value error, ")
    return f"the request is not valid: {where + ': ' if where else ''}{reason}."
