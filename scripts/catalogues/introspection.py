"""Builds the environment of a sample, runs the probe in it, keeps what it said, and deletes the environment."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from bugloss.probes import introspect
from bugloss.run.build import find_uv
from bugloss.run.interpreters import find_interpreter
from bugloss.run.pip_settings import uv_variables
from catalogues.releases import ALIASES, LISTED, MEMBERS, ROOTS, SAMPLES, Sample

_IMPORTED_WHOLE = {"keras", "torch", "numpy"}  # TensorFlow's public names all hang on its generated modules


def collect(folder: Path, packages: Sequence[str]) -> None:
    """Introspects every sample that is not yet in the folder, oldest first."""
    for sample in SAMPLES:
        wanted = [package for package in sample.packages if package in packages]
        missing = [package for package in wanted if not raw_file(folder, sample, package).is_file()]
        if missing:
            environment = _build(folder / "environment", sample)
            for package in missing:
                _introspect(folder, environment, sample, package)
            shutil.rmtree(environment)


def raw_file(folder: Path, sample: Sample, package: str) -> Path:
    """Where the probe's answer for a package of a sample is kept."""
    return folder / f"{package}-of-{sample.requirements[0].replace('==', '-')}.json"


def raw_answers(folder: Path, package: str) -> list[dict[str, Any]]:
    """What the probe said of each release of a package, oldest first."""
    files = [raw_file(folder, sample, package) for sample in SAMPLES if package in sample.packages]
    return [json.loads(file.read_text(encoding="utf-8")) for file in files if file.is_file()]


def _build(environment: Path, sample: Sample) -> Path:
    print("building", " ".join(sample.requirements), "on Python", sample.python, flush=True)
    uv = find_uv()
    assert uv is not None, "uv is needed: pip install uv"
    shutil.rmtree(environment, ignore_errors=True)
    variables = {**os.environ, **uv_variables(), "UV_PYTHON_DOWNLOADS": "never"}
    variables.pop("VIRTUAL_ENV", None)
    python = str(find_interpreter([sample.python]).path)
    subprocess.run([uv, "venv", "--quiet", "--python", python, str(environment)], env=variables, check=True)
    install = [uv, "pip", "install", "--quiet", "--python", str(environment / "bin" / "python")]
    subprocess.run([*install, *sample.requirements], env=variables, check=True)
    return environment


def _introspect(folder: Path, environment: Path, sample: Sample, package: str) -> None:
    earlier = {name for answer in raw_answers(folder, package) for name in answer["symbols"]}
    listed = LISTED[package]
    job = {
        "package": package,
        "roots": ROOTS[package],
        "aliases": ALIASES.get(package, []),
        "listed": listed,
        "members": MEMBERS[package],
        "asked": sorted(name for name in earlier if not name.startswith(listed)),
        "import_all": package in _IMPORTED_WHOLE,
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    probe, answer = Path(introspect.__file__), folder / "answer.json"
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    variables |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "KERAS_BACKEND": "tensorflow"}
    command = [str(environment / "bin" / "python"), str(probe), str(folder / "job.json"), str(answer)]
    with (folder / "probe.log").open("a", encoding="utf-8") as log:
        done = subprocess.run(command, env=variables, stderr=log, stdout=log, check=False, cwd=folder)
    if done.returncode:
        print("  failed:", package, "see", folder / "probe.log", file=sys.stderr, flush=True)
        return
    answer.rename(raw_file(folder, sample, package))
    count = len(json.loads(raw_file(folder, sample, package).read_text(encoding="utf-8"))["symbols"])
    print("  ", package, count, "names", flush=True)
