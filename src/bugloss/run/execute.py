"""Runs a program in an environment, shut in, and records everything about it as a ``Run``."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import IO

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.run import Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.run import sandbox
from bugloss.run.channel import Account, Channel
from bugloss.run.environment import Environment

STREAM_CHARACTERS = 40_000

_MEMORY_WORDS = ("can't allocate memory", "std::bad_alloc", "unable to allocate", "cannot allocate memory", "oom when")

# Both lie in the home folder of a run and are loaded before the program can change them.
_SUPERVISOR, _LAUNCHER = "supervise.py", "launch.py"

# Programs that run right now, whichever thread started them. Starting and listing are one step under the lock, so that
# ``stop_all`` misses no program another thread has just started; a signal handler's thread may hold it already.
_LIVE: set[subprocess.Popen[bytes]] = set()
_LISTING = threading.RLock()


@dataclass(frozen=True, slots=True)
class Job:
    """What to run: files to lay out in a fresh folder, the script among them, and its arguments.

    A file of ours is a path; one that lies in somebody else's folder is read through the door for foreign files.
    ``probes`` are modules of ours that are loaded before the program's folder can be looked into; ``installed`` are
    modules that come from the environment even where a file of the program has their name.
    """

    files: Mapping[str, Path | ForeignFile]
    script: str
    arguments: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    limits: Limits = field(default_factory=Limits)
    subject: Mapping[str, object] = field(default_factory=dict)
    probes: tuple[str, ...] = ()
    installed: tuple[str, ...] = ()


class InterruptedRun(KeyboardInterrupt):
    """Ctrl-C while a program ran: it was killed, and this is what it left."""

    def __init__(self, run: Run) -> None:
        super().__init__()
        self.run = run


def execute(job: Job, environment: Environment, isolation: Isolation | None = None) -> Run:
    """Runs the job once in a fresh working copy; nothing of it stays behind. Ctrl-C raises ``InterruptedRun``."""
    chosen = isolation or sandbox.isolation()
    orders = {"load": job.probes, "installed": job.installed}
    with scratch_room(environment) as room, Channel(orders) as channel:
        lay_out(job, room)
        command = _command(job, environment, room, chosen, channel)
        variables = variables_for(job.settings, environment, room, chosen)
        started = datetime.now(UTC)
        wrapped = sandbox.wrap(command, room, chosen, job.limits)
        try:
            ended = _run(wrapped, variables, room, job.limits.wall_seconds, channel)
        finally:
            if chosen.level == "limits":
                _kill_stragglers(room)
        said = channel.account()
    run = _record(job, environment, chosen, tuple(command), started, ended, said)
    if ended.interrupted:
        raise InterruptedRun(run)
    return run


def _command(
    job: Job, environment: Environment, room: sandbox.Room, chosen: Isolation, channel: Channel
) -> tuple[str, ...]:
    """The supervisor, isolated from every variable and folder, which starts the launcher with the script."""
    supervisor, launcher = (sandbox.inside(room.home / name, room, chosen) for name in (_SUPERVISOR, _LAUNCHER))
    supervised = (environment.python, "-I", "-S", supervisor, str(channel.inner))
    return (*supervised, environment.python, launcher, job.script, *job.arguments)


def stop_all() -> None:
    """Kills every program that runs now; their runs end as killed."""
    with _LISTING:
        live = tuple(_LIVE)
    for process in live:
        kill(process)


@dataclass(frozen=True, slots=True)
class _Ended:
    code: int | None
    seconds: float
    stdout: Stream
    stderr: Stream
    interrupted: bool = False


@contextmanager
def scratch_room(environment: Environment) -> Iterator[sandbox.Room]:
    """A scratch home and working copy, removed afterwards whatever happens."""
    try:
        scratch = tempfile.TemporaryDirectory(prefix="bugloss-", ignore_cleanup_errors=True)
    except OSError as error:
        raise EnvironmentFailure(
            f"no scratch folder can be made in {tempfile.gettempdir()}: {error.strerror}.",
            hint="Make room there, or name another place: export TMPDIR=/path",
        ) from error
    with scratch as top:
        work, home = Path(top, "work"), Path(top, "home")
        work.mkdir()
        home.mkdir()
        yield sandbox.Room(work, home, (Path(environment.path), Path(environment.prefix)))


def lay_out(job: Job, room: sandbox.Room) -> None:
    """Copies the job's files into its room, and into its home what starts and judges them."""
    probes = Path(str(files("bugloss.probes")))
    names = (_SUPERVISOR, _LAUNCHER, *(f"{name}.py" for name in job.probes))
    targets = {room.work / name: source for name, source in job.files.items()}
    targets |= {room.home / name: probes / name for name in names}
    for target, source in targets.items():
        try:
            content = source.read_bytes()
        except OSError as error:
            raise InvalidInput(f"{source} cannot be read: {error.strerror}.") from error
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError as error:
            raise EnvironmentFailure(f"the scratch folder cannot be written: {error.strerror}.") from error


def variables_for(
    settings: Settings, environment: Environment, room: sandbox.Room, chosen: Isolation
) -> dict[str, str]:
    """The environment variables that a program gets, and no others."""
    threads = str(settings.threads)
    return {
        "PATH": f"{environment.path}/bin:/usr/bin:/bin",
        "HOME": sandbox.inside(room.home, room, chosen),
        "USER": "subject",
        "LOGNAME": "subject",
        "TMPDIR": sandbox.inside(room.home, room, chosen),
        "TZ": settings.time_zone,
        "LC_ALL": settings.locale,
        "PYTHONHASHSEED": str(settings.hash_seed),
        "PYTHONIOENCODING": "utf-8",
        "OMP_NUM_THREADS": threads,
        "MKL_NUM_THREADS": threads,
        "OPENBLAS_NUM_THREADS": threads,
        "TF_NUM_INTRAOP_THREADS": threads,
        "TF_NUM_INTEROP_THREADS": threads,
        "TF_CPP_MIN_LOG_LEVEL": "2",
        "CUDA_VISIBLE_DEVICES": "",
        "BUGLOSS_SEED": str(settings.seed),
        **environment.variables,
    }


def _run(
    command: list[str], variables: Mapping[str, str], room: sandbox.Room, wall_seconds: float, channel: Channel
) -> _Ended:
    """Starts the command in a session of its own; on time-out or Ctrl-C the whole session is killed."""
    start = time.monotonic()
    # Files without a name: the program can neither read nor remove what it wrote.
    with tempfile.TemporaryFile(dir=room.home.parent) as out, tempfile.TemporaryFile(dir=room.home.parent) as err:
        process = start_program(command, variables, room, subprocess.DEVNULL, out, err, (channel.inner,))
        channel.listen()
        code, interrupted = None, False
        try:
            code = process.wait(timeout=wall_seconds)
        except subprocess.TimeoutExpired:
            pass
        except KeyboardInterrupt:
            interrupted = True
        finally:
            kill(process)
        seconds = time.monotonic() - start
        return _Ended(code, seconds, read_stream(out), read_stream(err), interrupted)


def start_program(
    command: list[str],
    variables: Mapping[str, str],
    room: sandbox.Room,
    stdin: int,
    stdout: IO[bytes] | int,
    stderr: IO[bytes],
    inherited: tuple[int, ...] = (),
) -> subprocess.Popen[bytes]:
    """Starts a command in a session of its own and in its room; ``stop_all`` knows of it from then on."""
    with _LISTING:
        process = subprocess.Popen(
            command,
            env=variables,
            cwd=room.work,
            stdin=stdin,
            stdout=stdout,
            stderr=stderr,
            start_new_session=True,
            pass_fds=inherited,
        )
        _LIVE.add(process)
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills a program and all that it started, and waits until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _LIVE.discard(process)


def _kill_stragglers(room: sandbox.Room) -> None:
    """Where no process namespace holds them: daemons that left the session, known by the home that they were given."""
    mark = os.fsencode(f"HOME={room.home}\0")
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def _record(
    job: Job,
    environment: Environment,
    chosen: Isolation,
    command: tuple[str, ...],
    started: datetime,
    ended: _Ended,
    said: Account,
) -> Run:
    exception = said.believed_exception
    return Run(
        command=command,
        outcome=_outcome(ended, said, exception),
        exit_code=ended.code,
        seconds=round(ended.seconds, 3),
        peak_megabytes=round(said.end.peak_kilobytes / 1024, 1) if said.came_to_end and said.end else None,
        exception=exception,
        evidence=said.events,
        stdout=ended.stdout,
        stderr=ended.stderr,
        settings=job.settings,
        limits=job.limits,
        isolation=chosen,
        environment=environment.digest,
        python=environment.python_version,
        started_at=started.isoformat(timespec="seconds"),
        subject=job.subject,
    )


def _outcome(ended: _Ended, said: Account, exception: RaisedException | None) -> Outcome:
    if ended.interrupted:
        return Outcome.INTERRUPTED
    if ended.code is None:
        return Outcome.TIMED_OUT
    if said.is_cut:
        return Outcome.TOO_MUCH_EVIDENCE
    if _ran_out_of_memory(ended, exception, said.came_to_end):
        return Outcome.OUT_OF_MEMORY
    if not said.came_to_end:
        return Outcome.KILLED
    if exception is not None:
        return Outcome.RAISED
    return Outcome.FINISHED if ended.code == 0 else Outcome.EXITED


def _ran_out_of_memory(ended: _Ended, exception: RaisedException | None, came_to_end: bool) -> bool:
    if exception is not None:
        words = exception.message.lower()
        return exception.is_a("MemoryError") or any(part in words for part in _MEMORY_WORDS)
    return not came_to_end and any(part in ended.stderr.text[-2000:].lower() for part in _MEMORY_WORDS)


def read_stream(source: IO[bytes]) -> Stream:
    """Long output keeps its first quarter and its last three: errors stand at the end."""
    head_length = STREAM_CHARACTERS // 4
    tail_length = STREAM_CHARACTERS - head_length
    source.seek(0)
    text = io.TextIOWrapper(source, "utf-8", "replace", newline="")
    head = tail = ""
    length = 0
    while chunk := text.read(2**20):
        length += len(chunk)
        room = head_length - len(head)
        head += chunk[:room]
        tail = (tail + chunk[room:])[-tail_length:]
    text.detach()
    excess = length - STREAM_CHARACTERS
    if excess <= 0:
        return Stream(head + tail)
    return Stream(f"{head}\n… {excess} characters left out …\n{tail}", excess)
