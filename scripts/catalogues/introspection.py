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
    """Walks every sample that is not yet in the folder, oldest first; then asks each for the names of the later."""
    for again in (False, True):
        for sample in SAMPLES:
            wanted = [package for package in sample.packages if package in packages]
            missing = [package for package in wanted if not _is_done(folder, sample, package, again)]
            if missing:
                environment = _build(folder / "environment", sample)
                for package in missing:
                    _introspect(folder, environment, sample, package, again)
                shutil.rmtree(environment)


def _is_done(folder: Path, sample: Sample, package: str, again: bool) -> bool:
    """Whether the answer is there, and where asked for again, asked about all names that any release has."""
    answer = _read(raw_file(folder, sample, package))
    return answer is not None and (not again or answer.get("asked") == len(_all_names(folder, package)))


def _all_names(folder: Path, package: str) -> set[str]:
    return {name for answer in raw_answers(folder, package) for name in answer["symbols"]}


def _read(file: Path) -> dict[str, Any] | None:
    return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else None


def raw_file(folder: Path, sample: Sample, package: str) -> Path:
    """Where the probe's answer for a package of a sample is kept."""
    return folder / f"{package}-of-{sample.requirements[0].replace('==', '-')}.json"


def raw_answers(folder: Path, package: str) -> list[dict[str, Any]]:
    """What the probe said of each release of a package, oldest first."""
    files = [raw_file(folder, sample, package) for sample in SAMPLES if package in sample.packages]
    return [answer for file in files if (answer := _read(file)) is not None]


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


def _introspect(folder: Path, environment: Path, sample: Sample, package: str, again: bool) -> None:
    """The first time the release is walked, and asked for what earlier ones had; later it is only asked."""
    target, names = raw_file(folder, sample, package), _all_names(folder, package)
    before = _read(target) if again else None
    known = set() if before is None else {*before["symbols"], *before["stubs"]}
    asked = sorted(name for name in names - known if not name.startswith(LISTED[package]))
    answer = _run_probe(folder, environment, package, asked, walk=before is None)
    if answer is None:
        print("  failed:", package, "see", folder / "probe.log", file=sys.stderr, flush=True)
        return
    if before is not None:
        answer["symbols"] |= before["symbols"]
        answer["stubs"] = sorted({*answer["stubs"], *before["stubs"]})
        answer["asked"] = len(names)
    target.write_text(json.dumps(answer, sort_keys=True, indent=0), encoding="utf-8")
    print("  ", package, len(answer["symbols"]), "names", flush=True)


def _run_probe(folder: Path, environment: Path, package: str, asked: list[str], *, walk: bool) -> dict[str, Any] | None:
    job = {
        "package": package,
        "roots": ROOTS[package],
        "aliases": ALIASES.get(package, []),
        "listed": LISTED[package],
        "members": MEMBERS[package],
        "asked": asked,
        "walk": walk,
        "import_all": package in _IMPORTED_WHOLE,
    }
    (folder / "job.json").write_text(json.dumps(job), encoding="utf-8")
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL"))}
    variables |= {"TF_CPP_MIN_LOG_LEVEL": "3", "CUDA_VISIBLE_DEVICES": "", "KERAS_BACKEND": "tensorflow"}
    command = [str(environment / "bin" / "python"), introspect.__file__, str(folder / "job.json")]
    with (folder / "probe.log").open("a", encoding="utf-8") as log:
        answer = folder / "answer.json"
        done = subprocess.run([*command, str(answer)], env=variables, stderr=log, stdout=log, check=False, cwd=folder)
    return _read(answer) if done.returncode == 0 else None
