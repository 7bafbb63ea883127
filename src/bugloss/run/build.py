"""Builds one environment: with uv where there is one, else with venv and pip.

The steps are the same for both: make the folder, resolve, say the size of a large download, install,
compile. Bytecode is compiled here once because many shells forbid Python to write it, and then every
import of TensorFlow would pay for it again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from bugloss.core.errors import BuildFailed, Offline
from bugloss.run.download import large_download
from bugloss.run.interpreters import Interpreter
from bugloss.run.pip_settings import find_links_folders, uv_variables
from bugloss.run.stack import Stack

Notify = Callable[[str], None]

_NETWORK_WORDS = re.compile(
    r"dns error|name or service not known|temporary failure in name resolution|network is unreachable"
    r"|connection refused|failed to fetch|error sending request|newconnectionerror|network connectivity is disabled"
    r"|max retries exceeded",
    re.IGNORECASE,
)


# A PYTHONPATH of the user's would count as installed already, and bytecode is wanted.
_NOT_FOR_BUILDERS = ("VIRTUAL_ENV", "PYTHONPATH", "PYTHONHOME", "PYTHONDONTWRITEBYTECODE")


def find_uv() -> str | None:
    """uv beside this interpreter, or on PATH; ``BUGLOSS_UV=none`` does without it."""
    if os.environ.get("BUGLOSS_UV") == "none":
        return None
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.is_file() else shutil.which("uv")


def build(
    folder: Path,
    interpreter: Interpreter,
    stack: Stack,
    *,
    offline: bool,
    notify: Notify,
    keep_open: Sequence[int] = (),
) -> str:
    """Fills the folder; returns the name of the builder that did it.

    ``keep_open`` are file descriptors that the builder's own processes inherit: the lock, so that it
    is held as long as anything still writes to the folder, also after this process was killed.
    """
    folder.mkdir(parents=True)
    (folder.parent / f"{folder.name}.log").unlink(missing_ok=True)
    requirements = folder / "requirements.txt"
    requirements.write_text("\n".join(stack.packages) + "\n", encoding="utf-8")
    shell = _Shell(folder, stack, offline, keep_open)
    uv = find_uv()
    if uv:
        _build_with_uv(shell, uv, interpreter, requirements, notify)
    else:
        _build_with_pip(shell, interpreter, requirements, notify)
    notify("compiling bytecode")
    # Packages ship templates and Python 2 files that do not compile; the exit code says nothing.
    shell.try_run([str(folder / "bin" / "python"), "-m", "compileall", "-q", "-j", "0", str(folder / "lib")])
    return "uv" if uv else "pip"


def _build_with_uv(shell: _Shell, uv: str, interpreter: Interpreter, requirements: Path, notify: Notify) -> None:
    folder = shell.folder
    offline = ["--offline"] if shell.offline else []
    # The folder exists already (it holds the requirements), hence --allow-existing.
    shell.run([uv, "venv", "--quiet", "--allow-existing", "--python", str(interpreter.path), str(folder)])
    python = str(folder / "bin" / "python")
    lock = folder / "pylock.toml"
    notify(f"resolving {len(shell.stack.packages)} packages")
    compile_ = [uv, "pip", "compile", "--quiet", "--format", "pylock.toml", "--python", python, *offline]
    compile_ += [str(requirements), "-o", str(lock)]
    if not (_wants_cpu_index(shell.stack) and shell.try_run([*compile_, "--torch-backend", "cpu"])):
        shell.run(compile_)
    warning = None if shell.offline else large_download(lock)
    notify(warning or f"downloading and installing into {folder.name} (about {shell.stack.megabytes} MB on disk)")
    shell.run([uv, "pip", "sync", "--quiet", "--python", python, *offline, str(lock)])


def _build_with_pip(shell: _Shell, interpreter: Interpreter, requirements: Path, notify: Notify) -> None:
    if shell.offline:
        raise Offline(
            f"the stack '{shell.stack.name}' is not built, and pip cannot build it without the network.",
            hint=f"With a network: bugloss env build {shell.stack.name}",
        )
    folder = shell.folder
    shell.run([str(interpreter.path), "-m", "venv", str(folder)])
    pip = [str(folder / "bin" / "python"), "-m", "pip", "--disable-pip-version-check"]
    if interpreter.version.startswith(("3.6.", "3.7.")):
        notify("updating pip: the one that came with this Python does not know newer wheel tags")
        shell.run([*pip, "install", "--quiet", "--upgrade", "pip<22" if interpreter.version[2] == "6" else "pip<24"])
    notify(f"downloading and installing (about {shell.stack.megabytes} MB on disk)")
    shell.run([*pip, "install", "--quiet", "-r", str(requirements)])


def _wants_cpu_index(stack: Stack) -> bool:
    """Whether the CPU build of torch must be looked for: only where no folder of wheels has it already."""
    torch = [requirement for requirement in stack.packages if requirement.startswith("torch==")]
    if not torch or sys.platform == "darwin":
        return False
    pattern = f"torch-{torch[0].removeprefix('torch==')}+cpu-*.whl"
    return not any(folder.is_dir() and any(folder.glob(pattern)) for folder in find_links_folders())


class _Shell:
    """Runs the builder's commands, keeps their words in a log, and turns failures into our errors."""

    def __init__(self, folder: Path, stack: Stack, offline: bool, keep_open: Sequence[int]) -> None:
        self.folder = folder
        self.stack = stack
        self.offline = offline
        self.keep_open = keep_open
        self.log = folder.parent / f"{folder.name}.log"

    def run(self, command: Sequence[str]) -> None:
        words = self._attempt(command)
        if words is None:
            return
        if self.offline or _NETWORK_WORDS.search(words):
            raise Offline(
                f"the stack '{self.stack.name}' is not built and needs packages that only the network has.",
                hint=f"With a network: bugloss env build {self.stack.name}   (log: {self.log})",
            )
        raise BuildFailed(
            f"the stack '{self.stack.name}' could not be built: {_gist(words)}", hint=f"The whole log: {self.log}"
        )

    def try_run(self, command: Sequence[str]) -> bool:
        return self._attempt(command) is None

    def _attempt(self, command: Sequence[str]) -> str | None:
        """None when it went well, else what the command said."""
        environment = {**os.environ, **uv_variables(), "UV_PYTHON_DOWNLOADS": "never", "UV_NO_PROGRESS": "1"}
        for name in _NOT_FOR_BUILDERS:
            environment.pop(name, None)
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            env=environment, pass_fds=self.keep_open, check=False,
        )  # fmt: skip
        with self.log.open("a", encoding="utf-8") as log:
            log.write(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}")
        return None if done.returncode == 0 else done.stdout + done.stderr


def _gist(words: str) -> str:
    """The lines of a builder's output that say most: the first with 'error' and uv's cause for it, else the last."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower() or "no space" in line.lower()]
    causes = [line for line in lines if line.startswith("cause:")]
    return "; ".join((*(telling or lines[-1:] or ["it said nothing"])[:1], *causes[:1]))[:300]
