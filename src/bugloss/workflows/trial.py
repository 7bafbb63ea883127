"""One report being worked on: first programs and stacks tried in turn, the nearest confirmed and written down."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from bugloss.core.errors import EnvironmentFailure
from bugloss.core.failed_plugin import log_broken
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.report import Reading
from bugloss.core.reproduction import Attempt, Level
from bugloss.core.run import Isolation, Outcome
from bugloss.core.taxonomy import EditAction
from bugloss.core.visible import is_hidden
from bugloss.reproduce.contract import Action, EditEvidence
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.reproduce.program.assembly import Assembly
from bugloss.reproduce.program.dangers import dangers
from bugloss.reproduce.program.script import Header, main_pins, places, write_script
from bugloss.reproduce.search.loop import ReproductionSearch, SearchState
from bugloss.reproduce.stack.era import Choice
from bugloss.run.environment import Environment, provide
from bugloss.run.layer import Additions, provide_layer
from bugloss.run.own_python import describe
from bugloss.stacks.stack import Stack, load_stack
from bugloss.workflows.confirmation import Confirmation
from bugloss.workflows.environment_choice import checked_packages, limits_of
from bugloss.workflows.laboratory import Sandboxed
from bugloss.workflows.reproduced import Notify, Reproduction, ReproductionRequest

_SHRINKING_SHARE = 0.08
_FIRST_SHARE = 0.6  # of the budget for the likeliest first program and stack
_LATE = 0.7  # after this share of the budget nothing new is begun
_CUT_OFF = {outcome.value for outcome in Outcome if not outcome.came_to_an_end}
_SHELLS = {"bash", "sh", "shell", "console", "zsh"}
_PRELOAD = {
    "torch": ("numpy", "torch", "torch._dynamo"),  # the first step of an optimizer loads the last, for two seconds
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


def _actions() -> dict[EditAction, Action]:
    """The edit actions that the installed packs offer."""
    offered = load(PluginGroup.EDIT_ACTION, Action)
    log_broken(offered)
    return {action.action: action for action in offered.values()}


def releases_of(stack: Stack) -> dict[str, str]:
    """The releases of the libraries that have a catalogue."""
    pins = (pin.partition("==") for pin in stack.packages)
    return {_FRAMEWORKS[name]: version for name, _, version in pins if name in _FRAMEWORKS}


def stack_of_own(python: str) -> Stack:
    """An interpreter of the user's, described like a stack."""
    environment = describe(python).environment
    release = ".".join(environment.python_version.split(".")[:2])
    return Stack(python, f"{python} on this machine", (release,), environment.packages, 0, 0)


def modules_of(environment: Environment, beside: Path | None = None) -> frozenset[str]:
    """What can be imported besides the standard library: from an environment, and from a folder beside the program."""
    names: set[str] = set()
    for folder in (*environment.site_folders, *([beside] if beside is not None else [])):
        for entry in folder.iterdir():
            if entry.is_dir() and not entry.name.endswith((".dist-info", ".libs", "__pycache__")):
                names.add(entry.name)
            elif entry.suffix in {".py", ".so"}:
                names.add(entry.name.split(".")[0])
    return frozenset(names)


def contained(attempts: Sequence[Attempt], level: Isolation) -> Iterator[str]:
    """What the sandbox had to stop, and what it could not have stopped."""
    stopped = Counter(attempt.outcome for attempt in attempts if attempt.outcome in _CUT_OFF)
    if stopped:
        counted = ", ".join(f"{outcome} {count}" for outcome, count in stopped.items())
        only = f"The sandbox stopped the only run ({next(iter(stopped))})."
        yield (
            only if len(attempts) == 1 else f"The sandbox stopped {stopped.total()} of {len(attempts)} runs: {counted}."
        )
    if "read-only system" not in level.guarantees:
        yield (
            f"The isolation level was only '{level.level}': the program could have read and removed your files. "
            "Install bubblewrap before you reproduce reports of other people."
        )


def left_alone(reading: Reading) -> Iterator[str]:
    """That commands for a shell were read and not run."""
    if any(block.language.lower() in _SHELLS for block in reading.blocks):
        yield "The shell commands of the report were not run."


def warned(script: str) -> Iterator[str]:
    """What the script could do to a person who runs it by hand."""
    found = dangers(script)
    if found:
        yield (
            f"The script calls {', '.join(found[:4])}, like the report. bugloss ran it sandboxed; run it yourself "
            "only where it can do no harm."
        )
    hidden = [str(number) for number, line in enumerate(script.split("\n"), start=1) if is_hidden(line)]
    if hidden:
        yield (
            "The script contains invisible characters or characters that reorder text, like the report (line "
            f"{', '.join(hidden[:4])}): an editor may not show what is run."
        )


@dataclass(frozen=True, slots=True)
class NearestProgram:
    """The nearest that a search came to, and where."""

    state: SearchState
    laboratory: Sandboxed
    choice: Choice
    stack: Stack
    stopped: str

    @property
    def rank(self) -> tuple[int, float]:
        """Larger is nearer."""
        return self.state.level.rank, self.state.match.agreement if self.state.match is not None else 0.0


@dataclass(slots=True)
class ReproductionJob:
    """One report being worked on."""

    reading: Reading
    expectation: Expectation
    request: ReproductionRequest
    confidence: dict[EditAction, float]
    notify: Notify
    start: float
    rooms: ExitStack
    laboratories: dict[str, Sandboxed] = field(default_factory=dict)
    attempts: list[Attempt] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    @property
    def deadline(self) -> float:
        return self.start + self.request.budget

    def work(self, firsts: list[Assembly], choices: list[Choice]) -> Reproduction:
        """Searches, then confirms what was found."""
        if not firsts:
            return self._nothing("the report has no code and no traceback")
        return self._finished(self._search(firsts, choices))

    def _search(self, firsts: list[Assembly], choices: list[Choice]) -> NearestProgram:
        """Tries first programs and stacks in turn until one matches; the nearest is kept."""
        pairs = [(firsts[0], choices[0])]
        pairs += [(one, choices[0]) for one in firsts[1:2]] + [(firsts[0], one) for one in choices[1:2]]
        best: NearestProgram | None = None
        failure = EnvironmentFailure("no stack is available.")
        for place, (first, choice) in enumerate(pairs):
            if best is not None and time.monotonic() > self.start + _LATE * self.request.budget:
                break
            try:
                found = self._one(first, choice, _FIRST_SHARE if place == 0 else 1.0)
            except EnvironmentFailure as error:
                failure = error
                self.remarks.append(f"{choice.stack}: {error.message}")
                continue
            best = found if best is None or found.rank > best.rank else best
            if best.state.level.rank >= Level.SAME.rank:
                break
        if best is None:
            raise failure
        return best

    def _one(self, first: Assembly, choice: Choice, share: float) -> NearestProgram:
        own = self.request.own_python is not None
        stack = stack_of_own(choice.stack) if own else load_stack(choice.stack)
        self.notify(f"{'interpreter' if own else 'stack'} {stack.name}: {'; '.join(choice.reasons[:3])}")
        laboratory = self._laboratory(stack)
        modules = modules_of(laboratory.environment, self.request.beside)
        evidence = EditEvidence(self.reading, self.expectation, releases_of(stack), modules)
        actions = _actions()
        limit = time.monotonic() + share * (self.deadline - time.monotonic())
        search = ReproductionSearch(evidence, actions, laboratory, self.confidence, limit, self._note)
        state = search.best(first.draft)
        return NearestProgram(state, laboratory, choice, stack, search.stopped)

    def _laboratory(self, stack: Stack) -> Sandboxed:
        if stack.name not in self.laboratories:
            environment = self._environment(stack)
            preload = _PRELOAD.get(stack.name, ())
            asked = self.request
            made = Sandboxed(environment, asked.isolation, asked.timeout, preload, asked.jobs, beside=asked.beside)
            self.laboratories[stack.name] = self.rooms.enter_context(made)
        return self.laboratories[stack.name]

    def _environment(self, stack: Stack) -> Environment:
        packages = checked_packages(self.request.packages)
        if self.request.own_python is not None:
            below, additions = describe(self.request.own_python).environment, Additions(packages)
        else:
            below = provide(stack, offline=self.request.offline, notify=self.notify)
            additions = Additions(packages, limits_of(stack))
        return provide_layer(below, additions, offline=self.request.offline, notify=self.notify)

    def _note(self, attempt: Attempt) -> None:
        numbered = replace(attempt, number=len(self.attempts) + 1)
        self.attempts.append(numbered)
        did = f" after {numbered.edits[-1]}" if numbered.edits else ""
        self.notify(f"attempt {numbered.number}: {numbered.level.value} {numbered.outcome}{did}")

    def _finished(self, found: NearestProgram) -> Reproduction:
        """Shrinks, confirms, writes the script and says what stayed unknown."""
        confirmation = Confirmation(self.reading, self.expectation, found.laboratory, self.notify)
        state = found.state
        if self.request.shrink:
            limit = min(self.deadline, time.monotonic() + _SHRINKING_SHARE * self.request.budget)
            state = confirmation.shrunk(state, limit)
        runs = confirmation.runs(state, self.request.runs)
        level, reason = confirmation.verdict(state, runs, releases_of(found.stack))
        script = write_script(state.draft.text, state.log, self._header(found, level))
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
            remarks=(
                *self.reading.remarks,
                *left_alone(self.reading),
                *self.remarks,
                *contained(self.attempts, found.laboratory.session.level),
                *warned(script),
            ),
            seconds=round(time.monotonic() - self.start, 1),
            isolation=state.run.isolation.level if state.run is not None else "",
            stopped=found.stopped,
        )

    def _header(self, found: NearestProgram, level: Level) -> Header:
        return Header(
            self.reading.report,
            self.expectation,
            f"{level.value}, {level.words}",
            ".".join(found.laboratory.environment.python_version.split(".")[:2]),
            main_pins(found.stack.packages, releases_of(found.stack)),
            found.stack.name,
        )

    def _nothing(self, why: str) -> Reproduction:
        return Reproduction(
            level=Level.BROKEN,
            reason=why,
            expectation=self.expectation,
            questions=("Please add the failing code as text, and the full traceback.",),
            remarks=self.reading.remarks,
            seconds=round(time.monotonic() - self.start, 1),
            stopped=why,
        )

    def _questions(self, state: SearchState, level: Level) -> tuple[str, ...]:
        asked = [entry.question for entry in state.log if entry.question]
        if self.expectation.kind is ExpectationKind.UNKNOWN:
            asked.insert(0, "What exactly goes wrong: which error message, or which value should be different?")
        expected = self.expectation.exception
        if level.rank < Level.SIMILAR.rank:
            if expected is not None and not expected.function and not expected.place:
                asked.insert(0, "Please add the full traceback.")
            asked.append("Please add a complete program that fails, with its imports and a few rows of data.")
        return tuple(dict.fromkeys(asked))[:3]
