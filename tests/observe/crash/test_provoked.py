"""The installed frameworks still say what the patterns listen for."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bugloss.core.run import RaisedException
from bugloss.observe.crash.explanation import recognise
from bugloss.run.environment import Environment


@pytest.mark.stack
@pytest.mark.parametrize(("name", "script"), [("torch", "provoked_torch.py"), ("keras3", "provoked_keras.py")])
def test_every_provoked_crash_is_recognised(stack: Callable[[str], Environment], name: str, script: str) -> None:
    environment = stack(name)
    variables = {**os.environ, **environment.variables, "OMP_NUM_THREADS": "1"}
    done = subprocess.run(
        [environment.python, str(Path(__file__).with_name(script))],
        capture_output=True,
        text=True,
        env=variables,
        check=True,
    )
    provoked = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("[")]
    assert len(provoked) >= 15
    wrong = {}
    for cause, kind, message in provoked:
        pattern = recognise(RaisedException(kind, kind, message))
        if pattern is None or pattern.cause != cause:
            wrong[cause] = (pattern and pattern.cause, kind, message[:200])
    assert wrong == {}
