"""Builds one environment with uv: make the folder, resolve, say the size of a large download, install, compile.

A bug names packages, so a build handles foreign files. Nothing of them is run: only wheels are installed, by the
hashes in the lock, and the interpreter of the new environment is never started: it would run what a wheel put into a
``.pth`` file. (What has no wheel is built in a sandbox: see ``source_build``.) Bytecode is compiled once because many
shells forbid Python to write it, and then every import of TensorFlow would pay for it again.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from bugloss.core.errors import BuildFailed, EnvironmentFailure, Offline
from bugloss.run import workshop
from bugloss.run.download import large_download
from bugloss.run.interpreters import PythonInterpreter
from bugloss.run.pip_settings import find_links_folders, index_flags, installer_variables
from bugloss.run.source_build import SourceBuilder, refuse_without_consent
from bugloss.stacks.stack import Stack, project_name

Notify = Callable[[str], None]

_NETWORK_WORDS = re.compile(
    r"dns error|name or service not known|temporary failure in name resolution|network is unreachable"
    r"|connection refused|failed to fetch|error sending request|newconnectionerror|network connectivity is disabled"
    r"|max retries exceeded",
    re.IGNORECASE,
)


_NO_WHEEL = re.compile(r"wheels are required for `([^`]+)`", re.IGNORECASE)


def find_uv() -> str | None:
    """uv beside this interpreter, or on PATH."""
    beside = Path(sys.executable).with_name("uv")
    return str(beside) if beside.is_file() else shutil.which("uv")


def build(
    folder: Path,
    interpreter: PythonInterpreter,
    stack: Stack,
    *,
    offline: bool,
    notify: Notify,
    source_builds: bool = False,
    keep_open: Sequence[int] = (),
) -> str:
    """Fills the folder; returns the name of the builder that did it.

    ``source_builds`` is the user's consent to build what a bug brings as source. ``keep_open`` are file descriptors
    that the builder's own processes inherit: the lock, so that it is held as long as anything still writes to the
    folder, also after this process was killed.
    """
    refuse_without_consent(stack, source_builds)
    uv = find_uv()
    if uv is None:
        raise EnvironmentFailure("uv is not installed.", hint="Install it: pip install uv")
    folder.mkdir(parents=True)
    (folder.parent / f"{folder.name}.log").unlink(missing_ok=True)
    shell = Shell(folder, stack, interpreter, offline, keep_open)
    builder = SourceBuilder(uv, interpreter, shell.write_log)
    for package in stack.source_packages():
        notify(f"building {package.requirement} from source")
        shell.look_in(builder.provide(package))
    install(shell, uv, [], notify)
    notify("compiling bytecode")
    compile_bytecode(shell)
    return "uv"


def install(shell: Shell, uv: str, options: Sequence[str], notify: Notify) -> None:
    """Makes the folder an environment with the shell's packages; ``options`` are for their resolution."""
    folder = shell.folder
    requirements, lock, python = folder / "requirements.txt", folder / "pylock.toml", str(folder / "bin" / "python")
    requirements.write_text("\n".join(shell.stack.packages) + "\n", encoding="utf-8")
    where = [*index_flags(), *(["--offline"] if shell.offline else [])]
    # The folder exists already (it holds the requirements), hence --allow-existing.
    shell.run([uv, "venv", "--quiet", "--allow-existing", "--python", str(shell.interpreter.path), str(folder)])
    notify(f"resolving {len(shell.stack.packages)} {'package' if len(shell.stack.packages) == 1 else 'packages'}")
    compile_ = [uv, "pip", "compile", "--quiet", "--no-build", "--format", "pylock.toml", "--python", python, *where]
    compile_ += [*options, str(requirements), "-o", str(lock)]
    if not (_wants_cpu_index(shell) and shell.try_run([*compile_, "--torch-backend", "cpu"])):
        shell.run(compile_)
    warning = None if shell.offline else large_download(lock)
    size = f" (about {shell.stack.megabytes} MB on disk)" if shell.stack.megabytes else ""
    notify(warning or f"downloading and installing into {folder.name}{size}")
    sync = [uv, "pip", "sync", "--quiet", "--no-build", "--no-compile-bytecode", "--python", python, *where]
    shell.run([*sync, str(lock)])


def compile_bytecode(shell: Shell, skip: str = "") -> None:
    """By the interpreter that the environment was made from, without ``site``: no .pth file is read.

    Packages ship templates and Python 2 files that do not compile; the exit code says nothing. ``skip`` is a pattern
    of paths that are left as source.
    """
    packages = shell.folder / "lib"
    command = [str(shell.interpreter.path), "-I", "-S", "-m", "compileall", "-q", "-j", "0"]
    command += [*(["-x", skip] if skip else []), str(packages)]
    if workshop.can_isolate():
        command = workshop.confined(command, packages, [shell.interpreter.prefix])
    shell.try_run(command, {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})


def _wants_cpu_index(shell: Shell) -> bool:
    """Whether CPU builds of torch and its companions must be looked for: only where no folder of wheels has torch."""
    releases = [pin.removeprefix("torch==") for pin in shell.pins if pin.startswith("torch==")]
    if not releases or sys.platform == "darwin" or not any(name.startswith("torch") for name in shell.stack.packages):
        return False
    pattern = f"torch-{releases[0]}+cpu-*.whl"
    return not any(folder.is_dir() and any(folder.glob(pattern)) for folder in find_links_folders())


class Shell:
    """Runs the builder's commands, keeps their words in a log, and turns failures into our errors.

    ``pins`` are the packages that are there in the end; those of the stack unless it is layered over others.
    """

    def __init__(
        self,
        folder: Path,
        stack: Stack,
        interpreter: PythonInterpreter,
        offline: bool,
        keep_open: Sequence[int],
        pins: Sequence[str] | None = None,
    ) -> None:
        self.folder = folder
        self.stack = stack
        self.pins = stack.packages if pins is None else pins
        self.interpreter = interpreter
        self.offline = offline
        self.keep_open = keep_open
        self.log = folder.parent / f"{folder.name}.log"
        self.variables = installer_variables()

    def look_in(self, wheels: Path) -> None:
        """Adds a folder to those where wheels are found."""
        named = [self.variables.get("UV_FIND_LINKS", ""), str(wheels)]
        self.variables["UV_FIND_LINKS"] = ",".join(filter(None, named))

    def run(self, command: Sequence[str]) -> None:
        words = self._attempt(command, self.variables)
        if words is None:
            return
        lacking = _NO_WHEEL.search(words)
        if lacking:
            raise self._no_wheel(lacking[1])
        if self.offline or _NETWORK_WORDS.search(words):
            raise Offline(
                f"the stack '{self.stack.name}' is not built, and its packages have to be downloaded.",
                hint=f"When online: bugloss env build {self.stack.name}   (log: {self.log})",
            )
        raise BuildFailed(
            f"the stack '{self.stack.name}' could not be built: {_summarize(words)}", hint=f"The whole log: {self.log}"
        )

    def try_run(self, command: Sequence[str], variables: Mapping[str, str] | None = None) -> bool:
        return self._attempt(command, self.variables if variables is None else variables) is None

    def _attempt(self, command: Sequence[str], variables: Mapping[str, str]) -> str | None:
        """None when it went well, else what the command said."""
        # In the new folder: a uv.toml or pyproject.toml of the place where the user stands is not for us.
        done = subprocess.run(
            command, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            cwd=self.folder, env=variables, pass_fds=self.keep_open, check=False,
        )  # fmt: skip
        self.write_log(f"$ {' '.join(command)}\n{done.stdout}{done.stderr}")
        return None if done.returncode == 0 else done.stdout + done.stderr

    def _no_wheel(self, name: str) -> BuildFailed:
        named = (pin for pin in self.stack.packages if project_name(pin.partition("==")[0]) == project_name(name))
        return BuildFailed(
            f"{next(named, name)} has no wheel for Python {self.interpreter.version} on this machine, and packages are "
            "built from source only if bug.toml says so.",
            hint=f'In bug.toml: from_source = {{ {name} = "sha256:…" }}; then run with --allow-source-builds.',
        )

    def write_log(self, text: str) -> None:
        with self.log.open("a", encoding="utf-8") as log:
            log.write(text)


def _summarize(words: str) -> str:
    """The lines of a builder's output that say most: the first with 'error' and uv's cause for it, else the last."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower() or "no space" in line.lower()]
    causes = [line for line in lines if line.startswith("cause:")]
    return "; ".join((*(telling or lines[-1:] or ["no output"])[:1], *causes[:1]))[:300]
