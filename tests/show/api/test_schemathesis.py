"""Schemathesis: whatever a client sends, as the OpenAPI document allows or not, the server answers as it says."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, BaseSchema, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.openapi import from_asgi
from schemathesis.specs.openapi.checks import content_type_conformance, response_schema_conformance

from bugloss.show.api.app import create_app
from bugloss.show.api.settings import ServerLimits, ServerSettings

CHECKS = [not_a_server_error, content_type_conformance, response_schema_conformance]
ADDRESS = "http://127.0.0.1:8765"


@pytest.fixture(scope="module")
def api_schema(tmp_path_factory: pytest.TempPathFactory) -> Iterator[BaseSchema]:
    """A server whose jobs wait: requests are queued and looked at. Answers are those of the routes that run nothing."""
    limits = ServerLimits(requests_per_minute=10**9, runs_per_minute=10**9, jobs_waiting=10**6)
    bugs = Path(__file__).parents[3] / "bugs"
    created = ServerSettings(work=tmp_path_factory.mktemp("server"), corpus_roots=(bugs,), limits=limits)
    app = create_app(created, run_jobs=False)
    yield from_asgi("/api/v1/openapi.json", app, headers={"Host": "127.0.0.1"})
    app.state.services.stop()


@pytest.mark.parametrize("mode", [GenerationMode.POSITIVE, GenerationMode.NEGATIVE], ids=["allowed", "forbidden"])
def test_every_route_answers_as_it_is_described(api_schema: BaseSchema, mode: GenerationMode) -> None:
    routes = [found.ok() for found in api_schema.get_all_operations()]
    assert len(routes) > 25
    for route in routes:
        if not route.path.endswith(("/events", "/studies/{study}")):  # the one streams, the other computes for seconds
            _try(route, mode)


def _try(route: APIOperation[Any, Any, Any, Any], mode: GenerationMode) -> None:
    examples = 8 if any(route.iter_parameters()) or route.body else 2  # without parameters all are equal

    @given(case=route.as_strategy(generation_mode=mode))
    @settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def send(case: Case) -> None:
        response = case.call(base_url=ADDRESS)
        case.validate_response(response, checks=CHECKS)
        if response.status_code >= 400:
            assert response.json()["schema"] == "bugloss.error/1"

    with suppress(Unsatisfiable):  # nothing is forbidden for a route without parameters
        send()
