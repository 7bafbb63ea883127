"""A server in the test's own process, over the tiny or the shipped corpus."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from bugloss.corpus.roots import shipped_root
from bugloss.show.api.app import create_app
from bugloss.show.api.settings import ServerSettings


@pytest.fixture
def settings(tmp_path: Path) -> ServerSettings:
    return ServerSettings(work=tmp_path / "server", corpus_roots=(shipped_root(),))


@pytest.fixture
def client(settings: ServerSettings) -> Iterator[TestClient]:
    """A client of a server that runs no jobs: its queue is looked at, not worked on."""
    with TestClient(create_app(settings, run_jobs=False), base_url="http://127.0.0.1:8765") as client:
        yield client
