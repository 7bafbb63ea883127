"""Runs a program in an environment, sandboxed, and records everything about it as a ``Run``."""

from __future__ import annotations

import os
import select
import signal
import subprocess
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
from bugloss.run.attendant import Attendant
from bugloss.run.channel import Account, Channel
from bugloss.run.environment import Environment
from bugloss.run.listener import Listener
from bugloss.run.sandbox import processes
from bugloss.run.sandbox.cgroups import new_group
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.run.streams import HeadAndTail

_MEMORY_WORDS = ("can't allocate memory", "std::bad_alloc", "unable to allocate", "cannot allocate memory", "oom when")

# Both lie in the home folder of a run and are loaded before the program can change them.
_SUPERVISOR, _LAUNCHER = "supervise.py", "launch.py"

# Without network these libraries would try again for half a minute at each download before they say that there is none.
_OFFLINE = {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "TRANSFORMERS_OFFLINE": "1"}

# Programs that run right now, whichever thread started them. Starting and listing are one step under the lock, so that
# ``stop_all`` misses no program another thread has just started; a signal handler's thread may hold it already.
_LIVE: set[subprocess.Popen[bytes]] = set()
_LISTING = threading.RLock()


@dataclass(frozen=True, slots=True)
class Job:
    """What to run: files to lay out in a fresh folder, the script among them, and its arguments.

    A file of ours is a path; one in somebody else's folder is read through the door for foreign files. ``probes`` are
    modules of ours that are loaded before the program's folder can be looked into; ``installed`` are modules that
    come from the environment even where a file of the program has their name.
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


def execute(
    job: Job,
    environment: Environment,
    isolation: Isolation | None = None,
    stdin: int = subprocess.DEVNULL,
    listener: Listener | None = None,
) -> Run:
    """Runs the job once in a fresh working copy; nothing of it stays behind. Ctrl-C raises ``InterruptedRun``.

    ``stdin`` is a descriptor of a file or pipe that the program reads; never a terminal, into which it could type.
    """
    chosen = isolation or sandbox.isolation()
    heard = listener or Listener()
    orders = {"load": job.probes, "installed": job.installed}
    with scratch_room(environment) as room, Channel(orders, heard.event) as channel:
        lay_out(job, room)
        command = _command(job, environment, room, chosen, channel)
        variables = variables_for(job.settings, environment, room, chosen)
        if listener is not None:  # who listens wants to hear it at once
            variables["PYTHONUNBUFFERED"] = "1"
        started = datetime.now(UTC)
        wrapped = sandbox.wrap(command, room, chosen, job.limits)
        try:
            ended = _run(wrapped, variables, room, chosen, job.limits, channel, stdin, heard)
        finally:
            if chosen.level == "limits":
                _kill_stragglers(room)
        said = channel.account()
    run = record_run(job, environment, chosen, tuple(command), started, ended, said)
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
class Ended:
    """How the processes of a run ended, and what they printed."""

    code: int | None
    seconds: float
    stdout: Stream
    stderr: Stream
    stopped: sandbox.Excess | None = None
    interrupted: bool = False


@contextmanager
def scratch_room(environment: Environment) -> Iterator[sandbox.Room]:
    """A scratch home and working copy, removed afterwards whatever happens."""
    with scratch_folder() as top:
        work, home = top / "work", top / "home"
        work.mkdir()
        home.mkdir()
        group = new_group()
        try:
            yield sandbox.Room(work, home, environment.folders, group)
        finally:
            if group is not None:
                group.remove()


def lay_out(job: Job, room: sandbox.Room) -> None:
    """Copies the job's files into its room, and into its home what starts and judges them."""
    probes = Path(str(files("bugloss.probes")))
    names = (_SUPERVISOR, _LAUNCHER, *(f"{name}.py" for name in job.probes))
    targets = {room.work / name: source for name, source in job.files.items()}
    targets |= {room.home / name: probes / name for name in names}
    for target, source in targets.items():
        content = read_source(source)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(content)
        except OSError as error:
            raise EnvironmentFailure(f"the temporary folder cannot be written: {error.strerror}.") from error


def read_source(source: Path | ForeignFile) -> bytes:
    """What a file of a job contains."""
    try:
        return source.read_bytes()
    except OSError as error:
        raise InvalidInput(f"{source} cannot be read: {error.strerror}.") from error


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
        **(_OFFLINE if sandbox.NO_NETWORK in chosen.guarantees else {}),
        **environment.variables,
    }


def _run(
    command: list[str],
    variables: Mapping[str, str],
    room: sandbox.Room,
    chosen: Isolation,
    limits: Limits,
    channel: Channel,
    stdin: int,
    listener: Listener,
) -> Ended:
    """Starts the command in a session of its own; on time-out or Ctrl-C the whole session is killed."""
    start = time.monotonic()
    pipe = subprocess.PIPE
    process = start_program(command, variables, room, stdin, pipe, pipe, (channel.inner,))
    channel.listen()
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = HeadAndTail(listener.output), HeadAndTail(listener.output)
    attendant = attend(process, {process.stdout: out, process.stderr: err}, room, chosen, limits)
    code, interrupted = None, False
    try:
        code = _wait(process, limits.wall_seconds)
    except KeyboardInterrupt:
        interrupted = True
    finally:
        kill(process)
        stopped = attendant.leave()
    seconds = time.monotonic() - start
    return Ended(code, seconds, out.stream(), err.stream(), stopped, interrupted)


def _wait(process: subprocess.Popen[bytes], seconds: float) -> int | None:
    """The exit code, or None when time is up. ``Popen.wait`` would look only every 50 ms."""
    try:
        handle = os.pidfd_open(process.pid)
    except (AttributeError, OSError):  # not Linux, or before 5.3
        with suppress(subprocess.TimeoutExpired):
            return process.wait(timeout=seconds)
        return None
    try:
        waiting = select.poll()
        waiting.register(handle, select.POLLIN)
        return process.wait() if waiting.poll(seconds * 1000) else None
    finally:
        os.close(handle)


def attend(
    process: subprocess.Popen[bytes],
    streams: Mapping[IO[bytes], HeadAndTail],
    room: sandbox.Room,
    chosen: Isolation,
    limits: Limits,
) -> Attendant:
    """Somebody who reads what the program prints and stops it at its limits."""
    watch = sandbox.watch(process.pid, room, chosen, limits)
    attendant = Attendant(streams, watch, lambda: _send_kill(process))
    attendant.start()
    return attendant


def start_program(
    command: list[str],
    variables: Mapping[str, str],
    room: sandbox.Room,
    stdin: int,
    stdout: IO[bytes] | int,
    stderr: IO[bytes] | int,
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
    if process.poll() is None:
        _send_kill(process)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _LIVE.discard(process)


def _send_kill(process: subprocess.Popen[bytes]) -> None:
    """Whoever is below the program, in its session or not; it is not reaped yet, so its number is its own."""
    processes.end_family(process.pid)


def _kill_stragglers(room: sandbox.Room) -> None:
    """Where no process namespace holds them: daemons that left the session, known by the home that they were given."""
    mark = os.fsencode(f"HOME={room.home}\0")
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def record_run(
    job: Job,
    environment: Environment,
    chosen: Isolation,
    command: tuple[str, ...],
    started: datetime,
    ended: Ended,
    said: Account,
) -> Run:
    """The run as it is kept: what the supervisor said of it decides over what the program did."""
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
        stopped=ended.stopped.words if ended.stopped is not None else None,
    )


def _outcome(ended: Ended, said: Account, exception: RaisedException | None) -> Outcome:
    if ended.interrupted:
        return Outcome.INTERRUPTED
    if ended.stopped is not None:
        return Outcome.OUT_OF_MEMORY if ended.stopped.memory else Outcome.KILLED
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


def _ran_out_of_memory(ended: Ended, exception: RaisedException | None, came_to_end: bool) -> bool:
    if exception is not None:
        words = exception.message.lower()
        return exception.is_a("MemoryError") or any(part in words for part in _MEMORY_WORDS)
    return not came_to_end and any(part in ended.stderr.text[-2000:].lower() for part in _MEMORY_WORDS)
