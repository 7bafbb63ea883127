"""One patch on its way up the steps of validation: applied, checked, run, reverted, compared seed by seed."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bugloss.check.running.inspection import check_text
from bugloss.check.running.selection import Selection
from bugloss.core.edit import Edit
from bugloss.core.finding import Finding
from bugloss.core.patch import Patch, PatchVerdict, Rung, RungResult, TriedPatch
from bugloss.core.taxonomy import FixPattern
from bugloss.repair.ladder.findings import judge_findings
from bugloss.repair.ladder.guards import report_guards
from bugloss.repair.ladder.honesty import judge_recording, judge_source
from bugloss.repair.ladder.interface import judge_keys, judge_signatures
from bugloss.repair.ladder.measures import SPEED, Measure
from bugloss.repair.ladder.observed import ObservedRun
from bugloss.repair.ladder.pairs import MOST_SEEDS, SEEDS, SeedPair, compare, is_worse, judge_pairs
from bugloss.repair.ladder.program_files import apply_edit, diff_of
from bugloss.repair.ladder.symptoms import fresh_errors, judge_return, judge_silence, judge_step
from bugloss.workflows.trial_bench import TrialRunner, Variant

FIRST_SEED = 1  # seed 0 leaves the program's own randomness as it is, which may differ from run to run
_ASKED_SEEDS = 2  # with which property probes are asked: they cost up to four seconds
_SILENT_SHARE = 0.8  # of the seeds: a symptom that a healthy training shows now and then is not the fault's
_RETURNING_SHARE = 0.6  # of the seeds without the patch: what shows less often was not the reason to repair

Notify = Callable[[str], None]
Reader = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class ProgramState:
    """A program on the way to its repair: what earlier patches changed, what check says of it, and how it runs."""

    original: Reader
    target: Mapping[str, str]  # releases of the libraries that it runs with
    changed: Mapping[str, str] = field(default_factory=dict)
    findings: tuple[Finding, ...] = ()
    edits: tuple[Edit, ...] = ()
    given: tuple[Finding, ...] | None = None  # of the program before all patches, where these are others

    @property
    def allowed(self) -> tuple[Finding, ...]:
        """What check said of the program before all patches: none of them may add to it."""
        return self.findings if self.given is None else self.given

    def read(self, path: str) -> str | None:
        """A file as it stands now."""
        return self.changed[path] if path in self.changed else self.original(path)

    def with_texts(self, changed: Mapping[str, str], edit: Edit) -> ProgramState:
        """The same with one more patch made."""
        texts = {**self.changed, **changed}
        kept = [finding for finding in self.findings if finding.path not in changed]
        fresh = [one for path, text in changed.items() for one in check_file(text, path, self.target)]
        return replace(self, changed=texts, findings=(*kept, *fresh), edits=(*self.edits, edit), given=self.allowed)


def check_file(text: str, path: str, target: Mapping[str, str]) -> list[Finding]:
    """What check says of one file."""
    return check_text(text, Selection(target=dict(target)), path) if path.endswith(".py") else []


@dataclass(frozen=True, slots=True)
class Climbed:
    """A patch with its verdict; how the patched program ran, and where it stands, as far as that came."""

    tried: TriedPatch
    standing: ProgramState | None = None
    run: ObservedRun | None = None
    pairs: tuple[SeedPair, ...] = ()


@dataclass(slots=True)
class PatchTrial:
    """Tries patches of one standing; runs of the unpatched program are shared by all of them."""

    runner: TrialRunner
    standing: ProgramState
    seconds: float  # for one run
    deadline: float  # on the monotonic clock
    at_once: int = 1
    notify: Notify = lambda text: None
    known: dict[int, ObservedRun] = field(default_factory=dict)  # runs of the unpatched program, by seed
    seeds: int = SEEDS

    def before(self, seed: int = FIRST_SEED) -> ObservedRun:
        """The program as it stands, run with a seed."""
        return self._runs([seed], self.standing.changed, self.known)[0]

    def climb(self, patch: Patch, triggers: Sequence[str], *, run: bool = True) -> Climbed:
        """Takes the patch from step to step until one fails; every step is kept as evidence.

        Without ``run`` it ends where something would have to run.
        """
        started = time.monotonic()
        self.notify(f"trying: {patch.edit.text}")
        way = _Way(patch)
        after = self._applied(way)
        climbed = Climbed(way.tried) if after is None or not run else self._run(way, after, triggers)
        tried = replace(way.tried, seconds=round(time.monotonic() - started, 2))
        return replace(climbed, tried=tried)

    def _applied(self, way: _Way) -> ProgramState | None:
        """The steps that nothing has to run for."""
        applied, texts = apply_edit(way.patch.edit, self.standing.read)
        if not way.passes(applied, PatchVerdict.NOT_APPLIED):
            return None
        after = self.standing.with_texts(texts, way.patch.edit)
        way.diff = diff_of(self.standing.original, after.changed)
        if not way.passes(judge_source(self.standing.read, texts), PatchVerdict.NOT_FIXED):
            return None
        way.findings = judge_findings(self.standing.allowed, after.findings)
        # A program that crashes on may show what the crash hid, and a further patch removes it.
        if not self._crashes and not way.passes(way.findings, PatchVerdict.REGRESSED):
            return None
        return after if way.passes(judge_signatures(self.standing.read, texts), PatchVerdict.REGRESSED) else None

    @property
    def _crashes(self) -> bool:
        run = self.known.get(FIRST_SEED)
        return run is not None and run.crash is not None

    def _run(self, way: _Way, after: ProgramState, triggers: Sequence[str]) -> Climbed:
        if time.monotonic() >= self.deadline:
            return Climbed(way.tried, after)
        before = self.before()
        patched: dict[int, ObservedRun] = {}
        run = self._runs([FIRST_SEED], after.changed, patched)[0]
        if self._first_run(way, before, run, triggers) and (
            self._crash_stays_away(way, before) if before.crash is not None else True
        ):
            pairs = () if before.crash is not None else self._paired(way, after, patched, triggers)
            way.add(report_guards(before, run))
            return Climbed(way.tried, after, run, tuple(pairs))
        return Climbed(way.tried, after, run)

    def _first_run(self, way: _Way, before: ObservedRun, run: ObservedRun, triggers: Sequence[str]) -> bool:
        """One run of the patched program: does it work, is it honest, is the symptom gone?"""
        broken = PatchVerdict.REGRESSED if run.ran else PatchVerdict.NOT_RUN
        silence = judge_silence(before, run, triggers)
        return (
            way.passes(judge_step(before, run), broken)
            and way.passes(judge_keys(way.patch, before.recording, run.recording), PatchVerdict.REGRESSED)
            and way.passes(judge_recording(before.recording, run.recording), PatchVerdict.NOT_FIXED)
            and way.passes(
                silence,
                PatchVerdict.REGRESSED
                if before.crash is None and fresh_errors(before, run)
                else PatchVerdict.NOT_FIXED,
            )
        )

    def _crash_stays_away(self, way: _Way, before: ObservedRun) -> bool:
        """The crash comes back without the patch: then it was the patch that removed it."""
        if way.findings is not None and not way.passes(way.findings, PatchVerdict.REGRESSED):
            return False
        again = self._runs([FIRST_SEED], self.standing.changed, {})[0]
        if not way.passes(judge_return(before, again, ()), PatchVerdict.FLAKY):
            return False
        way.add(RungResult(Rung.PAIRED, None, "the program crashed before: there is nothing to compare with"))
        way.verdict = PatchVerdict.FIXED
        return True

    def _paired(
        self, way: _Way, after: ProgramState, patched: dict[int, ObservedRun], triggers: Sequence[str]
    ) -> list[SeedPair]:
        """Before and after, seed by seed, until the difference is clear or hopeless."""
        only = SPEED if way.patch.fix_pattern is FixPattern.PERFORMANCE else None
        pairs = [SeedPair(FIRST_SEED, self.before(), patched[FIRST_SEED])]
        wanted = self.seeds
        while len(pairs) < wanted and time.monotonic() < self.deadline:
            found = compare(pairs, only)
            if found is None or found.hopeless or (len(pairs) == 1 and not found.better):
                break
            start = FIRST_SEED + len(pairs)
            seeds = list(range(start, min(start + max(self.at_once // 2, 1), FIRST_SEED + wanted)))
            self.notify(f"seed {seeds[0]} of {wanted}: {way.patch.edit.text}")
            pairs += self._pairs(seeds, after, patched)
            found = compare(pairs, only)
            if found is not None and found.better < len(pairs):
                wanted = max(MOST_SEEDS, self.seeds)
        self._judge(way, pairs, wanted, triggers, only)
        return pairs

    def _pairs(self, seeds: Sequence[int], after: ProgramState, patched: dict[int, ObservedRun]) -> list[SeedPair]:
        unpatched = [seed for seed in seeds if seed not in self.known]
        variants = [self._variant(self.standing.changed, seed) for seed in unpatched]
        runs = self.runner.run([*variants, *(self._variant(after.changed, seed) for seed in seeds)])
        self.known.update(zip(unpatched, runs, strict=False))
        patched.update(zip(seeds, runs[len(unpatched) :], strict=True))
        return [SeedPair(seed, self.known[seed], patched[seed]) for seed in seeds]

    def _judge(
        self, way: _Way, pairs: Sequence[SeedPair], wanted: int, triggers: Sequence[str], only: Measure | None
    ) -> None:
        """Whether the symptom is gone over the seeds and returns without the patch, and what is measured is better."""
        # Some symptoms are answers of the property probes, which are not asked with every seed.
        asked = [pair for pair in pairs if pair.before.recording.properties] or pairs
        silent = sum(not set(pair.after.alarms) & set(triggers) and pair.after.crash is None for pair in asked)
        shown = sum(bool(set(pair.before.alarms) & set(triggers)) for pair in asked) if triggers else len(asked)
        words = f"without the patch seen with {shown} of {len(asked)} seeds, with it with {len(asked) - silent}"
        returns = shown >= _RETURNING_SHARE * len(asked)
        way.add(RungResult(Rung.REVERTED, returns, words, {"before": shown, "after": len(asked) - silent}))
        result = judge_pairs(pairs, only)
        way.add(result)
        if not returns:
            way.verdict = PatchVerdict.FLAKY
        elif is_worse(pairs, only):
            way.verdict = PatchVerdict.REGRESSED
        elif result.passed:
            way.verdict = PatchVerdict.FIXED if silent >= _SILENT_SHARE * len(asked) else PatchVerdict.FLAKY
        else:
            out_of_time = len(pairs) < wanted and time.monotonic() >= self.deadline
            way.verdict = PatchVerdict.NOT_RUN if out_of_time else PatchVerdict.NOT_FIXED

    def _runs(
        self, seeds: Sequence[int], changed: Mapping[str, str], known: dict[int, ObservedRun]
    ) -> list[ObservedRun]:
        wanted = [seed for seed in seeds if seed not in known]
        known.update(zip(wanted, self.runner.run([self._variant(changed, seed) for seed in wanted]), strict=True))
        return [known[seed] for seed in seeds]

    def _variant(self, changed: Mapping[str, str], seed: int) -> Variant:
        return Variant(changed, seed, self.seconds, properties=seed < FIRST_SEED + _ASKED_SEEDS)


@dataclass(slots=True)
class _Way:
    """The steps that a patch has taken so far."""

    patch: Patch
    verdict: PatchVerdict = PatchVerdict.NOT_RUN
    diff: str = ""
    rungs: list[RungResult] = field(default_factory=list)
    findings: RungResult | None = None  # of check; of a program that crashes they count once it does no longer

    def add(self, result: RungResult) -> None:
        self.rungs.append(result)

    def passes(self, result: RungResult, otherwise: PatchVerdict) -> bool:
        """Notes the step; where it fails, that is the verdict."""
        self.rungs.append(result)
        if result.passed is False:
            self.verdict = otherwise
        return result.passed is not False

    @property
    def tried(self) -> TriedPatch:
        return TriedPatch(self.patch, self.verdict, tuple(self.rungs), self.diff)
