"""Packages that a test makes for itself, so that real builders have something to install without a network."""

from __future__ import annotations

import io
import tarfile
import zipfile
from pathlib import Path

# A build backend in the source package itself. It says that it started, and waits until it may go on.
_WAITING_BACKEND = """
import os, time, zipfile

def build_wheel(folder, config_settings=None, metadata_directory=None):
    open(os.environ["TEST_STARTED"], "a").close()
    deadline = time.monotonic() + 60
    while not os.path.exists(os.environ["TEST_GO"]) and time.monotonic() < deadline:
        time.sleep(0.02)
    name = "waiting-1.0-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("waiting.py", "answer = 42\\n")
        about = "waiting-1.0.dist-info/"
        wheel.writestr(about + "METADATA", "Metadata-Version: 2.1\\nName: waiting\\nVersion: 1.0\\n")
        wheel.writestr(about + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(about + "RECORD", "waiting.py,,\\n" + about + "RECORD,,\\n")
    return name
"""
_WAITING_PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]

[project]
name = "waiting"
version = "1.0"
"""


def write_wheel(folder: Path, name: str, version: str, module: str = "answer = 42\n") -> Path:
    """A wheel with one module that bears the name of the package."""
    path = folder / f"{name}-{version}-py3-none-any.whl"
    information = f"{name}-{version}.dist-info"
    with zipfile.ZipFile(path, "w") as wheel:
        wheel.writestr(f"{name}.py", module)
        wheel.writestr(f"{information}/METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(f"{information}/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(f"{information}/RECORD", f"{name}.py,,\n{information}/RECORD,,\n")
    return path


def write_waiting_package(folder: Path) -> Path:
    """A source package whose build waits for the file ``$TEST_GO``."""
    path = folder / "waiting-1.0.tar.gz"
    content = {
        "pyproject.toml": _WAITING_PROJECT,
        "backend.py": _WAITING_BACKEND,
        "PKG-INFO": "Metadata-Version: 2.1\nName: waiting\nVersion: 1.0\n",
    }
    with tarfile.open(path, "w:gz") as package:
        for name, text in content.items():
            entry = tarfile.TarInfo(f"waiting-1.0/{name}")
            entry.size = len(text)
            package.addfile(entry, io.BytesIO(text.encode()))
    return path
