"""What routes are given: the services of the server, who asks, and how pages of lists are named."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Depends, Path, Query, Request
from pydantic import StringConstraints

from bugloss.show.api.security.caller import Caller, caller_of
from bugloss.show.api.services import Services


def services_of(request: Request) -> Services:
    """The services of the server that got the request."""
    services: Services = request.app.state.services
    return services


TheServices = Annotated[Services, Depends(services_of)]
TheCaller = Annotated[Caller, Depends(caller_of)]
Limit = Annotated[int, Query(ge=1, le=200, description="Most entries of a page.")]
Cursor = Annotated[str, Query(max_length=80, pattern=r"^[A-Za-z0-9-]*$", description="``next`` of the page before.")]
RecordId = Annotated[str, Path(pattern=r"^[0-9a-f]{28}$"), StringConstraints()]


def _error_schema() -> dict[str, Any]:
    text = {"type": "string"}
    return {
        "type": "object",
        "properties": {"schema": {"const": "bugloss.error/1"}, "error": text, "message": text, "hint": text},
        "required": ["schema", "error", "message", "hint"],
    }


_ERROR = {"description": "An error", "content": {"application/json": {"schema": _error_schema()}}}
ERRORS: dict[int | str, dict[str, Any]] = {"4XX": _ERROR, "5XX": _ERROR}


def document(name: str, status: int = 200, meaning: str = "") -> dict[int | str, dict[str, Any]]:
    """How OpenAPI describes the answer of a route: the document ``bugloss.<name>/1``, or an error."""
    schema = {
        "type": "object",
        "title": f"bugloss.{name}/1",
        "properties": {"schema": {"const": f"bugloss.{name}/1"}},
        "required": ["schema"],
    }
    content = {"application/json": {"schema": schema}}
    return {status: {"description": meaning or f"The document bugloss.{name}/1", "content": content}, **ERRORS}
