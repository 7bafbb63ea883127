"""The search for a program that shows the bug: edit, run, read the failure, edit again; undo what leads away.

It stops when a run matches the expected failure, when the time limit is reached, or when no action has an edit left to
propose. Programs are run by a function that is passed in.
"""

from __future__ import annotations

import logging
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from bugloss.core.failure.message import template
from bugloss.core.reproduction import Attempt, Level, ProgramEdit
from bugloss.core.run import Run
from bugloss.core.taxonomy import EditAction
from bugloss.reproduce.contract import Action, EditEvidence, Proposal
from bugloss.reproduce.expected.oracle import ExpectationKind
from bugloss.reproduce.expected.verdict import RunMatch, capped, judge, script_frames
from bugloss.reproduce.program.draft import Draft, LineOrigin
from bugloss.reproduce.search.plan import next_actions, static_order

_LOG = logging.getLogger(__name__)
_MOST_STATIC_EDITS = 80
_MOST_IN_VAIN = 5
_MOST_BEYOND = 2
_MOST_ASIDE = 6
_ENOUGH = Level.SAME
_OTHER_SEEDS = (1, 2)


class Laboratory(Protocol):
    """Runs programs. Several at once may be cheaper than one after the other."""

    script: str  # the name under which a program runs
    at_once: int  # how many programs are worth running in one go

    def run(self, texts: Sequence[str]) -> list[Run]:
        """How each program ended, in the same order."""


@dataclass(frozen=True, slots=True)
class SearchState:
    """A draft, how it came about, and how its run was judged."""

    draft: Draft
    log: tuple[ProgramEdit, ...] = ()
    run: Run | None = None
    match: RunMatch | None = None

    @property
    def level(self) -> Level:
        return self.match.level if self.match is not None else Level.BROKEN


@dataclass(slots=True)
class ReproductionSearch:
    """Everything the loop needs and what it has done so far."""

    evidence: EditEvidence
    actions: Mapping[EditAction, Action]
    laboratory: Laboratory
    confidence: Mapping[EditAction, float] = field(default_factory=dict)
    deadline: float = float("inf")
    notify: Callable[[Attempt], None] = lambda attempt: None
    clock: Callable[[], float] = time.monotonic
    attempts: list[Attempt] = field(default_factory=list)
    tried: set[str] = field(default_factory=set)
    vain: Counter[tuple[EditAction, str]] = field(default_factory=Counter)  # edits that left a failure as it was
    aside: list[SearchState] = field(default_factory=list)  # as near, and failing anew: for when nothing else is left
    failures: set[str] = field(default_factory=set)
    beyond: int = 0  # steps taken after a match, in the hope of an exact one
    stopped: str = ""

    def best(self, draft: Draft) -> SearchState:
        """The nearest state that can be reached from a first draft."""
        state = self._run([self.completed(SearchState(draft), self.evidence)])[0]
        best = state
        while not self._done(best):
            reached = self._step(state)
            if reached is None and self.aside:
                state = self.aside.pop(0)
                continue
            if reached is None:
                matched = best.level.rank >= _ENOUGH.rank
                self.stopped = "matched" if matched else "no edits left to try"
                break
            if self._is_nearer(reached, state):
                state = reached
            if self._is_nearer(reached, best):
                best = reached
        return best

    def _done(self, best: SearchState) -> bool:
        if self._is_enough(best):
            self.stopped = "matched"
            return True
        if self.clock() > self.deadline:
            self.stopped = "matched" if best.level.rank >= _ENOUGH.rank else "the time limit of the search is reached"
            return True
        return False

    def _is_enough(self, best: SearchState) -> bool:
        """Whether nothing better is to be had: after a match a few more steps are taken, for an exact one."""
        if best.level is Level.EXACT:
            return True
        if best.level.rank < _ENOUGH.rank or best.match is None:
            return False
        exceptions = self.evidence.expectation.kind is ExpectationKind.EXCEPTION
        self.beyond += 1
        return not exceptions or best.match.is_capped or self.beyond > _MOST_BEYOND

    def _step(self, state: SearchState) -> SearchState | None:
        """Runs the next few candidates; the nearest of them, or None where there are none."""
        candidates = []
        for candidate in self._candidates(state):
            if candidate.draft.text not in self.tried:
                self.tried.add(candidate.draft.text)
                candidates.append(candidate)
            if len(candidates) >= self.laboratory.at_once:
                break
        if not candidates:
            return None
        reached = self._run(candidates)
        for one in reached:
            if (
                state.run is not None
                and state.run.exception is not None
                and self._signature(one) == self._signature(state)
            ):
                action = one.log[len(state.log)].action
                self.vain[action, self._signature(state)] += 1
        nearest = max(reached, key=self.nearness)
        self._put_aside(state, [one for one in reached if one is not nearest or not self._is_nearer(one, state)])
        return nearest

    def _is_nearer(self, one: SearchState, other: SearchState) -> bool:
        return self.nearness(one) > self.nearness(other)

    def _put_aside(self, state: SearchState, reached: Sequence[SearchState]) -> None:
        """Keeps a program that is no closer but fails in a new way: one obstacle on a line may hide the next."""
        self.failures.add(self._signature(state))
        for one in reached:
            signature = self._signature(one)
            raised = one.run is not None and one.run.exception is not None
            if (
                raised
                and signature not in self.failures
                and not self._is_nearer(state, one)
                and len(self.aside) < _MOST_ASIDE
            ):
                self.failures.add(signature)
                self.aside.append(one)

    def _candidates(self, state: SearchState) -> Iterator[SearchState]:
        """What the actions that answer the last run propose, each completed by what can be done without running."""
        assert state.run is not None
        evidence = replace(self.evidence, run=state.run)
        for name in next_actions(state.run, self.evidence.expectation, self.confidence):
            if name not in self.actions:
                continue
            for proposal in self._ask(name, state.draft, evidence):
                if self.vain[name, self._signature(state)] >= _MOST_IN_VAIN:
                    break
                changed = self._applied(state, name, proposal)
                if changed is not None:
                    yield self.completed(changed, self.evidence)

    def _signature(self, state: SearchState) -> str:
        """The failure of a state in a few words: edits that leave it as it was are of no use."""
        if state.run is None or state.run.exception is None:
            return state.run.outcome.value if state.run is not None else ""
        frames = script_frames(state.run.exception, self.laboratory.script)
        where = frames[-1].text if frames else ""
        return f"{state.run.exception.kind}: {template(state.run.exception.message)} at {where}"

    def completed(self, state: SearchState, evidence: EditEvidence) -> SearchState:
        """A state after every edit that needs no run."""
        seen = {state.draft.text}
        for _ in range(_MOST_STATIC_EDITS):
            changed = self._next_static(state, evidence, seen)
            if changed is None:
                return state
            state = changed
            seen.add(state.draft.text)
        return state

    def _next_static(self, state: SearchState, evidence: EditEvidence, seen: set[str]) -> SearchState | None:
        for name in static_order(self.confidence):
            if name not in self.actions:
                continue
            for proposal in self._ask(name, state.draft, evidence):
                if proposal.text not in seen:
                    return self._applied(state, name, proposal)
                break
        return None

    def _ask(self, name: EditAction, draft: Draft, evidence: EditEvidence) -> Iterator[Proposal]:
        """An action's proposals; one that fails on odd code has none."""
        proposals = self.actions[name].find(draft, evidence)
        while True:
            try:
                yield next(proposals)
            except StopIteration:
                return
            except Exception:  # a plug-in on a stranger's code: it must not end the search
                _LOG.debug("%s failed on this program", name.value, exc_info=True)
                return

    def _applied(self, state: SearchState, name: EditAction, proposal: Proposal) -> SearchState | None:
        if proposal.text == state.draft.text:
            return None
        entry = ProgramEdit(
            name,
            proposal.why,
            "\n".join(added_lines(state.draft.text, proposal.text)),
            quotes=proposal.quotes,
            question=proposal.question,
            assumes=proposal.assumes,
            before=state.draft.text,
            after=proposal.text,
            lines=changed_lines(state.draft.text, proposal.text),
        )
        return SearchState(proposal.applied_to(state.draft), (*state.log, entry))

    def _run(self, states: Sequence[SearchState]) -> list[SearchState]:
        judged = []
        for state in states:
            self.tried.add(state.draft.text)
        for state, run in zip(states, self.laboratory.run([state.draft.text for state in states]), strict=True):
            match = judge(self.evidence.expectation, run, state.draft, self.laboratory.script)
            match = self._steady(state, capped(match, self.evidence.expectation, state.log))
            judged.append(replace(state, run=run, match=match))
            self._note(judged[-1])
        return judged

    def _steady(self, state: SearchState, match: RunMatch) -> RunMatch:
        """A symptom may come by chance: it must come twice more with other stand-in data and other weights."""
        if self.evidence.expectation.kind is not ExpectationKind.SYMPTOM or not match.reproduced:
            return match
        again = self.laboratory.run([state.draft.with_seed(seed).text for seed in _OTHER_SEEDS])
        levels = [judge(self.evidence.expectation, run, state.draft, self.laboratory.script).level for run in again]
        if all(level.rank >= match.level.rank for level in levels):
            return match
        return replace(match, level=Level.RUNS, reason=f"shown once ({match.reason}), but not in every run")

    def _note(self, state: SearchState) -> None:
        assert state.run is not None and state.match is not None
        attempt = Attempt(
            len(self.attempts) + 1,
            tuple(f"{entry.action.code}: {entry.why}" for entry in state.log[-2:]),
            state.run.exception.kind if state.run.exception is not None else state.run.outcome.value,
            state.match.level,
            state.run.seconds,
            state.match.reason,
        )
        self.attempts.append(attempt)
        self.notify(attempt)

    def nearness(self, state: SearchState) -> tuple[float, ...]:
        """How near a state is to what is wanted; larger is nearer."""
        if state.run is None or state.match is None:
            return (-1.0,)
        reached = _reached(state, self.laboratory.script)
        guarded = -1.0 if state.match.guarded else 0.0
        same_class = float(
            state.run.exception is not None and self.evidence.expectation.is_about(state.run.exception.kind)
        )
        if state.match.level.rank >= Level.SIMILAR.rank:
            return (float(state.match.level.rank), state.match.agreement, reached, 0.0)
        # A program that runs to its end is not nearer than one that stops late with the right class of error.
        return (
            min(float(state.match.level.rank), 1.0) + guarded,
            reached,
            same_class,
            float(len(state.run.stdout.text) > 0),
        )


def _reached(state: SearchState, script: str) -> float:
    """How far into the reporter's own lines a run got."""
    lines = len(state.draft.origins)
    if state.run is None or state.run.exception is None:
        return 1.0
    frames = script_frames(state.run.exception, script)
    if not frames:
        return 0.0
    at = frames[0].line
    theirs = [place for place in range(lines) if state.draft.origins[place] is not LineOrigin.OURS]
    return sum(place < at for place in theirs) / max(len(theirs), 1)


def added_lines(before: str, after: str) -> list[str]:
    """The lines of a text that it did not have before an edit, without empty ones."""
    old = set(before.split("\n"))
    return [line for line in after.split("\n") if line not in old and line.strip()]


def changed_lines(before: str, after: str) -> tuple[int, int]:
    """The first and last line of a text that an edit touched."""
    old, new = before.split("\n"), after.split("\n")
    first = next(
        (at for at, (one, other) in enumerate(zip(old, new, strict=False)) if one != other), min(len(old), len(new))
    )
    same = next(
        (at for at, (one, other) in enumerate(zip(reversed(old), reversed(new), strict=False)) if one != other), 0
    )
    return first + 1, max(first + 1, len(new) - same)
