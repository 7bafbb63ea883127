"""The healthy program that synthetic faults are put into: the fixed program of a bug, or a script of the user's.

Both become the same thing: a bug folder with a program and a test that measures it. A script gets a test that reads
the last number which the script prints after a word, such as its accuracy.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.bug import (
    Bound,
    BoundKind,
    Bug,
    DataRecipe,
    Framework,
    Labels,
    Oracle,
    OracleKind,
    OriginKind,
    Provenance,
    Twin,
)
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import ForeignFile
from bugloss.core.network.metric import Better, better_when
from bugloss.core.taxonomy import BugType, Category, FixPattern, GeneralType, Origin, Property, SymptomType
from bugloss.core.written_file import write_inside
from bugloss.corpus.bug_writing import bug_toml
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import bug_files
from bugloss.mutate.printed_metric import PrintedMetric
from bugloss.run.execute import read_source
from bugloss.stacks.companion import companion_of, release_for
from bugloss.stacks.stack import load_stack
from bugloss.workflows.stack_choice import stack_for
from bugloss.workflows.subject import ProgramText, files_of, read_program

MOST_BYTES = 5_000_000  # of a script's folder: it is part of every bug that is made of it
_SECONDS = 10.0  # a script's own time is not known before it has run; tests may take twelve times as long


@dataclass(frozen=True, slots=True)
class MutationBase:
    """A program with its test, the texts that may be changed, and which measurements are better."""

    entry: Entry
    name: str  # as the user gave it
    texts: Mapping[str, str]
    stated: Bound | None  # the bound of the bug's own test
    higher_is_better: bool
    printed: PrintedMetric | None = None

    @property
    def metric(self) -> str:
        measurement = self.entry.oracle.measurement
        assert measurement is not None, "both kinds of base have one"
        return measurement.metric


def base_of_bug(entry: Entry) -> MutationBase:
    """The fixed program of a bug whose test measures something that can be better or worse."""
    oracle = entry.oracle
    measurement = oracle.measurement
    bound = measurement.bound if measurement is not None else None
    measures = oracle.kind in {OracleKind.SYMPTOM, OracleKind.VALUE}
    if not measures or bound is None or bound.kind is BoundKind.EQUALS:
        hint = 'Choose one whose test measures: bugloss list --where "oracle in (symptom, value)"'
        raise InvalidInput(f"the test of {entry.id} measures nothing that gets better or worse by degrees.", hint=hint)
    files = bug_files(entry.program(Twin.FIXED)).files
    texts = {file.name: file.read_bytes().decode("utf-8") for file, _ in files if file.name.endswith(".py")}
    return MutationBase(entry, f"{entry.id}f", texts, bound, bound.kind is BoundKind.AT_LEAST)


def base_of_script(
    script: Path, folder: Path, metric: str | None, *, lower_is_better: bool | None, stack: str | None, seeds: int
) -> MutationBase:
    """A script as a bug folder in ``folder``, with both programs equal and a test that reads what it prints."""
    program = read_program(script)
    if metric is None:
        hint = "Name the word before the number that it prints: --metric accuracy"
        raise InvalidInput(f"it is not known what {script} measures.", hint=hint)
    chosen = load_stack(stack or stack_for(program)[0])
    pins = _companion_pins(program, chosen.name)
    # Whatever else a script prints is taken to be better when larger.
    lower = better_when(metric) is Better.SMALLER
    higher_is_better = not (lower if lower_is_better is None else lower_is_better)
    printed = PrintedMetric(script.name, metric, higher_is_better, chosen.with_pins(pins).packages, seeds)
    files = _checked_files(script)
    bug = _as_bug(script, program, chosen.name, pins)
    for name, source in files.items():
        for twin in Twin:
            write_inside(folder, f"{twin.value}/{name}", read_source(source))
    write_inside(folder, "test.py", printed.test())
    write_inside(folder, "report.md", f"# {bug.title}\n\nTags: {bug.framework.value}\n")
    write_inside(folder, "bug.toml", bug_toml(bug))
    entry = Entry(replace(bug, folder=folder))
    texts = {name: read_source(source).decode("utf-8") for name, source in files.items() if name.endswith(".py")}
    return MutationBase(entry, str(script), texts, None, higher_is_better, printed)


def _checked_files(script: Path) -> Mapping[str, Path | ForeignFile]:
    """The script's folder, if it is small enough to be a part of bugs."""
    files, _ = files_of(script)
    files = {name: file for name, file in files.items() if not any(part[0] == "." for part in name.split("/"))}
    total = sum(len(read_source(file)) for file in files.values())
    if total > MOST_BYTES:
        words = f"the folder of {script} has {total / 1e6:.0f} MB; at most {MOST_BYTES // 1_000_000} MB can be used"
        raise InvalidInput(f"{words}.", hint="Move the script, with what it needs, to a folder of its own.")
    taken = sorted({"test.py", "oracle.py"} & files.keys())
    if taken:
        raise InvalidInput(f"{script.parent / taken[0]} has a name that the test needs.", hint="Rename it.")
    return files


def _companion_pins(program: ProgramText, stack: str) -> tuple[str, ...]:
    """Exact pins for the packages besides the framework that the program imports."""
    known = {one.package for name in program.imports if (one := companion_of(name)) and not one.is_stand_in}
    present = {pin.partition("==")[0] for pin in load_stack(stack).packages}
    found = {package: release_for(package, stack) for package in known - present}
    return tuple(f"{package}=={release}" for package, release in sorted(found.items()) if release)


def _as_bug(script: Path, program: ProgramText, stack: str, pins: tuple[str, ...]) -> Bug:
    """Facts of the healthy script; the labels are placeholders that every mutant replaces by its own."""
    imported = [framework for framework in Framework if framework.value in program.imports]
    by_stack = Framework.TORCH if stack.startswith("torch") else Framework.KERAS
    labels = Labels(
        Category.TRAINING, BugType.SUBOPTIMAL_LEARNING_RATE, GeneralType.NUMERIC_ERROR, SymptomType.BAD_PERFORMANCE,
        Property.CORRECTNESS, FixPattern.OPTIMIZER, Origin.INTRINSIC,
    )  # fmt: skip
    return Bug(
        id="healthy", title=f"Healthy program {script.name}"[:90], framework=(imported or [by_stack])[0],
        stack=stack, entry=script.name, seconds=_SECONDS, origin=Provenance(OriginKind.MUTATION, ""), labels=labels,
        oracle=Oracle(OracleKind.SYMPTOM), data=DataRecipe("as the script makes or reads them", "that of the script"),
        pins=pins,
    )  # fmt: skip
