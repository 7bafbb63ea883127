"""Writes which release of every companion package a stack gets: ``scripts/companions.py [STACK]...``

A companion is a package that programs import beside the framework (``stacks/companions/packages.txt``). For each
stack, uv resolves each package to the newest release of the stack's time that has wheels and fits the stack's pins;
where there is none, to the newest that its Python still gets. The index may not say when a release was uploaded, so
the dates come from PyPI's JSON documents. A dash: there is none.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from functools import cache, partial
from pathlib import Path

from bugloss.run.build import find_uv
from bugloss.run.interpreters import find_interpreter
from bugloss.run.pip_settings import index_flags, installer_variables
from bugloss.stacks.companion import COMPANIONS, lenient_pins, packages, read_releases, without_other_frameworks
from bugloss.stacks.stack import Stack, load_stack, project_name, stack_names

_FINAL = re.compile(r"\d+(?:\.\d+)*(?:\.post\d+)?")
_HEAD = """# The newest release of each package that a stack gets, as uv resolved it with its pins; a dash: none fits.
# Written by scripts/companions.py; do not edit.
"""


def main(names: list[str]) -> int:
    """Resolves every package for the stacks that are named, or all; the columns of the others stay as they are."""
    table = read_releases()
    for name in names or stack_names():
        stack = load_stack(name)
        wanted = sorted({one.package for one in packages()})
        with ThreadPoolExecutor(4) as pool:  # they wait for the index most of the time
            for package, release in zip(wanted, pool.map(partial(_resolve, stack), wanted), strict=True):
                table.setdefault(package, {})[name] = release or "-"
                print(name, package, table[package][name], flush=True)
        _write(table)
    return 0


def _write(table: dict[str, dict[str, str]]) -> None:
    stacks = stack_names()
    lines = [" ".join(["package", *stacks])]
    lines += [" ".join([package, *(table[package].get(name, "-") for name in stacks)]) for package in sorted(table)]
    (COMPANIONS / "releases.txt").write_text(_HEAD + "\n".join(lines) + "\n", encoding="utf-8")


def _resolve(stack: Stack, package: str) -> str | None:
    newest = _newest(package, stack.date)
    dated = _compiled(stack, package, f"{package}<={newest}") if newest is not None else None
    return dated or _compiled(stack, package, package)


def _compiled(stack: Stack, package: str, requirement: str) -> str | None:
    uv = find_uv()
    assert uv is not None, "uv is needed: pip install uv"
    with tempfile.TemporaryDirectory() as scratch:
        pins = [*stack.packages, *without_other_frameworks(stack.packages)]
        (Path(scratch) / "pins.txt").write_text("\n".join(pins) + "\n", encoding="utf-8")
        (Path(scratch) / "overrides.txt").write_text("\n".join(lenient_pins(stack.packages)) + "\n", encoding="utf-8")
        python = str(find_interpreter(stack.python).path)
        command = [uv, "pip", "compile", "--quiet", "--no-build", "--no-header", "--no-annotate", "--python", python]
        command += [*index_flags(), "--constraint", "pins.txt", "--override", "overrides.txt", "-"]
        done = subprocess.run(
            command, input=f"{requirement}\n", capture_output=True, text=True, cwd=scratch, check=False,
            env=installer_variables(),
        )  # fmt: skip
    found = (line.split(" ")[0].partition("==") for line in done.stdout.splitlines())
    return {project_name(name): version for name, _, version in found}.get(project_name(package))


def _newest(package: str, date: str) -> str | None:
    """The last final release that was uploaded by that day."""
    dated = [
        (tuple(map(int, re.findall(r"\d+", version))), version)
        for version, day in _uploads(package).items()
        if day <= date and _FINAL.fullmatch(version)
    ]
    return max(dated)[1] if dated else None


@cache
def _uploads(package: str) -> dict[str, str]:
    """The day of each release that was not withdrawn."""
    try:
        with urllib.request.urlopen(f"https://pypi.org/pypi/{package}/json", timeout=60) as answer:
            releases = json.load(answer)["releases"]
    except (urllib.error.URLError, ValueError):
        print(f"no dates of {package}", file=sys.stderr)
        return {}
    kept = {version: [one for one in files if not one.get("yanked")] for version, files in releases.items()}
    return {version: files[0]["upload_time"][:10] for version, files in kept.items() if files}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
