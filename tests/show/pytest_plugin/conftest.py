"""Sessions of pytest in a process of their own, without other plug-ins; ours is named by hand or found by its entry point."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

import pytest
from borrowed_packages import borrow

SOURCE = Path(__file__).parents[3] / "src"
PLUGIN = "bugloss.show.pytest_plugin.hooks"


@pytest.fixture
def session(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the tests of a file; with another interpreter, pytest itself comes from ours."""

    def run(
        tests: str, *arguments: str, python: str = sys.executable, installed: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        project = tmp_path / "project"
        project.mkdir(exist_ok=True)
        (project / "pytest.ini").write_text("[pytest]\n")
        (project / "test_training.py").write_text(textwrap.dedent(tests))
        environment = {
            "PATH": os.environ["PATH"], "HOME": str(tmp_path), "PYTHONPATH": _path(tmp_path, python),
            "OMP_NUM_THREADS": "1", "CUDA_VISIBLE_DEVICES": "", "TF_CPP_MIN_LOG_LEVEL": "3",
            "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
        }  # fmt: skip
        plugin = ["-p", PLUGIN]
        if installed is not None:
            del environment["PYTEST_DISABLE_PLUGIN_AUTOLOAD"]
            environment["PYTHONPATH"] += os.pathsep + str(installed)
            plugin = []
        return subprocess.run(
            [python, "-m", "pytest", *plugin, "-p", "no:cacheprovider", "--strict-markers", *arguments],
            cwd=project, env=environment, capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    return run


def _path(folder: Path, python: str) -> str:
    if python == sys.executable:
        return str(SOURCE)
    return os.pathsep.join([str(SOURCE), str(borrow(folder / "borrowed", "pytest"))])
