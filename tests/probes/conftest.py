"""Interpreters of every era, in which probes must run as they are, and the observing probe's own modules."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import pytest

from bugloss.core.errors import MissingInterpreter
from bugloss.run.interpreters import PythonInterpreter, find_interpreter


@pytest.fixture(params=["3.6", "3.7", "3.8", "3.11", "3.13"])
def old_and_new(request: pytest.FixtureRequest) -> PythonInterpreter:
    """Each interpreter that this machine has; one that is missing is said."""
    try:
        return find_interpreter((str(request.param),))
    except MissingInterpreter as error:
        pytest.skip(f"not run: {error.message} {error.hint}")


@pytest.fixture(scope="session")
def probe() -> Callable[[str], Any]:
    """A module of the observing probe by its name in the package."""
    return lambda name: importlib.import_module(f"bugloss.probes.observe.{name}")
