"""The page of the REST API, made from its OpenAPI document."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

_OPENING = """# REST API

`bugloss serve` answers below `/api/v1`; `/api/v1/openapi.json` describes it for programs. Answers are the documents of
[interfaces](interfaces.md), with `"schema": "bugloss.<name>/1"`.
Every error is `{"schema": "bugloss.error/1", "error": "<kind>", "message": "...", "hint": "..."}`, with the status of
HTTP that fits. A list has `next`: the `cursor` of the following page, or null.
Lists of bugs and single bugs have an `ETag`; with `If-None-Match` an unchanged one is answered by 304.
[Serving bugloss](../guide/serving.md) explains jobs, tokens and roles.
"""


def document() -> str:
    """One section for each kind of thing, one entry for each route."""
    described = _openapi()
    models = described.get("components", {}).get("schemas", {})
    sections: dict[str, list[str]] = {}
    for path, methods in described["paths"].items():
        for method, route in methods.items():
            sections.setdefault(route["tags"][0].capitalize(), []).append(_route(method, path, route, models))
    parts = [f"## {name}\n\n" + "\n".join(routes) for name, routes in sections.items()]
    return _OPENING + "\n" + "\n".join(parts)


def _openapi() -> dict[str, Any]:
    from bugloss.show.api.app import create_app
    from bugloss.show.api.settings import ServerSettings

    with tempfile.TemporaryDirectory() as folder:
        app = create_app(ServerSettings(work=Path(folder)), run_jobs=False)
        described: dict[str, Any] = app.openapi()
        app.state.services.stop()
    return described


def _route(method: str, path: str, route: Mapping[str, Any], models: Mapping[str, Any]) -> str:
    answer = next((name for name in _answers(route)), "")
    lines = [f"### `{method.upper()} {path}`", "", " ".join(route.get("description", "").replace("``", "`").split())]
    lines += [f"Answers `{answer}`."] if answer else []
    fields = [*_parameters(route), *_body(route, models)]
    return "\n".join([*lines, "", *fields, *([""] if fields else [])])


def _answers(route: Mapping[str, Any]) -> Iterator[str]:
    for status, response in route["responses"].items():
        if status.startswith("2"):
            for content in response.get("content", {}).values():
                if title := content.get("schema", {}).get("title", "").strip():
                    yield title


def _parameters(route: Mapping[str, Any]) -> Iterator[str]:
    for one in route.get("parameters", []):
        yield f"- `{one['name']}` ({one['in']}{', required' if one.get('required') else ''})"


def _body(route: Mapping[str, Any], models: Mapping[str, Any]) -> Iterator[str]:
    for kind, content in route.get("requestBody", {}).get("content", {}).items():
        model = models[content["schema"]["$ref"].rsplit("/", 1)[-1]]
        required = set(model.get("required", ()))
        for name in model.get("properties", {}):
            yield f"- `{name}` ({'JSON' if 'json' in kind else 'form'}{', required' if name in required else ''})"
