"""The pages of recorded runs: a list, one run, two side by side."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from bugloss import __version__
from bugloss.core.errors import BuglossError
from bugloss.record.runs import RunFolder, all_runs, find_run
from bugloss.show.page.figures import number, seconds
from bugloss.show.page.scale import Scale
from bugloss.show.page.series import make_series
from bugloss.show.page.view import RunPage, view_of
from bugloss.workflows.diagnosis import examine
from bugloss.workflows.observation import recording_of
from bugloss.workflows.recorded_runs import RunSummary, summarise

_WIDE, _HIGH = 120, 28


@dataclass(frozen=True, slots=True)
class RunPlace:
    """Where runs are: the folder of the server, or that of one of its jobs."""

    name: str
    root: Path


@dataclass(frozen=True, slots=True)
class RunRow:
    """A run in the list, with its loss as a small curve."""

    address: str
    key: str  # how a comparison names it
    summary: RunSummary
    took: str
    curve: str
    last_loss: str
    broken: bool


def list_rows(places: Iterable[RunPlace], most: int = 200) -> list[RunRow]:
    """The runs of all places, the latest first; what cannot be read is left out."""
    folders = [(place, folder) for place in places for folder in all_runs(place.root)]
    latest = sorted(folders, key=lambda pair: pair[1].id, reverse=True)[:most]
    return [row for place, folder in latest if (row := _row(place, folder)) is not None]


def _row(place: RunPlace, folder: RunFolder) -> RunRow | None:
    try:
        summary = summarise(folder)
    except BuglossError:
        return None
    curve, last, broken = _small_curve(folder.path, _stamp(folder))
    key = f"{place.name}/{folder.id}"
    return RunRow(f"/runs/{key}", key, summary, seconds(summary.seconds), curve, last, broken)


def _stamp(folder: RunFolder) -> tuple[int, int]:
    """Changes when events are added: what is derived from them is kept until then."""
    try:
        facts = folder.events.stat()
    except OSError:
        return 0, 0
    return facts.st_size, facts.st_mtime_ns


@lru_cache(maxsize=512)
def _small_curve(path: Path, stamp: tuple[int, int]) -> tuple[str, str, bool]:
    """The path of the training loss, its last value, and whether it became NaN or infinite."""
    try:
        steps = recording_of(RunFolder(path)).steps
    except BuglossError:
        return "", "", False
    series = make_series("loss", "train", ((step.step, step.loss) for step in steps))
    if len(series.points) < 2:
        return "", "", bool(series.broken)
    across = Scale(series.points[0][0], series.points[-1][0], 2, _WIDE - 2)
    values = [value for _, value in series.points]
    upwards = Scale(min(values), max(values) if max(values) > min(values) else min(values) + 1, _HIGH - 3, 3)
    points = "L".join(f"{across.place(at):.1f} {upwards.place(value):.1f}" for at, value in series.points)
    return f"M{points}", number(values[-1]), bool(series.broken)


def find_folder(places: Iterable[RunPlace], name: str, run: str) -> RunFolder | None:
    """A run by its place and id; neither may be a path."""
    if not run or "/" in run or run.startswith("."):
        return None
    place = next((one for one in places if one.name == name), None)
    return (
        find_run(run, place.root) if place is not None and (place.root / ".bugloss" / "runs" / run).is_dir() else None
    )


def run_page(folder: RunFolder) -> RunPage:
    """The page of a run; diagnosed again only when its events have changed."""
    return _page(folder.path, _stamp(folder))


@lru_cache(maxsize=32)
def _page(path: Path, stamp: tuple[int, int]) -> RunPage:
    examined = examine(RunFolder(path))
    return view_of(examined.recording, examined.diagnosis, examined.facts, examined.case.sources.read, __version__)


def split_key(key: str) -> tuple[str, str]:
    """``here/20260101-120000`` as place and run."""
    place, _, run = key.partition("/")
    return place, run
