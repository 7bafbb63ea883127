"""What follows a match: the program made smaller, run again, and held against a control."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace

from bugloss.core.report import Reading
from bugloss.core.reproduction import ConfirmingRun, Level, ProgramEdit, StandInFor
from bugloss.reproduce.contract import EditEvidence
from bugloss.reproduce.control import control_program, fisher
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.expected.symptoms import SymptomKind
from bugloss.reproduce.expected.verdict import RunMatch, capped, judge, script_frames
from bugloss.reproduce.search.loop import SearchState
from bugloss.reproduce.search.shrink import shrink
from bugloss.reproduce.stack.imports import dialect
from bugloss.workflows.laboratory import Sandboxed
from bugloss.workflows.reproduced import Notify

_BEYOND_CHANCE = 0.01


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A state looked at once more, in the laboratory where it was found."""

    reading: Reading
    expectation: Expectation
    laboratory: Sandboxed
    notify: Notify

    def shrunk(self, state: SearchState, limit: float) -> SearchState:
        """The program made smaller until the limit; symptoms are left as they are, they need all they have."""
        match = state.match
        shrinkable = self.expectation.kind is ExpectationKind.EXCEPTION
        if match is None or match.level.rank < Level.SAME.rank or not shrinkable:
            return state
        self.notify("shrinking the script")
        raised = state.run.exception if state.run is not None else None
        reached = [frame.line for frame in script_frames(raised, self.laboratory.script)] if raised is not None else []
        text = shrink(
            state.draft.text,
            reached,
            lambda texts: self._no_worse(state, match, texts),
            lambda: time.monotonic() > limit,
        )
        if text == state.draft.text:
            return state
        log = tuple(_still_there(entry, text) for entry in state.log)
        return replace(state, draft=state.draft.becoming(text), log=log)

    def _no_worse(self, state: SearchState, match: RunMatch, texts: list[str]) -> list[bool]:
        """Of each smaller program, whether it comes as near as the whole one."""
        drafts = [state.draft.becoming(text) for text in texts]
        runs = self.laboratory.run(texts)
        judged = [
            capped(judge(self.expectation, run, draft, self.laboratory.script), self.expectation, state.log)
            for run, draft in zip(runs, drafts, strict=True)
        ]
        return [(one.level.rank, one.agreement) >= (match.level.rank, match.agreement) for one in judged]

    def runs(self, state: SearchState, number: int) -> list[ConfirmingRun]:
        """More runs of a state that matched, each with a seed of its own; the first loads everything again."""
        if state.match is None or not state.match.reproduced:
            return []
        self.notify(f"confirming with {number} more runs")
        texts = [state.draft.with_seed(seed).text for seed in range(number)]
        found = []
        for seed, run in enumerate(self.laboratory.confirm(texts, range(number))):
            match = judge(self.expectation, run, state.draft, self.laboratory.script)
            match = capped(match, self.expectation, state.log)
            same = match.level.rank >= state.match.level.rank
            found.append(ConfirmingRun(seed, "match" if same else match.level.value, run.seconds))
        return found

    def verdict(self, state: SearchState, runs: Sequence[ConfirmingRun], releases: dict[str, str]) -> tuple[Level, str]:
        """The level in the end, and why."""
        assert state.match is not None
        level, reason = state.match.level, state.match.reason
        matched = sum(run.outcome == "match" for run in runs)
        if runs and matched == 0:
            return Level.RUNS, f"shown once ({reason}), but in none of {len(runs)} more runs"
        if not runs:
            return level, reason
        reason += f"; {matched} of {len(runs)} runs show it"
        if self.expectation.kind is not ExpectationKind.SYMPTOM:
            return level, reason
        control = self._control(state, runs, releases)
        if control is not None:
            return level_beside(control, level, reason, matched, len(runs))
        if any(StandInFor.DATA in entry.assumes for entry in state.log) and self.expectation.symptoms[0].needs_control:
            return min(
                level, Level.SIMILAR, key=lambda one: one.rank
            ), f"{reason}; no control could be run on the stand-in data"
        return level, reason

    def _control(self, state: SearchState, runs: Sequence[ConfirmingRun], releases: dict[str, str]) -> int | None:
        """How many plain networks on the same data show the symptom, too; None where that cannot be tried."""
        evidence = EditEvidence(self.reading, self.expectation, releases)
        overfits = self.expectation.symptoms[0] is SymptomKind.OVERFITS
        spoken = dialect(state.draft.text, evidence)
        texts = [control_program(state.draft, spoken, run.seed, overfits=overfits) for run in runs]
        if None in texts:
            return None
        self.notify("running a control on the same data")
        ended = self.laboratory.run([text for text in texts if text is not None])
        matches = [judge(self.expectation, run, state.draft, self.laboratory.script) for run in ended]
        if any(one.level is Level.BROKEN for one in matches):
            return None
        return sum(one.reproduced for one in matches)


def level_beside(also: int, level: Level, reason: str, shown: int, runs: int) -> tuple[Level, str]:
    """The level of a symptom beside its control: beyond chance it is exact; if it is the data's own, it is none."""
    chance = fisher(shown, runs, also, runs)
    if also == 0 and chance < _BEYOND_CHANCE and level is Level.SAME:
        return Level.EXACT, (
            f"{reason}; a control (a plain network) on the same data does not show it (p = {chance:.3f})"
        )
    if also > runs // 2:
        why = "but a control (a plain network) on the same data shows it too, so the data or the few steps cause it"
        return Level.RUNS, f"{reason}; {why}"
    return level, f"{reason}; {also} of {runs} controls (plain networks) on the same data show it too"


def _still_there(entry: ProgramEdit, text: str) -> ProgramEdit:
    """An edit of which nothing is left after shrinking was not needed."""
    left = set(text.split("\n"))
    code = [line for line in entry.code.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return replace(entry, needed=any(line in left for line in code)) if code else entry
