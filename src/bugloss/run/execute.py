"""Runs a program in an environment, shut in, and records everything about it as a ``Run``."""

from __future__ import annotations

import io
import os
import signal
import subprocess
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path
from typing import IO

from bugloss.core.codec import decode
from bugloss.core.documents import parse_json
from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.run import Isolation, Limits, Outcome, RaisedException, Run, Settings, Stream
from bugloss.run import sandbox
from bugloss.run.environment import Environment

STREAM_CHARACTERS = 40_000

_MEMORY_WORDS = ("can't allocate memory", "std::bad_alloc", "unable to allocate", "cannot allocate memory", "oom when")


# What launch.py writes itself; the exception and the end are fields of a run already.
_OF_THE_LAUNCHER = ("exception", "ended")

# Programs that run right now, whichever thread started them. Starting and listing are one step under the lock, so that
# ``stop_all`` misses no program another thread has just started; a signal handler's thread may hold it already.
_LIVE: set[subprocess.Popen[bytes]] = set()
_LISTING = threading.RLock()


@dataclass(frozen=True, slots=True)
class Job:
    """What to run: files to lay out in a fresh folder, the script among them, and its arguments."""

    files: Mapping[str, Path]
    script: str
    arguments: tuple[str, ...] = ()
    settings: Settings = field(default_factory=Settings)
    limits: Limits = field(default_factory=Limits)
    subject: Mapping[str, object] = field(default_factory=dict)


def execute(job: Job, environment: Environment, isolation: Isolation | None = None) -> Run:
    """Runs the job once in a fresh working copy; nothing of it stays behind."""
    chosen = isolation or sandbox.isolation()
    with scratch_room(environment) as room:
        lay_out(job, room)
        evidence = room.home / "evidence.jsonl"
        evidence.touch()
        command = [
            environment.python,
            sandbox.inside(room.home / "launch.py", room, chosen),
            job.script,
            *job.arguments,
        ]
        variables = variables_for(job.settings, environment, room, chosen, evidence)
        started = datetime.now(UTC)
        try:
            ended = _run(sandbox.wrap(command, room, chosen, job.limits), variables, room, job.limits.wall_seconds)
        finally:
            if chosen.level == "limits":
                _kill_stragglers(evidence)
        events = tuple(_read_events(evidence))
    return _record(job, environment, chosen, tuple(command), started, ended, events)


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
    """Copies the job's files into its room, and the launcher beside them."""
    launcher = Path(str(files("bugloss.probes") / "launch.py"))
    targets = {room.work / name: source for name, source in job.files.items()} | {room.home / "launch.py": launcher}
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
    settings: Settings, environment: Environment, room: sandbox.Room, chosen: Isolation, evidence: Path
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
        "BUGLOSS_EVIDENCE": sandbox.inside(evidence, room, chosen),
        **environment.variables,
    }


def _run(command: list[str], variables: Mapping[str, str], room: sandbox.Room, wall_seconds: float) -> _Ended:
    """Starts the command in a session of its own; on time-out or Ctrl-C the whole session is killed."""
    start = time.monotonic()
    # Files without a name: the program can neither read nor remove what it wrote.
    with tempfile.TemporaryFile(dir=room.home.parent) as out, tempfile.TemporaryFile(dir=room.home.parent) as err:
        process = start_program(command, variables, room, subprocess.DEVNULL, out, err)
        try:
            code: int | None = process.wait(timeout=wall_seconds)
        except subprocess.TimeoutExpired:
            code = None
        finally:
            kill(process)
        seconds = time.monotonic() - start
        return _Ended(code, seconds, read_stream(out), read_stream(err))


def start_program(
    command: list[str],
    variables: Mapping[str, str],
    room: sandbox.Room,
    stdin: int,
    stdout: IO[bytes] | int,
    stderr: IO[bytes],
) -> subprocess.Popen[bytes]:
    """Starts a command in a session of its own and in its room; ``stop_all`` knows of it from then on."""
    with _LISTING:
        process = subprocess.Popen(
            command, env=variables, cwd=room.work, stdin=stdin, stdout=stdout, stderr=stderr, start_new_session=True
        )
        _LIVE.add(process)
    return process


def kill(process: subprocess.Popen[bytes]) -> None:
    """Kills a program and all that it started, and waits until it is gone."""
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    _LIVE.discard(process)


def _kill_stragglers(evidence: Path) -> None:
    """Where no process namespace holds them: daemons that left the session, betrayed by their environment."""
    mark = os.fsencode(f"BUGLOSS_EVIDENCE={evidence}\0")
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if mark in (process / "environ").read_bytes():
                os.kill(int(process.name), signal.SIGKILL)


def _read_events(path: Path) -> Iterator[dict[str, object]]:
    """The probe's lines; a line cut short by a kill is left out, and so is what is no plain file any more."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        with os.fdopen(handle, encoding="utf-8", errors="replace") as evidence:
            lines = evidence.read().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            event = parse_json(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield event


def _is_evidence(event: Mapping[str, object]) -> bool:
    """What an oracle or another probe wrote; lines of any other form are the program's own."""
    known = "oracle" in event or "probe" in event or "event" in event
    return known and event.get("event") not in _OF_THE_LAUNCHER


def _record(
    job: Job,
    environment: Environment,
    chosen: Isolation,
    command: tuple[str, ...],
    started: datetime,
    ended: _Ended,
    events: tuple[dict[str, object], ...],
) -> Run:
    exception = _exception(events)
    last = _last(events, ended.code)
    peak = last.get("peak_kilobytes") if last else None
    return Run(
        command=command,
        outcome=_outcome(ended, exception, last is not None),
        exit_code=ended.code,
        seconds=round(ended.seconds, 3),
        peak_megabytes=round(peak / 1024, 1) if isinstance(peak, int) else None,
        exception=exception,
        evidence=tuple(event for event in events if _is_evidence(event)),
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


def _outcome(ended: _Ended, exception: RaisedException | None, came_to_end: bool) -> Outcome:
    if ended.code is None:
        return Outcome.TIMED_OUT
    if _ran_out_of_memory(ended, exception, came_to_end):
        return Outcome.OUT_OF_MEMORY
    if not came_to_end:
        return Outcome.KILLED
    if exception is not None:
        return Outcome.RAISED
    return Outcome.FINISHED if ended.code == 0 else Outcome.EXITED


def _ran_out_of_memory(ended: _Ended, exception: RaisedException | None, came_to_end: bool) -> bool:
    if exception is not None:
        words = exception.message.lower()
        return exception.is_a("MemoryError") or any(part in words for part in _MEMORY_WORDS)
    return not came_to_end and any(part in ended.stderr.text[-2000:].lower() for part in _MEMORY_WORDS)


def _exception(events: Iterable[Mapping[str, object]]) -> RaisedException | None:
    for event in events:
        if event.get("event") == "exception":
            with suppress(InvalidInput):  # the program can write to that file, too
                return decode(RaisedException, event.get("exception"))
    return None


def _last(events: Iterable[dict[str, object]], code: int | None) -> dict[str, object] | None:
    """The launcher's last word, unless the exit code belies it: some programs crash after their last line."""
    for event in events:
        if event.get("event") == "ended":
            said = event.get("exit")
            crashed = code is not None and not 0 <= code <= 128
            return None if crashed and not (isinstance(said, int) and said % 256 == code) else event
    return None


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
