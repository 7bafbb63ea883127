"""From a report to a program that shows its bug, run and confirmed."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure, InvalidInput
from bugloss.core.registry import load
from bugloss.core.report import BlockKind, Reading
from bugloss.core.reproduction import Attempt, ConfirmingRun, Level, LoggedEdit
from bugloss.core.run import Isolation, RaisedException
from bugloss.core.taxonomy import EditAction
from bugloss.observe.crash.traceback_text import parse_all
from bugloss.reproduce.assembly import Assembly, assemblies
from bugloss.reproduce.contract import ACTION_GROUP, Action, Evidence
from bugloss.reproduce.control import control_program, fisher
from bugloss.reproduce.era import Choice, choose, known_eras
from bugloss.reproduce.imports import dialect
from bugloss.reproduce.loop import Search, State
from bugloss.reproduce.oracle import Expectation, ExpectationKind, expect
from bugloss.reproduce.script import Header, main_pins, places, write_script
from bugloss.reproduce.shrink import shrink
from bugloss.reproduce.verdict import Match, judge, script_frames
from bugloss.run.environment import Environment, provide
from bugloss.run.stack import Stack, load_stack, stack_names
from bugloss.workflows.laboratory import Sandboxed
from bugloss.workflows.triage import Triaged, triage_report

CONFIRMATIONS = 5
_SHRINKING_SHARE = 0.15
_BEYOND_CHANCE = 0.01
_PRELOAD = {
    "torch": ("numpy", "torch"),
    "keras3": ("numpy", "keras"),
    "tf2": ("numpy", "tensorflow"),
    "keras2-tf1": ("numpy", "keras"),
}
_FRAMEWORKS = {
    "torch": "torch",
    "keras": "keras",
    "tensorflow": "tensorflow",
    "tensorflow-cpu": "tensorflow",
    "numpy": "numpy",
}

Notify = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Wish:
    """What the caller asks for."""

    budget: float = 120.0
    stack: str | None = None
    python: str | None = None
    as_of: date | None = None
    offline: bool = False
    isolation: Isolation | None = None
    timeout: float = 30.0
    runs: int = CONFIRMATIONS
    shrink: bool = True
    jobs: int = 1


@dataclass(frozen=True, slots=True)
class Reproduction:
    """What came of a report."""

    level: Level
    reason: str
    expectation: Expectation
    match: Match | None
    script: str
    log: tuple[LoggedEdit, ...]
    lines: tuple[tuple[int, int], ...]
    runs: tuple[ConfirmingRun, ...]
    environment: Environment | None
    choice: Choice | None
    attempts: tuple[Attempt, ...]
    questions: tuple[str, ...]
    remarks: tuple[str, ...]
    seconds: float
    isolation: str = ""
    stopped: str = ""

    @property
    def reproduced(self) -> bool:
        """Whether the same failure was seen, or one of its kind."""
        return self.level.rank >= Level.KIN.rank

    @property
    def expected_words(self) -> str:
        """What was looked for, in one line."""
        expected = self.expectation
        if expected.exception is not None:
            return f"{expected.exception.kind}: {_first_line(expected.exception.message)}".strip(": ")
        if expected.symptoms:
            return ", ".join(kind.value for kind in expected.symptoms[: expected.primary])
        return (
            f"it prints {expected.value}"
            if expected.value
            else "the report does not say it in a way that can be tested"
        )

    @property
    def observed_words(self) -> str:
        """What the best run showed, in one line."""
        seen = self.match.observed if self.match is not None else None
        if seen is None:
            return ""
        if seen.exception:
            return f"{seen.exception}: {_first_line(seen.message)} ({seen.frame})"
        return seen.symptom or "no error"

    def command(self, folder: Path) -> str:
        """How anyone can run the script."""
        python = self.environment.python if self.environment is not None else "python"
        return f"{python} {(folder / 'repro.py').as_posix()}"

    @property
    def is_flaky(self) -> bool:
        """Whether the confirming runs disagree."""
        matched = sum(run.outcome == "match" for run in self.runs)
        return 0 < matched < len(self.runs)


def reproduce(
    reading: Reading,
    wish: Wish,
    confidence: Mapping[EditAction, float] | None = None,
    notify: Notify = lambda text: None,
) -> Reproduction:
    """Tries to turn a report into a program that shows its bug."""
    start = time.monotonic()
    exceptions = exceptions_of(reading)
    expectation = expect(reading, exceptions)
    firsts = assemblies(reading, exceptions)
    choices = _choices(reading, firsts, exceptions, wish)
    with ExitStack() as rooms:
        trial = _Trial(reading, expectation, wish, dict(confidence or {}), notify, start, rooms)
        return trial.finish(trial.search(firsts, choices))


def reproduce_report(given: str, wish: Wish, notify: Notify = lambda text: None) -> tuple[Triaged, Reproduction]:
    """Reads a report, triages it, and reproduces it with the confidences that are mined for its type."""
    triaged = triage_report(given, offline=wish.offline)
    notify(f"{triaged.result.bug_type.label.value} bug ({triaged.result.bug_type.probability:.0%})")
    confidence = {one.action: one.confidence for one in triaged.result.edit_actions}
    return triaged, reproduce(triaged.reading, wish, confidence, notify)


def exceptions_of(reading: Reading) -> list[RaisedException]:
    """The exceptions of a report's tracebacks, the last of each block: those before it were handled."""
    found = []
    for block in reading.of_kind(BlockKind.TRACEBACK, BlockKind.LOG):
        parsed = [one for one in parse_all(block.text) if one.kind]
        if parsed and (block.kind is BlockKind.TRACEBACK or parsed[-1].frames):
            found.append(parsed[-1])
    return sorted(found, key=lambda one: not one.frames)  # a title names the error, a traceback shows it


def _choices(
    reading: Reading, firsts: list[Assembly], exceptions: Sequence[RaisedException], wish: Wish
) -> list[Choice]:
    """The stacks to try, those asked for first."""
    if wish.stack is not None:
        load_stack(wish.stack)
        return [Choice(wish.stack, 0.0, ("it was asked for",))]
    stacks = [load_stack(name) for name in stack_names()]
    if wish.python is not None:
        stacks = [stack for stack in stacks if wish.python in stack.python]
        if not stacks:
            raise InvalidInput(f"no stack has Python {wish.python}.", hint="See: bugloss env list")
    eras = known_eras({stack.name: releases_of(stack) for stack in stacks})
    code = firsts[0].draft.text if firsts else ""
    return choose(reading, code, exceptions, eras, wish.as_of)


def releases_of(stack: Stack) -> dict[str, str]:
    """The releases of the libraries that have a catalogue."""
    found = {}
    for pin in stack.packages:
        name, _, version = pin.partition("==")
        if name in _FRAMEWORKS:
            found[_FRAMEWORKS[name]] = version
    return found


def modules_of(environment: Environment) -> frozenset[str]:
    """What can be imported from an environment besides the standard library."""
    names: set[str] = set()
    for folder in Path(environment.path).glob("lib/python*/site-packages"):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.name.endswith((".dist-info", ".libs", "__pycache__")):
                names.add(entry.name)
            elif entry.suffix in {".py", ".so"}:
                names.add(entry.name.split(".")[0])
    return frozenset(names)


@dataclass(slots=True)
class _Found:
    state: State | None = None
    laboratory: Sandboxed | None = None
    choice: Choice | None = None
    stack: Stack | None = None
    stopped: str = ""
    remarks: list[str] = field(default_factory=list)


@dataclass(slots=True)
class _Trial:
    """One report being worked on."""

    reading: Reading
    expectation: Expectation
    wish: Wish
    confidence: dict[EditAction, float]
    notify: Notify
    start: float
    rooms: ExitStack
    laboratories: dict[str, Sandboxed] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)

    @property
    def deadline(self) -> float:
        return self.start + self.wish.budget

    def search(self, firsts: list[Assembly], choices: list[Choice]) -> _Found:
        """Tries first programs and stacks in turn until one matches; the nearest is kept."""
        best = _Found()
        if not firsts:
            best.stopped = "the report has no code and no traceback"
            return best
        pairs = [
            (firsts[0], choices[0]),
            *((one, choices[0]) for one in firsts[1:2]),
            *((firsts[0], one) for one in choices[1:2]),
        ]
        failure: EnvironmentFailure | None = None
        for place, (first, choice) in enumerate(pairs):
            if time.monotonic() > self.start + 0.7 * self.wish.budget and best.state is not None:
                break
            try:
                found = self._one(first, choice, share=0.6 if place == 0 else 1.0)
            except EnvironmentFailure as error:
                failure = error
                best.remarks.append(f"{choice.stack}: {error.message}")
                continue
            if best.state is None or _rank(found) > _rank(best):
                found.remarks = best.remarks
                best = found
            if best.state is not None and best.state.level.rank >= Level.SAME.rank:
                break
        if best.state is None and failure is not None:
            raise failure
        return best

    def _one(self, first: Assembly, choice: Choice, share: float) -> _Found:
        stack = load_stack(choice.stack)
        self.notify(f"stack {stack.name}: {'; '.join(choice.reasons[:3])}")
        laboratory = self._laboratory(stack)
        evidence = Evidence(self.reading, self.expectation, releases_of(stack), modules_of(laboratory.environment))
        actions = {action.action: action for action in load(ACTION_GROUP, Action).values()}
        limit = time.monotonic() + share * (self.deadline - time.monotonic())
        search = Search(evidence, actions, laboratory, self.confidence, limit, self._note)
        state = search.best(first.draft)
        return _Found(state, laboratory, choice, stack, search.stopped)

    def _laboratory(self, stack: Stack) -> Sandboxed:
        if stack.name not in self.laboratories:
            environment = provide(stack, offline=self.wish.offline, notify=self.notify)
            made = Sandboxed(
                environment, self.wish.isolation, self.wish.timeout, _PRELOAD.get(stack.name, ()), self.wish.jobs
            )
            self.laboratories[stack.name] = self.rooms.enter_context(made)
        return self.laboratories[stack.name]

    def _note(self, attempt: Attempt) -> None:
        numbered = replace(attempt, number=len(self.attempts) + 1)
        self.attempts.append(numbered)
        did = f" after {numbered.edits[-1]}" if numbered.edits else ""
        self.notify(f"attempt {numbered.number}: {numbered.level.value} {numbered.outcome}{did}")

    def finish(self, found: _Found) -> Reproduction:
        """Confirms, shrinks, writes the script and says what stayed unknown."""
        if found.state is None or found.laboratory is None or found.stack is None:
            return self._nothing(found)
        state, runs = self._confirmed(found, self._shrunk(found, found.state))
        level, reason = self._controlled(found, state, runs, *self._level(state, runs))
        header = Header(
            self.reading.report,
            self.expectation,
            f"{level.value}, {level.words}",
            ".".join(found.laboratory.environment.python_version.split(".")[:2]),
            main_pins(found.stack.packages, releases_of(found.stack)),
            found.stack.name,
        )
        script = write_script(state.draft.text, state.log, header)
        return Reproduction(
            level=level,
            reason=reason,
            expectation=self.expectation,
            match=state.match,
            script=script,
            log=state.log,
            lines=tuple(places(state.log, script)),
            runs=tuple(runs),
            environment=found.laboratory.environment,
            choice=found.choice,
            attempts=tuple(self.attempts),
            questions=self._questions(state, level),
            remarks=(*self.reading.remarks, *found.remarks),
            seconds=round(time.monotonic() - self.start, 1),
            isolation=state.run.isolation.level if state.run is not None else "",
            stopped=found.stopped,
        )

    def _nothing(self, found: _Found) -> Reproduction:
        question = "Please add the code that fails, as text, and the whole traceback."
        return Reproduction(
            Level.BROKEN, found.stopped, self.expectation, None, "", (), (), (), None, found.choice, tuple(self.attempts),
            (question,), (*self.reading.remarks, *found.remarks), round(time.monotonic() - self.start, 1), stopped=found.stopped,
        )  # fmt: skip

    def _shrunk(self, found: _Found, state: State) -> State:
        """The program made smaller in the time that is left; symptoms are left as they are, they need all they have."""
        laboratory, match = found.laboratory, state.match
        shrinkable = self.expectation.kind is ExpectationKind.EXCEPTION and self.wish.shrink
        if laboratory is None or match is None or match.level.rank < Level.SAME.rank or not shrinkable:
            return state
        limit = min(self.deadline, time.monotonic() + _SHRINKING_SHARE * self.wish.budget)
        self.notify("making it smaller")

        def still(texts: list[str]) -> list[bool]:
            runs = laboratory.run(texts)
            drafts = [state.draft.becoming(text) for text in texts]
            judged = [
                judge(self.expectation, run, draft, laboratory.script) for run, draft in zip(runs, drafts, strict=True)
            ]
            return [(one.level.rank, one.agreement) >= (match.level.rank, match.agreement) for one in judged]

        raised = state.run.exception if state.run is not None else None
        reached = [frame.line for frame in script_frames(raised, laboratory.script)] if raised is not None else []
        text = shrink(state.draft.text, reached, still, lambda: time.monotonic() > limit)
        if text == state.draft.text:
            return state
        return replace(
            state, draft=state.draft.becoming(text), log=tuple(_still_there(entry, text) for entry in state.log)
        )

    def _confirmed(self, found: _Found, state: State) -> tuple[State, list[ConfirmingRun]]:
        assert found.laboratory is not None
        if state.match is None or not state.match.reproduced:
            return state, []
        seeds = list(range(self.wish.runs))
        self.notify(f"confirming with {len(seeds)} fresh runs")
        texts = [seeded(state.draft.text, seed) for seed in seeds]
        runs = []
        for seed, run in zip(seeds, found.laboratory.confirm(texts, seeds), strict=True):
            match = judge(self.expectation, run, state.draft, found.laboratory.script)
            same = match.level.rank >= state.match.level.rank
            runs.append(ConfirmingRun(seed, "match" if same else match.level.value, run.seconds))
        return state, runs

    def _level(self, state: State, runs: Sequence[ConfirmingRun]) -> tuple[Level, str]:
        assert state.match is not None
        level, reason = state.match.level, state.match.reason
        matched = sum(run.outcome == "match" for run in runs)
        if runs and matched == 0:
            return Level.RUNS, f"seen once ({reason}), but in none of {len(runs)} fresh runs"
        if runs:
            reason += f"; {matched} of {len(runs)} fresh runs show it"
        return level, reason

    def _controlled(
        self, found: _Found, state: State, runs: Sequence[ConfirmingRun], level: Level, reason: str
    ) -> tuple[Level, str]:
        """A symptom held against a plain network on the same data: beyond chance it is exact, the data's own it is none."""
        shown = sum(run.outcome == "match" for run in runs)
        symptom = self.expectation.kind is ExpectationKind.SYMPTOM and level.rank >= Level.KIN.rank
        if not symptom or not runs or found.laboratory is None or found.stack is None:
            return level, reason
        evidence = Evidence(self.reading, self.expectation, releases_of(found.stack))
        text = control_program(state.draft.text, dialect(state.draft.text, evidence))
        if text is None:
            return level, reason
        self.notify("trying a plain network on the same data")
        texts = [seeded(text, run.seed) for run in runs]
        matches = [
            judge(self.expectation, run, state.draft, found.laboratory.script) for run in found.laboratory.run(texts)
        ]
        ran = [one for one in matches if one.level is not Level.BROKEN]
        if len(ran) < len(runs):
            return level, reason
        also = sum(one.reproduced for one in ran)
        chance = fisher(shown, len(runs), also, len(ran))
        if also == 0 and chance < _BEYOND_CHANCE and level is Level.SAME:
            return Level.EXACT, f"{reason}; a plain network on the same data does not show it (p = {chance:.3f})"
        if also > len(ran) // 2:
            return (
                Level.RUNS,
                f"{reason}; but a plain network on the same data shows it too, so it is the data's or the few steps' doing",
            )
        return level, f"{reason}; {also} of {len(ran)} plain networks on the same data show it too"

    def _questions(self, state: State, level: Level) -> tuple[str, ...]:
        asked = [entry.question for entry in state.log if entry.question]
        if self.expectation.kind is ExpectationKind.UNKNOWN:
            asked.insert(0, "What exactly goes wrong: which error message, or which number should be different?")
        if (
            level.rank < Level.KIN.rank
            and not self.reading.of_kind(BlockKind.TRACEBACK)
            and self.expectation.kind is ExpectationKind.EXCEPTION
        ):
            asked.insert(0, "Please add the whole traceback.")
        return tuple(dict.fromkeys(asked))[:3]


def _first_line(text: str) -> str:
    return text.strip().split("\n", 1)[0][:300]


def _still_there(entry: LoggedEdit, text: str) -> LoggedEdit:
    """An edit of which nothing is left after shrinking was not needed."""
    before = set(entry.before.split("\n"))
    added = [
        line
        for line in entry.after.split("\n")
        if line not in before and line.strip() and not line.lstrip().startswith("#")
    ]
    left = set(text.split("\n"))
    return replace(entry, needed=any(line in left for line in added)) if added else entry


def _rank(found: _Found) -> tuple[int, float]:
    if found.state is None or found.state.match is None:
        return (-1, 0.0)
    return found.state.level.rank, found.state.match.agreement


def seeded(text: str, seed: int) -> str:
    """The program with another seed for what bugloss made up."""
    return re.sub(r"default_rng\(0\)", f"default_rng({seed})", text)


def document(found: Reproduction, folder: str) -> dict[str, object]:
    """The keys that outside programs rely on, and some more."""
    expected = found.expectation
    told: dict[str, object] = {"kind": expected.kind.value}
    if expected.exception is not None:
        told |= {
            "exception": expected.exception.kind,
            "message": expected.exception.message,
            "function": expected.exception.function,
        }
    if expected.symptoms:
        told |= {"symptom": expected.symptoms[0].value, "also": [kind.value for kind in expected.symptoms[1:]]}
    if expected.value:
        told |= {"value": expected.value, "instead_of": expected.instead_of}
    told["evidence"] = [{"text": quote.text, "start": quote.start, "end": quote.end} for quote in expected.quotes[:5]]
    observed = found.match.observed if found.match is not None else None
    return {
        "verdict": found.level.value,
        "reason": found.reason,
        "script": f"{folder}/repro.py" if found.script else None,
        "expected": told,
        "observed": _observed(observed),
        "edits": [_edit(entry, lines) for entry, lines in zip(found.log, found.lines, strict=True)],
        "runs": list(found.runs),
        "flaky": found.is_flaky,
        "environment": found.environment.digest if found.environment is not None else None,
        "stack": found.choice.stack if found.choice is not None else None,
        "python": found.environment.python if found.environment is not None else None,
        "isolation": found.isolation,
        "era": list(found.choice.reasons) if found.choice is not None else [],
        "questions": list(found.questions),
        "attempts": len(found.attempts),
        "stopped": found.stopped,
        "seconds": found.seconds,
        "remarks": list(found.remarks),
    }


def _observed(observed: object) -> object:
    from bugloss.core.codec import encode

    return encode(observed) if observed is not None else None


def _edit(entry: LoggedEdit, lines: tuple[int, int]) -> dict[str, object]:
    return {
        "action": entry.action.value,
        "why": entry.why,
        "lines": list(lines),
        "evidence": [{"text": quote.text, "start": quote.start, "end": quote.end} for quote in entry.quotes],
        "needed": entry.needed,
        "question": entry.question or None,
    }
