"""A machine whose pip and uv know one folder of wheels and no index."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tiny_corpus import bare_environment
from wheelhouse import write_wheel

from bugloss.core.errors import EnvironmentFailure
from bugloss.core.run import Isolation, Limits, Run, Settings
from bugloss.run import sandbox
from bugloss.run.build import find_uv
from bugloss.run.environment import Environment
from bugloss.run.execute import Job, execute
from bugloss.stacks.stack import Stack

Runner = Callable[..., Run]


@pytest.fixture(scope="session")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheels")
    write_wheel(folder, "tinypack", "1.0")
    write_wheel(folder, "tinypack", "2.0")
    return folder


@pytest.fixture
def no_index(wheels: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Builders find the wheels of this test and never open a connection."""
    for name in [name for name in os.environ if name.startswith(("PIP_", "UV_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(wheels))
    monkeypatch.setenv("UV_CACHE_DIR", str(wheels.with_name("uv-cache")))
    return wheels


@pytest.fixture
def with_uv() -> None:
    if find_uv() is None:
        pytest.skip("uv is not installed")


@pytest.fixture
def tiny_stack(no_index: Path, with_uv: None) -> Stack:
    """One package of one module, from the folder of wheels."""
    return Stack("tiny-one", "a stack for tests", ("3.11", "3.12", "3.13"), ("tinypack==1.0",), 1, 1)


@pytest.fixture(params=[pytest.param("bubblewrap", marks=pytest.mark.bubblewrap), "namespaces", "limits"])
def level(request: pytest.FixtureRequest) -> Isolation:
    """Each level of isolation that works here."""
    name = str(request.param)
    if name == "namespaces" and not sandbox.works(name):
        pytest.skip("namespaces cannot be made here")
    return sandbox.isolation(name)


@pytest.fixture
def environment(own_cache: Path) -> Environment:
    """Bare Python."""
    try:
        return bare_environment("torch")
    except EnvironmentFailure as error:
        pytest.skip(f"not run: {error.message} {error.hint}")


@pytest.fixture
def run(environment: Environment, tmp_path: Path) -> Runner:
    """Runs the text of a program, with other files beside it; the sources stay as they were."""
    sources = tmp_path / "sources"

    def start(
        text: str,
        level: Isolation | str = "limits",
        *arguments: str,
        files: dict[str, str] | None = None,
        settings: Settings | None = None,
        **limits: Any,
    ) -> Run:
        content = {"program.py": text, **(files or {})}
        for name, words in content.items():
            (sources / name).parent.mkdir(parents=True, exist_ok=True)
            (sources / name).write_text(words)
        isolation = sandbox.isolation(level) if isinstance(level, str) else level
        job = Job(
            {name: sources / name for name in content},
            "program.py",
            arguments,
            settings or Settings(),
            replace(Limits(wall_seconds=30, memory_megabytes=1000), **limits),
        )
        ended = execute(job, environment, isolation)
        for name, words in content.items():
            assert (sources / name).read_text() == words, f"the program changed the source of {name}"
        return ended

    return start
