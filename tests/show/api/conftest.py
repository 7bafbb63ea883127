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
def settings(tmp_path: Path, corpus_copy: Path) -> ServerSettings:
    """A server over three bugs."""
    return ServerSettings(work=tmp_path / "server", corpus_roots=(corpus_copy,))


@pytest.fixture
def client(settings: ServerSettings) -> Iterator[TestClient]:
    """A client of a server that runs no jobs: its queue is looked at, not worked on."""
    with TestClient(create_app(settings, run_jobs=False), base_url="http://127.0.0.1:8765") as client:
        yield client


@pytest.fixture(scope="module")
def shipped_client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """A client of a server over the shipped corpus, for tests that only look."""
    settings = ServerSettings(work=tmp_path_factory.mktemp("server"), corpus_roots=(shipped_root(),))
    with TestClient(create_app(settings, run_jobs=False), base_url="http://127.0.0.1:8765") as client:
        yield client
