"""Interpreters of every era, in which probes must run as they are."""

from __future__ import annotations

import pytest

from bugloss.core.errors import MissingInterpreter
from bugloss.run.interpreters import Interpreter, find_interpreter


@pytest.fixture(params=["3.6", "3.7", "3.8", "3.11", "3.13"])
def old_and_new(request: pytest.FixtureRequest) -> Interpreter:
    """Each interpreter that this machine has; one that is missing is said."""
    try:
        return find_interpreter((str(request.param),))
    except MissingInterpreter as error:
        pytest.skip(f"not run: {error.message} {error.hint}")
