"""Builds of the small stack of the tests, and what they leave."""

from __future__ import annotations

import json
import os
import subprocess
import sys

from bugloss.core.codec import encode
from bugloss.run.environment import (
    Environment,
    environments_folder,
    installed,
)


def answer(environment: Environment) -> str:
    command = [environment.python, "-c", "import tinypack; print(tinypack.answer)"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip()


def settle(name: str, stack: str = "some", megabytes: int = 100, used: float = 0) -> Environment:
    """An environment made by hand, for tests to which only its record matters."""
    folder = environments_folder() / name
    (folder / "bin").mkdir(parents=True)
    (folder / "bin" / "python").symlink_to(sys.executable)
    environment = Environment(
        name, stack, f"{folder}/bin/python", "3.11.7", "/usr", str(folder), (), {}, 1.0, megabytes, "uv"
    )
    (folder / "ready.json").write_text(json.dumps(encode(environment)))
    os.utime(folder / "ready.json", (used, used))
    return environment


def digest(number: int) -> str:
    return f"{number:016x}"


def left() -> list[str]:
    return [found.digest for found in installed()]
