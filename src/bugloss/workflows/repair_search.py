"""The search for a repair: patches in order of promise, one fault after the other, within a budget of seconds.

A patch that removes a crash may uncover the next one, and a program that runs may still learn nothing: what is repaired
is kept, the program is observed again, and the search goes on from there.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import islice

from bugloss.core.cause import Cause
from bugloss.core.failed_plugin import FailedPlugin
from bugloss.core.finding import Safety, Severity
from bugloss.core.patch import Patch, PatchVerdict, Rung, TriedPatch
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.observe.case import Case
from bugloss.observe.fault import Fault
from bugloss.observe.recording import Recording
from bugloss.observe.sources import Sources
from bugloss.record.repairs import RepairFolder
from bugloss.repair.baselines.random_search import random_changes
from bugloss.repair.candidates import candidates, together
from bugloss.repair.case import RepairCase
from bugloss.repair.combining import combine
from bugloss.repair.contract import FixGenerator
from bugloss.repair.ladder.control import CONTROLS, judge_control
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.pairs import SEEDS, SeedPair, compare
from bugloss.repair.ladder.program_files import apply_edit
from bugloss.repair.ladder.symptoms import CrashChange
from bugloss.source.project import Project
from bugloss.workflows.diagnosis import causes_of
from bugloss.workflows.patch_refinement import refine, unrun_values
from bugloss.workflows.patch_trial import FIRST_SEED, Climbed, Notify, PatchTrial, ProgramState
from bugloss.workflows.trial_bench import TrialRunner, Variant

_MOST_FAULTS = 5  # in one program, one after the other
_KNOWN = 0.35  # the confidence from which an edit follows from what is known of a crash; below, it was searched for
_AS_LIKELY = 0.5  # of the confidence of a guess that runs: others are not worth a run
_SHARE_TO_COMPARE = 0.5  # of the time that is left when the first guess runs
_CLEARLY = 0.05  # of what is measured: less is within what another seed does
_MOST_WAYS_ON = 4  # of patches after which a program crashes otherwise: so many are looked at, the likeliest first
_MOST_CANDIDATES = 25  # of one fault: further down nothing was ever right
_MOST_PAIRS = 3  # of patches that are tried together
_LEAST_SECONDS = 10.0  # for a run, however short the program is
_PATIENCE = 3.0  # times the seconds of the unpatched program: a patch may make it slower, a hang is longer


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Every patch that was tried, and the best standing: what is repaired of the program."""

    tried: tuple[TriedPatch, ...]
    best: TriedPatch | None = None
    before: ObservedRun | None = None
    after: ObservedRun | None = None
    pairs: tuple[SeedPair, ...] = ()
    open: tuple[str, ...] = ()  # alarms and crashes that are left
    failed: tuple[FailedPlugin, ...] = ()
    parts: tuple[TriedPatch, ...] = ()  # that the best one is made of, where they are several
    interrupted: bool = False

    @property
    def recordings(self) -> tuple[Recording | None, Recording | None]:
        """The program as it was given, and with the best patch."""
        before, after = (run.recording if run is not None else None for run in (self.before, self.after))
        return before, after


@dataclass(slots=True)
class RepairSearch:
    """Searches for patches of one program."""

    runner: TrialRunner
    script: str
    start: ProgramState
    folder: RepairFolder
    seconds: float  # the longest that a run may take
    deadline: float
    jobs: int = 1
    seeds: int = SEEDS
    notify: Notify = lambda text: None
    proposed: Callable[[RepairCase], Sequence[Patch]] | None = None  # instead of those of the fix patterns
    failed: list[FailedPlugin] = field(default_factory=list)
    tried: list[TriedPatch] = field(default_factory=list)
    accepted: list[Climbed] = field(default_factory=list)
    first: ObservedRun | None = None  # the program as it was given
    last: ObservedRun | None = None  # with everything that was accepted
    settled: float = 0.0  # when guesses that run are compared no longer
    ways: list[tuple[Climbed, ...]] = field(default_factory=list)  # that were not taken: all patches of each
    turns: int = 0  # how often another way was taken
    seen: list[Mapping[str, str]] = field(default_factory=list)  # programs that the search has stood at

    def run(self) -> SearchResult:
        """Fault after fault until nothing is wrong, nothing helps, the time is up, or the user stops it."""
        try:
            self._search()
        except KeyboardInterrupt:
            return replace(self._result(), interrupted=True)
        return self._result()

    def _search(self) -> None:
        standing = self.start
        while True:
            trial = self._trial(standing, self.last)
            self.last = trial.before()
            self.first = self.first or self.last
            self.seen.append(standing.changed)
            if time.monotonic() >= self.deadline or not self._is_wrong(standing, self.last):
                return
            case, is_open = self.case(standing, self.last), len(self.accepted) < _MOST_FAULTS
            found = self._next(trial, case, self.last) if is_open else None
            if found is not None:
                self.accepted.append(found)
            elif self.last.crash is not None and self.ways and self.turns < _MOST_WAYS_ON:
                self.accepted, self.turns = list(self.ways.pop(0)), self.turns + 1
            else:
                return
            taken = self.accepted[-1]
            if taken.standing is None:
                return
            standing, self.last = taken.standing, taken.run

    def case(self, standing: ProgramState, run: ObservedRun) -> RepairCase:
        """What is known of the program as it stands."""
        recording = run.recording
        sources = Sources(standing.read, (self.script,))
        diagnosed = Case(recording, run.symptoms, standing.findings, sources)
        faults = load(PluginGroup.FAULT, Fault).values()
        causes = causes_of(diagnosed, faults, standing.target, self.failed.append)
        project = Project(standing.read, (self.script,))
        return RepairCase(project, self.script, standing.findings, causes, run.symptoms, recording, standing.target)

    def _trial(self, standing: ProgramState, run: ObservedRun | None) -> PatchTrial:
        known = {} if run is None else {FIRST_SEED: run}
        return PatchTrial(
            self.runner, standing, self.seconds, self.deadline, self.jobs, self.notify, known, seeds=self.seeds
        )

    def _is_wrong(self, standing: ProgramState, run: ObservedRun) -> bool:
        """Whether there is something to repair; in a program that crashed before, nobody has seen how it trains.

        There only what is certainly wrong is repaired as well; the rest is reported as open.
        """
        least = 0 if self.first is None or self.first.crash is None else Severity.WARNING.rank
        serious = any(finding.severity.rank > least for finding in standing.findings)
        alarms = any(symptom.severity.rank > least for symptom in run.symptoms)
        return run.crash is not None or alarms or serious

    def _next(self, trial: PatchTrial, case: RepairCase, run: ObservedRun) -> Climbed | None:
        """The first patch that repairs a fault; else one after which the program comes further than before.

        A likely patch that turns one crash into another is the last resort: shapes of data and layers often have to
        change together.
        """
        usual = self.seconds if run.crash is not None else max(_LEAST_SECONDS, _PATIENCE * run.seconds + _LEAST_SECONDS)
        trial.seconds = min(self.seconds, usual)
        further: Climbed | None = None
        others: list[Climbed] = []
        guesses: list[Climbed] = []
        for patch in self._in_order(case, trial.standing):
            if time.monotonic() >= self._until(guesses) or _is_unlikely(patch, guesses, further):
                break
            if patch.safety is Safety.ADVICE:
                self.tried.append(TriedPatch(patch, PatchVerdict.NOT_RUN))
                continue
            triggers = _triggers(patch, case.causes, run)
            climbed = self._climbed(trial, patch, triggers)
            if climbed.tried.verdict is PatchVerdict.FIXED:
                if case.crash is None or patch.confidence >= _KNOWN:
                    return self._best_of(climbed, trial, triggers, case)
                guesses.append(climbed)
                continue
            self.tried.append(climbed.tried)
            if climbed.tried.verdict is PatchVerdict.NOT_RUN and self.proposed is None:
                self.tried += [one.tried for one in unrun_values(patch, trial)]
            change = _crash_change(climbed.tried)
            if further is None and change is CrashChange.LATER:
                further = climbed
            if change is CrashChange.OTHER:
                others.append(climbed)
        return self._best_guess(guesses) or further or self._way_on(others)

    def _way_on(self, others: Sequence[Climbed]) -> Climbed | None:
        """Of patches after which the program crashes otherwise, the one whose crash is likeliest to be repaired.

        The others are kept, for the case that nothing comes of this one.
        """
        promising: list[tuple[float, Climbed]] = []
        for climbed in others[:_MOST_WAYS_ON] if self.proposed is None else ():
            if climbed.standing is None or climbed.run is None or climbed.run.crash is None:
                continue
            if time.monotonic() >= self.deadline:
                break
            case = self.case(climbed.standing, climbed.run)
            next_one = next(self._in_order(case, climbed.standing), None)
            if next_one is not None:
                promising.append((climbed.tried.patch.confidence * next_one.confidence, climbed))
        promising.sort(key=lambda one: -one[0])
        before = tuple(self.accepted)
        self.ways = [*((*before, climbed) for _, climbed in promising[1:]), *self.ways][:_MOST_WAYS_ON]
        return promising[0][1] if promising else None

    def _until(self, guesses: Sequence[Climbed]) -> float:
        """When to stop: once an edit of a search runs, other guesses get a part of the time that is left."""
        if not guesses:
            return self.deadline
        self.settled = self.settled or time.monotonic() + _SHARE_TO_COMPARE * (self.deadline - time.monotonic())
        return self.settled

    def _best_guess(self, guesses: Sequence[Climbed]) -> Climbed | None:
        """Of edits that let the program run to its end, the one with least alarms that learns most."""
        self.settled = 0.0
        if not guesses:
            return None
        best = guesses[0]
        for guess in guesses[1:]:
            if _is_better_guess(best, guess):
                best = guess
        self.tried += [best.tried, *(guess.tried for guess in guesses if guess is not best)]
        return best

    def _in_order(self, case: RepairCase, standing: ProgramState) -> Iterator[Patch]:
        """One patch after the other; of a program that does not crash, then the likeliest two by two."""
        patches = [patch for patch in self._candidates(case) if not self._leads_back(patch, standing)]
        patches = patches[:_MOST_CANDIDATES]
        yield from patches
        if case.crash is None and self.proposed is None:
            yield from islice(together(patches), _MOST_PAIRS)

    def _leads_back(self, patch: Patch, standing: ProgramState) -> bool:
        """Whether the patch takes back what earlier ones changed."""
        texts = {**standing.changed, **apply_edit(patch.edit, standing.read)[1]}
        changed = {path: text for path, text in texts.items() if text != standing.original(path)}
        return bool(standing.changed) and changed in self.seen

    def _best_of(self, climbed: Climbed, trial: PatchTrial, triggers: Sequence[str], case: RepairCase) -> Climbed:
        """A verified patch, or the same with a value that helps more; compared with random changes."""
        found = refine(climbed, trial, triggers) if self.proposed is None else [climbed]
        best = self._controlled(found[0], trial, case)
        self.tried += [best.tried, *(one.tried for one in found[1:])]
        return best

    def _controlled(self, climbed: Climbed, trial: PatchTrial, case: RepairCase) -> Climbed:
        """The same with what random changes of the same program reach, where there is time to ask."""
        if climbed.tried.verdict is not PatchVerdict.FIXED or not climbed.pairs or self.proposed is not None:
            return climbed
        changes = random_changes(case, most=CONTROLS)
        pair = climbed.pairs[0]
        if time.monotonic() + len(changes) * max(pair.before.seconds, 1.0) > self.deadline:
            return climbed
        self.notify(f"random changes, to compare with: {climbed.tried.patch.edit.text}")
        texts = [apply_edit(patch.edit, trial.standing.read)[1] for patch in changes]
        variants = [Variant({**trial.standing.changed, **text}, pair.seed, trial.seconds) for text in texts if text]
        result = judge_control(pair, self.runner.run(variants))
        return replace(climbed, tried=replace(climbed.tried, rungs=(*climbed.tried.rungs, result)))

    def _candidates(self, case: RepairCase) -> Sequence[Patch]:
        if self.proposed is not None:
            return self.proposed(case)
        generators = load(PluginGroup.FIX_PATTERN, FixGenerator)
        self.failed += [FailedPlugin.broken(PluginGroup.FIX_PATTERN, error) for error in generators.broken]
        return candidates(case, generators.values(), self.failed.append)

    def _climbed(self, trial: PatchTrial, patch: Patch, triggers: Sequence[str]) -> Climbed:
        """The patch with its verdict; one that was refused before an interruption is not tried again."""
        key = _key(patch, trial.standing)
        known = self.folder.recall(key)
        going_on = (CrashChange.LATER, CrashChange.OTHER)
        if known is not None and known.verdict is not PatchVerdict.FIXED and _crash_change(known) not in going_on:
            return Climbed(known)
        climbed = trial.climb(patch, triggers)
        if climbed.tried.verdict is not PatchVerdict.NOT_RUN:
            self.folder.keep(key, climbed.tried)
        return climbed

    def _result(self) -> SearchResult:
        accepted = list(self.accepted)
        while accepted and accepted[-1].tried.verdict is not PatchVerdict.FIXED:
            accepted.pop()  # it came further, and then to an end that is none
        best = self._combined(accepted)
        tried = sorted(self.tried, key=lambda one: list(PatchVerdict).index(one.verdict))
        if best is not None:
            tried = [best, *(one for one in tried if one is not best)]
        pairs = accepted[-1].pairs if accepted else ()
        after = accepted[-1].run if accepted else None
        if self.last is not None and self.last.crash is not None:
            self.last = after or self.first  # what was tried further on came to nothing
        parts = tuple(one.tried for one in accepted) if len(accepted) > 1 else ()
        left, failed = _left(self.last), tuple(self.failed)
        return SearchResult(tuple(tried), best, self.first, after, pairs, left, failed, parts)

    def _combined(self, accepted: Sequence[Climbed]) -> TriedPatch | None:
        """All patches that were kept, as one."""
        if not accepted:
            return None
        last = accepted[-1]
        if len(accepted) == 1 or last.standing is None:
            return last.tried
        edit = combine(last.standing.edits, self.start.original, last.standing.changed)
        parts = [one.tried for one in accepted]
        whole = replace(
            parts[0].patch,
            edit=edit,
            confidence=min(part.patch.confidence for part in parts),
            safety=max((part.patch.safety for part in parts), key=list(Safety).index),
            reason=" ".join(dict.fromkeys(part.patch.reason for part in parts)),
            source=" + ".join(part.patch.source for part in parts),
            warnings=tuple(words for part in parts for words in part.patch.warnings),
        )
        return replace(
            last.tried,
            patch=whole,
            rungs=tuple(rung for part in parts for rung in part.rungs),
            seconds=round(sum(part.seconds for part in parts), 2),
        )


def _is_unlikely(patch: Patch, guesses: Sequence[Climbed], further: Climbed | None) -> bool:
    """Whether a patch is not worth a run, beside one that works or that is known to be right as far as it goes."""
    if guesses and patch.confidence < _AS_LIKELY * guesses[0].tried.patch.confidence:
        return True
    sure = further.tried.patch.confidence if further is not None else 0.0
    return sure >= _KNOWN and patch.confidence < _AS_LIKELY * sure


def _is_better_guess(first: Climbed, second: Climbed) -> bool:
    """Whether the program is clearly healthier with the second edit than with the first, the likelier one."""
    if first.run is None or second.run is None:
        return False
    alarms = len(first.run.alarms), len(second.run.alarms)
    if alarms[0] != alarms[1]:
        return alarms[1] < alarms[0]
    found = compare([SeedPair(FIRST_SEED, first.run, second.run)])
    return found is not None and found.gains[0] > _CLEARLY * max(abs(value) for value in found.before)


def _left(run: ObservedRun | None) -> tuple[str, ...]:
    if run is None:
        return ()
    return (run.crash.exception.kind,) if run.crash is not None else run.alarms


def _triggers(patch: Patch, causes: Sequence[Cause], run: ObservedRun) -> tuple[str, ...]:
    """The symptoms that the patch must silence: those that count for its cause, else all that were seen."""
    cause = next((cause for cause in causes if cause.cause == patch.source), None)
    seen = [name for name in (cause.symptoms if cause is not None else ()) if name in run.alarms]
    return tuple(seen) or run.alarms


def _crash_change(tried: TriedPatch) -> CrashChange | None:
    """What a patch made of the crash; None where it did not come to that."""
    result = tried.result(Rung.SILENT)
    value = result.measured.get("crash") if result is not None else None
    return CrashChange(value) if value is not None else None


def _key(patch: Patch, standing: ProgramState) -> str:
    """Stands for the patch and the program that it is made to."""
    content = json.dumps([patch.edit.document, sorted(standing.changed.items()), FIRST_SEED])
    return hashlib.sha256(content.encode()).hexdigest()[:24]
