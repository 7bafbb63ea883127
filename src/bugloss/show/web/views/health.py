"""The page *Health*: which bugs still verify, by stack and by day."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from bugloss.core.bug import Status
from bugloss.core.judgement import Standing
from bugloss.corpus.entry import Entry

UNKNOWN = "never verified"
_TONES = {Standing.ACTIVE.value: "good", Standing.FLAKY.value: "fair", UNKNOWN: "", "retired": ""}


@dataclass(frozen=True, slots=True)
class Checkup:
    """One verification of one bug, as the store or the ledger has it."""

    bug: str
    day: str
    standing: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class BugMark:
    """A bug as a square: how it stands."""

    bug: str
    title: str
    standing: str
    tone: str


@dataclass(frozen=True, slots=True)
class StackHealth:
    """The bugs of one stack."""

    stack: str
    bugs: tuple[BugMark, ...]
    active: int
    seconds: float

    @property
    def percent(self) -> int:
        return round(100 * self.active / len(self.bugs)) if self.bugs else 0


@dataclass(frozen=True, slots=True)
class DayHealth:
    """What was verified on one day."""

    day: str
    verified: int
    active: int
    others: tuple[tuple[str, str], ...]  # bugs that did not verify, and how they stood


@dataclass(frozen=True, slots=True)
class HealthView:
    """The whole page."""

    total: int
    active: int
    standings: tuple[tuple[str, int, str], ...]
    stacks: tuple[StackHealth, ...]
    days: tuple[DayHealth, ...]
    broken: tuple[tuple[str, str, str, str], ...]  # bug, title, standing, since when and why
    retired: tuple[tuple[str, str], ...]

    @property
    def percent(self) -> float:
        return 100 * self.active / self.total if self.total else 0.0


def view_health(entries: Sequence[Entry], checkups: Iterable[Checkup] = ()) -> HealthView:
    """The ledger of the corpus, and what this server has verified since."""
    counted = [entry for entry in entries if entry.status is Status.ACTIVE]
    every = [*_ledger(counted), *checkups]
    latest = _latest(every)
    marks = {entry.id: _mark(entry, latest) for entry in counted}
    standings = Counter(mark.standing for mark in marks.values())
    return HealthView(
        len(counted),
        standings[Standing.ACTIVE.value],
        tuple((standing, count, _tone(standing)) for standing, count in standings.most_common()),
        tuple(_stacks(counted, marks)),
        tuple(_days(every)),
        tuple(_broken(counted, marks, latest)),
        tuple((entry.id, entry.retirement.why) for entry in entries if entry.retirement is not None),
    )


def _ledger(entries: Iterable[Entry]) -> Iterable[Checkup]:
    for entry in entries:
        if entry.verified is not None:
            yield Checkup(entry.id, entry.verified.date, entry.verified.standing)


def _latest(checkups: Iterable[Checkup]) -> dict[str, Checkup]:
    latest: dict[str, Checkup] = {}
    for one in checkups:
        if one.bug not in latest or one.day >= latest[one.bug].day:
            latest[one.bug] = one
    return latest


def _mark(entry: Entry, latest: Mapping[str, Checkup]) -> BugMark:
    standing = latest[entry.id].standing if entry.id in latest else UNKNOWN
    return BugMark(entry.id, entry.bug.title, standing, _tone(standing))


def _tone(standing: str) -> str:
    return _TONES.get(standing, "bad")


def _stacks(entries: Sequence[Entry], marks: Mapping[str, BugMark]) -> Iterable[StackHealth]:
    by_stack: dict[str, list[Entry]] = defaultdict(list)
    for entry in entries:
        by_stack[entry.bug.stack].append(entry)
    for stack, members in sorted(by_stack.items()):
        shown = tuple(marks[entry.id] for entry in members)
        active = sum(mark.standing == Standing.ACTIVE.value for mark in shown)
        seconds = sum(entry.verified.seconds for entry in members if entry.verified is not None)
        yield StackHealth(stack, shown, active, seconds)


def _days(checkups: Iterable[Checkup]) -> Iterable[DayHealth]:
    by_day: dict[str, dict[str, Checkup]] = defaultdict(dict)
    for one in checkups:
        by_day[one.day][one.bug] = one
    for day, found in sorted(by_day.items(), reverse=True):
        others = tuple((one.bug, one.standing) for one in found.values() if one.standing != Standing.ACTIVE.value)
        yield DayHealth(day, len(found), len(found) - len(others), others)


def _broken(
    entries: Iterable[Entry], marks: Mapping[str, BugMark], latest: Mapping[str, Checkup]
) -> Iterable[tuple[str, str, str, str]]:
    for entry in entries:
        standing = marks[entry.id].standing
        if standing != Standing.ACTIVE.value:
            one = latest.get(entry.id)
            yield entry.id, entry.bug.title, standing, f"{one.day} {one.reason}".strip() if one else ""
