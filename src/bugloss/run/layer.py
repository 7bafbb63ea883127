"""Environments layered over another one: further packages in a folder of their own, which sees those below.

Only what the environment below lacks is installed, in releases that fit what is there: nothing of it changes. A layer
costs the difference on disk and the seconds for the difference.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure
from bugloss.run.build import Notify, Shell, compile_bytecode, find_uv, install
from bugloss.run.environment import Environment, digest_of, environments_folder, obtain
from bugloss.run.interpreters import PythonInterpreter, ask
from bugloss.run.supplement import fit_to_cpu_torch, put_stand_ins
from bugloss.stacks.companion import lenient_pins
from bugloss.stacks.stack import Stack, project_name

_EDITION = 1  # raised when the same request gives another environment: the stand-ins, how CUDA builds are fitted
# Tests make up half of the files of the larger packages, and no program imports them.
_LEFT_AS_SOURCE = r"/tests?/"


@dataclass(frozen=True, slots=True)
class Additions:
    """What a layer adds: requirements, the newest releases that may be taken of any package, modules of our own."""

    requirements: tuple[str, ...] = ()
    bounds: tuple[str, ...] = ()
    stand_ins: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.requirements or self.stand_ins)

    @property
    def names(self) -> tuple[str, ...]:
        return (*self.requirements, *self.stand_ins)


def provide_layer(
    below: Environment, additions: Additions, *, offline: bool = False, notify: Notify = lambda text: None
) -> Environment:
    """The environment with the additions over the one below, built now if it is not there yet."""
    if not additions:
        return below
    parts = [sorted(additions.requirements), sorted(additions.bounds), sorted(additions.stand_ins)]
    folder = environments_folder() / digest_of(_EDITION, below.digest, *parts)
    title = f"{below.stack or below.path} with {', '.join(additions.names)}"

    def say(text: str) -> None:
        notify(f"{title}: {text}")

    def make(lock: int) -> Environment:
        interpreter = ask(Path(below.python))
        if interpreter is None:
            raise EnvironmentFailure(f"{below.python} cannot be started.")
        stack = Stack(title, title, (interpreter.release,), additions.requirements, 0, 0)
        _fill(Shell(folder, stack, interpreter, offline, [lock], below.packages), below, additions, say)
        return _environment(folder, below, additions, interpreter)

    return obtain(folder, make, say)


def _environment(folder: Path, below: Environment, additions: Additions, interpreter: PythonInterpreter) -> Environment:
    return replace(
        below,
        sites=tuple(map(str, (*_own_sites(folder), *below.site_folders))),
        digest=folder.name,
        python=str(folder / "bin" / "python"),
        prefix=str(interpreter.prefix),
        path=str(folder),
        builder="uv",
        added=(*below.added, *additions.names),
        readable=(below.path, *below.readable),
    )


def _fill(shell: Shell, below: Environment, additions: Additions, notify: Notify) -> None:
    uv = find_uv()
    if uv is None:
        raise EnvironmentFailure("uv is not installed.", hint="Install it: pip install uv")
    folder = shell.folder
    folder.mkdir(parents=True)
    shell.log.unlink(missing_ok=True)
    constraints = folder / "constraints.txt"
    constraints.write_text("\n".join((*below.packages, *additions.bounds)) + "\n", encoding="utf-8")
    present = [project_name(pin.partition("==")[0]) for pin in below.packages]
    overrides = folder / "overrides.txt"
    overrides.write_text("".join(f"{pin}\n" for pin in lenient_pins(below.packages)), encoding="utf-8")
    left_out = [option for name in present for option in ("--no-emit-package", name)]
    install(shell, uv, ["--constraint", str(constraints), "--override", str(overrides), *left_out], notify)
    (site,) = _own_sites(folder)
    put_stand_ins(additions.stand_ins, site)
    fit_to_cpu_torch(site, below.site_folders)
    lines = [f"import site; site.addsitedir({json.dumps(str(one))})" for one in below.site_folders]
    (site / "bugloss_below.pth").write_text("\n".join(lines) + "\n", encoding="utf-8")
    notify("compiling bytecode")
    compile_bytecode(shell, _LEFT_AS_SOURCE)


def _own_sites(folder: Path) -> list[Path]:
    return sorted(folder.glob("lib/python*/site-packages"))
