"""Programs that call bugloss themselves, run in an interpreter that has the framework."""

from __future__ import annotations

import json
import os
import subprocess
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from bugloss.run.environment import Environment

SOURCE = Path(__file__).parents[2] / "src"
STAND_INS = Path(__file__).parent / "stand_ins"

# What every program ends with: how a run was recorded, in a line of JSON.
TELL = """
import json
from bugloss.observe.recording import read

def tell(folder):
    facts, r = folder.facts(), read(folder.events.read_text().splitlines())
    print(json.dumps({
        "id": folder.id, "outcome": facts.outcome.value, "steps": len(r.steps), "epochs": len(r.epochs),
        "models": sorted({m.kind for m in r.models}), "optimizers": [o.kind for o in r.optimizers],
        "backwards": sorted({s.backwards for s in r.steps}), "losses": [s.loss for s in r.steps],
        "sampled": any(n.gradient_rms for s in r.samples for n in s.layers.values()),
        "evaluated": [e.validation_loss for e in r.epochs if e.validation_loss is not None],
        "crash": r.crash and r.crash.exception.message, "failures": [f.where for f in r.failures],
    }))
"""


@pytest.fixture
def told(tmp_path: Path, stack: Callable[[str], Environment]) -> Callable[..., list[dict[str, Any]]]:
    """Runs a program; gives the lines of JSON that it printed."""

    def run(name: str, program: str, python: str = "", *, stand_ins: bool = False) -> list[dict[str, Any]]:
        (tmp_path / "train.py").write_text(TELL + textwrap.dedent(program))
        path = os.pathsep.join([str(SOURCE), *([str(STAND_INS)] if stand_ins else [])])
        done = subprocess.run(
            [python or stack(name).python, "train.py"],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
            env={
                "PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": path, "OMP_NUM_THREADS": "1",
                "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3", "HF_HUB_OFFLINE": "1",
            },
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        return [json.loads(line) for line in done.stdout.splitlines() if line.startswith('{"')]

    return run


@pytest.fixture
def real(request: pytest.FixtureRequest) -> str:
    """An interpreter that has the real packages: name one in $BUGLOSS_TRAINERS_PYTHON."""
    python = os.environ.get("BUGLOSS_TRAINERS_PYTHON", "")
    if not python:
        pytest.skip("not run: no interpreter with lightning and transformers (name it in BUGLOSS_TRAINERS_PYTHON)")
    return python
