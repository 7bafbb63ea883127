"""Bug folders for mined candidates: a template to fill in, or an upstream bug whose program was reproduced.

The issue that a fix names is reproduced beside the sources of the commit before the fix. The script is then run beside
the sources of the fix, too: a failure that is still there is another one.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path

from bugloss.core.bug import Framework, Twin, Upstream
from bugloss.core.codec import encode
from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.core.reproduction import Level
from bugloss.core.run import RaisedException, Run
from bugloss.core.visible import json_text
from bugloss.core.written_file import write_inside
from bugloss.corpus.scaffold import scaffold, scaffold_upstream
from bugloss.localize.repository.objects import Repository
from bugloss.mine.candidate import Candidate
from bugloss.run.sandbox.scratch import scratch_folder
from bugloss.workflows.laboratory import Sandboxed
from bugloss.workflows.mined_bug import library_sources, mined_bug
from bugloss.workflows.reproduced import Reproduction, ReproductionRequest
from bugloss.workflows.reproduction import reproduce_triaged
from bugloss.workflows.triage import triage_report
from bugloss.workflows.upstream.clone import contains
from bugloss.workflows.upstream.layout import Programs, read_programs
from bugloss.workflows.upstream.public_address import GITHUB, public_address

_MOST_ISSUES = 2  # of one commit that are tried: those that it closes come first
_RUNS = 3

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class ScaffoldRequest:
    """Where bug folders are written, and whether issues are reproduced for them."""

    folder: Path
    repositories: tuple[Path, ...]
    reproduce: bool = False
    reports: Path | None = None
    budget: float = 60.0
    offline: bool = False


@dataclass(frozen=True, slots=True)
class Scaffold:
    """A bug folder that was written, and what came of the issue of its candidate."""

    folder: str
    commit: str
    reason: str = ""  # why it is only a template
    issue: str = ""
    level: Level | None = None
    gone: bool | None = None  # whether the failure is gone beside the sources of the fix; None: not run

    @property
    def shows_the_bug(self) -> bool:
        """Whether its program fails before the fix and not after it."""
        return self.level is not None and self.level.rank >= Level.SIMILAR.rank and self.gone is True


@dataclass(frozen=True, slots=True)
class _Shown:
    """A reproduction beside the sources before a fix, and a run beside those after it."""

    issue: str
    found: Reproduction
    upstream: Upstream
    before: Run | None = None
    after: Run | None = None

    @property
    def gone(self) -> bool | None:
        if self.before is None or self.after is None or self.before.exception is None:
            return None
        return _kind(self.after.exception) != _kind(self.before.exception)


def scaffold_candidates(request: ScaffoldRequest, candidates: Sequence[Candidate], notify: Notify) -> list[Scaffold]:
    """A bug folder for each candidate; one that exists is left alone."""
    written = []
    for candidate in candidates:
        folder = request.folder / f"{candidate.frameworks[0]}-{candidate.commit[:10]}"
        if not folder.exists():
            written.append(_scaffolded(request, candidate, folder, notify))
            write_inside(folder, "candidate.json", json_text(encode(candidate), 1) + "\n")
    return written


def _scaffolded(request: ScaffoldRequest, candidate: Candidate, folder: Path, notify: Notify) -> Scaffold:
    made = Scaffold(str(folder), candidate.commit)
    shown: _Shown | None = None
    if request.reproduce:
        try:
            shown = _shown(request, candidate, notify)
            made = replace(made, issue=shown.issue, level=shown.found.level, gone=shown.gone)
            made = made if made.shows_the_bug else replace(made, reason=_reason(shown))
        except BuglossError as error:  # of a foreign report or repository, or of this machine
            made = replace(made, reason=error.message)
    if shown is not None and made.shows_the_bug and shown.before is not None:
        bug = mined_bug(folder.name, candidate, shown.upstream, shown.issue, shown.before)
        scaffold_upstream(folder, bug, shown.found.script)
    else:
        scaffold(folder.name, folder, Framework(candidate.frameworks[0]), candidate.stack)
    return made


def _reason(shown: _Shown) -> str:
    if not shown.found.reproduced:
        return shown.found.reason
    if shown.gone is None:
        return "reproduced, but not by an exception, so that the fix cannot be tried"
    return "the failure is the same with the fix"


def _shown(request: ScaffoldRequest, candidate: Candidate, notify: Notify) -> _Shown:
    """The reproduction of an issue of the candidate; raises where there is nothing to reproduce."""
    place = next(one for one in request.repositories if contains(one, (candidate.parent, candidate.commit)))
    repository, address = Repository(place), public_address(place)
    issues = list(_issues(request, candidate, address))
    if not issues:
        raise InvalidInput("the commit names no issue whose report is at hand.", hint="See --reports.")
    upstream = library_sources(repository, candidate, address)
    programs = read_programs(repository, upstream)
    last: _Shown | None = None
    for issue in issues:
        notify(f"{candidate.commit[:10]}: reproducing {issue}")
        with suppress(InvalidInput):  # a number may be that of another project
            last = _beside(programs, request, candidate, issue, upstream, notify)
            if last.found.reproduced:
                return last
    if last is None:
        raise InvalidInput(f"{', '.join(issues)} cannot be read as a report.")
    return last


def _issues(request: ScaffoldRequest, candidate: Candidate, address: str) -> list[str]:
    """Files or references of the reports that the commit names."""
    found = []
    for number in candidate.issues[:_MOST_ISSUES]:
        places = [request.reports / f"{number}{ending}" for ending in (".md", ".json")] if request.reports else []
        saved = next((str(place) for place in places if place.is_file()), "")
        owned = f"gh:{address.removeprefix(GITHUB)}#{number}" if address.startswith(GITHUB) else ""
        found += [saved or owned] if saved or (owned and request.reports is None) else []
    return found


def _beside(
    programs: Programs, request: ScaffoldRequest, candidate: Candidate, issue: str, upstream: Upstream, notify: Notify
) -> _Shown:
    with scratch_folder() as before, scratch_folder() as after:
        for place, twin in ((before, Twin.BUGGY), (after, Twin.FIXED)):
            for name, content in programs[twin].items():
                write_inside(place, name, content)
        asked = ReproductionRequest(
            budget=request.budget,
            stack=candidate.stack or None,
            as_of=date.fromisoformat(candidate.day),
            offline=request.offline,
            runs=_RUNS,
            beside=before,
        )
        found = reproduce_triaged(triage_report(issue, offline=request.offline), asked, notify)
        shown = _Shown(issue, found, upstream)
        if not found.reproduced or found.environment is None:
            return shown
        runs = [
            Sandboxed(found.environment, seconds=asked.timeout, beside=place).alone(found.script, 0)
            for place in (before, after)
        ]
        return replace(shown, before=runs[0], after=runs[1])


def _kind(exception: RaisedException | None) -> str:
    return exception.kind if exception is not None else ""
