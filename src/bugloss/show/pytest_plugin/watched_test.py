"""The training of one test: observed, diagnosed, and compared with what the test expects."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import TracebackType

from bugloss.core.diagnosis import Diagnosis, Symptom
from bugloss.core.plural import plural
from bugloss.record.runs import RunFolder
from bugloss.show.pytest_plugin.expectation import TrainingExpectation
from bugloss.workflows.diagnosis import Examined, examine
from bugloss.workflows.watching import in_one_sentence, watch_program


@dataclass(frozen=True, slots=True)
class TestPlace:
    """Where a test is written, the root of its project, and the folder for its recording."""

    __test__ = False  # for pytest, which collects classes by their names

    file: Path
    root: Path
    runs: Path

    @property
    def script(self) -> Path:
        """The file as people type it, from the root of the project."""
        inside = self.file.is_relative_to(self.root) and Path.cwd() == self.root
        return self.file.relative_to(self.root) if inside else self.file

    @property
    def folder(self) -> Path:
        return self.root if self.file.is_relative_to(self.root) else self.file.parent


class WatchedStretch:
    """``with … as seen: train()``: what was seen is known when the block has ended."""

    def __init__(self, place: TestPlace, *subjects: object, budget: float, properties: bool = False) -> None:
        self._watch = watch_program(
            *subjects, script=place.script, folder=place.folder, runs=place.runs, budget=budget, properties=properties
        )
        self._examined: Examined | None = None

    def __enter__(self) -> WatchedStretch:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop(error)

    def start(self) -> None:
        self._watch.start("any")

    def stop(self, error: BaseException | None = None) -> RunFolder | None:
        """Takes the hooks off and closes the recording."""
        return self._watch.stop(error)

    @property
    def folder(self) -> RunFolder | None:
        return self._watch.folder

    @property
    def examined(self) -> Examined:
        """The diagnosed run."""
        if self._examined is None:
            if self.folder is None:
                raise RuntimeError("bugloss could not observe this test; the log says why.")
            self._examined = examine(self.folder)
        return self._examined

    @property
    def diagnosis(self) -> Diagnosis:
        return self.examined.diagnosis

    @property
    def symptoms(self) -> tuple[str, ...]:
        """The names of what was seen, the worst first."""
        return tuple(dict.fromkeys(symptom.name for symptom in self.diagnosis.symptoms))

    @property
    def steps(self) -> int:
        return len(self.examined.recording.steps)


@dataclass(frozen=True, slots=True)
class WatchedTest:
    """A test under observation."""

    expected: TrainingExpectation
    stretch: WatchedStretch

    @classmethod
    def begin(cls, expected: TrainingExpectation, place: TestPlace) -> WatchedTest:
        stretch = WatchedStretch(place, budget=expected.budget, properties=expected.properties)
        stretch.start()
        return cls(expected, stretch)

    def end(self, error: BaseException | None) -> None:
        self.stretch.stop(error)

    @property
    def _trained(self) -> bool:
        return self.stretch.folder is not None and bool(self.stretch.steps)

    def summary(self) -> str:
        """One line, or nothing where the test did not train."""
        if not self._trained:
            return ""
        return f"{plural(self.stretch.steps, 'training step')}: {in_one_sentence(self.stretch.diagnosis)}"

    def objection(self) -> str:
        """Why the test fails; empty where it passes."""
        if self.stretch.folder is None:
            return "bugloss could not observe this test; the log says why." if self.expected.required else ""
        if not self._trained and not self.expected.required:
            return ""
        diagnosis = self.stretch.diagnosis
        seen = [symptom for symptom in diagnosis.symptoms if self.expected.forbids(symptom)]
        if seen:
            return "\n".join([*map(_symptom_words, seen), *_cause_words(diagnosis), self._where()])
        doubts = self._doubts(diagnosis) if self.expected.fail_on else []
        return "\n".join([f"bugloss: inconclusive: {doubts[0]}", *doubts[1:], self._where()]) if doubts else ""

    def explanation(self) -> str:
        """What bugloss says of a test that failed by itself."""
        return (
            "\n".join([self.summary(), *_cause_words(self.stretch.diagnosis), self._where()]) if self._trained else ""
        )

    def _doubts(self, diagnosis: Diagnosis) -> list[str]:
        """Why the chosen symptoms may have been missed."""
        failed = [each.words for each in diagnosis.failed if self.expected.needs(each.plugin)]
        return [*diagnosis.ending.missing, *failed, *diagnosis.gaps]

    def _where(self) -> str:
        assert self.stretch.folder is not None
        return f"  page   bugloss report {self.stretch.folder.path}"


def _symptom_words(symptom: Symptom) -> str:
    where = f" in {symptom.layer}" if symptom.layer else ""
    when = f" at step {symptom.step}" if symptom.step is not None else ""
    return f"bugloss: {symptom.name} ({symptom.severity.value}){where}{when}: {symptom.message}"


def _cause_words(diagnosis: Diagnosis) -> list[str]:
    if not diagnosis.causes:
        return []
    cause = diagnosis.causes[0]
    place = f"{cause.locations[0].words}: " if cause.locations else ""
    return [
        f"  cause  {cause.cause}, {cause.confidence:.0%} sure: {cause.explanation}",
        f"  fix    {place}{cause.change}",
    ]
