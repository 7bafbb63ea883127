"""A training that another program logged becomes a run: its curves are diagnosed and drawn without running it again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path, PurePath

from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import open_inside, shown
from bugloss.core.foreign_folder import content_of
from bugloss.core.named_file import read_named_text
from bugloss.core.plural import plural
from bugloss.core.run import Outcome
from bugloss.observe.logs.curves import CurveCollector, LoggedCurves
from bugloss.observe.logs.event_file import is_event_file, read_event_file
from bugloss.observe.logs.names import role_of
from bugloss.observe.logs.table import LARGEST_TABLE, read_csv, read_json_lines
from bugloss.observe.logs.training import LoggedTraining, events_of, read_words, training_of
from bugloss.observe.logs.wandb_file import read_wandb_file
from bugloss.record.runs import EVENTS, RunFacts, RunFolder, new_run
from bugloss.workflows.run_seal import seal

TENSORBOARD, WANDB, TABLE = "TensorBoard", "W&B", "table"
UNSEEN = "layers, gradients, weights, data and source code"
_TABLES = (".csv", ".jsonl", ".json")
_TABLE_NAMES = ("wandb-history.jsonl", "trainer_state.json", "metrics.csv", "history.csv", "training.csv", "log.csv")
_DEEPEST, _MOST_FILES = 8, 20_000
_MOST_NAMED = 5


@dataclass(frozen=True, slots=True)
class Log:
    """The files of one logged training, below a folder."""

    kind: str
    target: Path
    root: Path
    names: tuple[str, ...]


def find_log(target: Path) -> Log | None:
    """The log that a path names; None where it is none. Several trainings below one folder are an error."""
    if target.is_file():
        kind = _kind(target.name)
        return Log(kind, target, target.resolve().parent, (target.resolve().name,)) if kind else None
    if not target.is_dir():
        return None
    root = target.resolve()
    found = content_of(root, most_files=_MOST_FILES, most_bytes=2**50, deepest=_DEEPEST)
    by_kind: dict[str, list[str]] = {}
    for name in found.names:
        kind = _kind(name)
        if kind and (kind != TABLE or PurePath(name).name in _TABLE_NAMES):
            by_kind.setdefault(kind, []).append(name)
    for kind in (WANDB, TENSORBOARD, TABLE):
        if kind in by_kind:
            return Log(kind, target, root, _of_one_run(kind, by_kind[kind], target))
    return None


def _kind(name: str) -> str:
    if is_event_file(PurePath(name).name):
        return TENSORBOARD
    if name.endswith(".wandb"):
        return WANDB
    return TABLE if name.endswith(_TABLES) else ""


def _of_one_run(kind: str, names: list[str], target: Path) -> tuple[str, ...]:
    """The files, if they are of one training; its parts may be folders such as ``train`` and ``validation``."""
    runs: dict[str, list[str]] = {}
    for name in sorted(names):
        runs.setdefault(_run_of(PurePath(name).parent) if kind == TENSORBOARD else name, []).append(name)
    if len(runs) > 1:
        folders = [str(target / (run if kind == TENSORBOARD else PurePath(run).parent)) for run in runs]
        some = ", ".join(shown(one) for one in folders[:_MOST_NAMED])
        more = f" and {len(folders) - _MOST_NAMED} more" if len(folders) > _MOST_NAMED else ""
        raise InvalidInput(
            f"{shown(target)} contains the logs of {len(runs)} trainings: {some}{more}.", hint="Name one of them."
        )
    return tuple(next(iter(runs.values())))


def _run_of(folder: PurePath) -> str:
    """The run's folder: of a part, as Keras and ``add_scalars`` make them, the one around it."""
    return str(folder.parent if _is_part(folder.name) else folder)


def _is_part(name: str) -> bool:
    """``train``, ``validation``, ``Loss_val``; not ``train_2``, which is the name of a training."""
    role = role_of(f"{name} loss")
    return bool(name) and role is not None and role.phase is not None and not role.specific


def import_log(log: Log) -> RunFolder:
    """Records the curves as a run; an error where the log has no training loss."""
    logged, code = _read(log)
    training = training_of(logged)
    if not training.used:
        raise InvalidInput(_nothing_found(log, logged), hint=_names_hint(logged))
    folder = new_run()
    folder.write_text(EVENTS, "".join(f"{json.dumps(event)}\n" for event in events_of(training)))
    folder.write_facts(seal(_facts(log, logged, training, code)))
    return folder


def _read(log: Log) -> tuple[LoggedCurves, int | None]:
    into, code = CurveCollector(), None
    for name in log.names:
        if log.kind == TABLE:
            path = log.root / name
            (read_csv if name.endswith(".csv") else read_json_lines)(_table_text(path), shown(path.name), into)
            continue
        with open_inside(log.root, name) as file:
            if log.kind == WANDB:
                code = read_wandb_file(file, shown(name), into)
            else:
                folder = PurePath(name).parent.name
                read_event_file(file, shown(name), folder if _is_part(folder) else "", into)
    return into.collected(log.kind), code


def _table_text(path: Path) -> str:
    return read_named_text(path, LARGEST_TABLE, errors="replace")


def _nothing_found(log: Log, logged: LoggedCurves) -> str:
    where = shown(log.target)
    damage = f" ({'; '.join(logged.notes)})" if logged.notes else ""
    if not logged.unread:
        return f"{where} has no curves{damage}."
    named = ", ".join(shown(name) for name in logged.unread[:_MOST_NAMED])
    return f"{where} has no curve whose name says loss or accuracy; its curves are {named}{damage}."


def _names_hint(logged: LoggedCurves) -> str:
    return "Names such as loss, val_loss, train/acc or eval/accuracy are read." if logged.unread else ""


def _facts(log: Log, logged: LoggedCurves, training: LoggedTraining, code: int | None) -> RunFacts:
    outcome = Outcome.FINISHED if not code else Outcome.of_exit_code(code)
    return RunFacts(
        script=_named(log),
        folder=str(log.root),
        started_at=datetime.now(UTC).isoformat(timespec="seconds"),
        outcome=outcome,
        exit_code=code,
        curves=log.kind,
        notes=tuple(_notes(logged, training)),
    )


def _named(log: Log) -> str:
    """The log as it was typed; ``.`` has a name only as a whole path."""
    return (log.target if log.target.name else log.target.resolve()).as_posix()


def _notes(logged: LoggedCurves, training: LoggedTraining) -> Iterator[str]:
    yield f"read: {read_words(training)}"
    yield from training.notes
    yield from logged.notes
    if logged.unread:
        yield f"not used: {_some(logged.unread)}"
    if training.epoch is None and training.validation_loss is not None:
        yield "epochs in messages count the values of the validation"


def _some(names: Iterable[str]) -> str:
    found = list(names)
    more = f" and {plural(len(found) - _MOST_NAMED, 'more curve')}" if len(found) > _MOST_NAMED else ""
    return ", ".join(found[:_MOST_NAMED]) + more
