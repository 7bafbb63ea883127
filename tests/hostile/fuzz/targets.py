"""What is fuzzed: the front functions that read what strangers wrote. Each takes bytes and raises only our errors."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import chdir, contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from hostile.fuzz import seeds

from bugloss.core.errors import BuglossError

if TYPE_CHECKING:
    from bugloss.core.report import Reading
    from bugloss.corpus.collection import Corpus


@dataclass(frozen=True)
class Target:
    """A front function with the inputs that its mutations start from."""

    name: str
    seeds: Callable[[], Sequence[bytes]]
    call: Callable[[bytes], object]


class Failed(Exception):
    """Something that the product reported instead of raising it, and that is still a fault of ours."""


def _reading(content: bytes, name: str) -> Reading:
    from bugloss.intake.given import parse_report
    from bugloss.intake.reading import take_apart

    return take_apart(parse_report(content, name))


def triage(content: bytes) -> None:
    from bugloss.core.codec import encode
    from bugloss.triage.judgement import triage as judge
    from bugloss.workflows.triage import Triaged, document

    reading = _reading(content, "report.md")
    encode(document(Triaged(reading, judge(reading))))


def json_report(content: bytes) -> None:
    from bugloss.intake.remote import _parse

    for read in (
        lambda: _reading(content, "report.json"),
        lambda: _parse(content, "so:1"),
        lambda: _parse(content, "gh:a/b#3"),
    ):
        with _ours():
            read()


def lookup(content: bytes) -> None:
    from bugloss.workflows.lookup import look_up

    look_up(content.decode("utf-8", "replace"), _corpus())


def check(content: bytes) -> None:
    _check(content, "program.py")


def check_notebook(content: bytes) -> None:
    _check(content, "notes.ipynb")


def _check(content: bytes, name: str) -> None:
    from bugloss.check.running.inspection import Inspection, check_paths
    from bugloss.check.running.selection import Selection
    from bugloss.show.formats.context import Texts
    from bugloss.show.formats.writing import write
    from bugloss.workflows.checking import apply_fixes

    with _folder() as folder:
        (folder / name).write_bytes(content)
        inspection: Inspection = check_paths([folder / name], Selection())
        write(inspection, ("full", "json", "sarif", "github")[len(content) % 4], Texts())
        _, left = apply_fixes(inspection, Selection(), write=True)
        failed = [one.message for one in (*inspection.findings, *left) if one.rule == "check-failed"]
        if failed:
            raise Failed(failed[0])


def localize(content: bytes) -> None:
    """A report over a tree of two files; the second half of the input is a source file, its first line its path."""
    from bugloss.core.plugin_group import PluginGroup
    from bugloss.core.registry import find
    from bugloss.localize.answer.ranking import rank
    from bugloss.localize.contract import Question, Technique
    from bugloss.localize.index.fact_store import FactStore
    from bugloss.localize.index.file_corpus import FileCorpus
    from bugloss.localize.index.history import History
    from bugloss.localize.index.source_facts import read_source
    from bugloss.localize.index.tree_index import build_index
    from bugloss.localize.question.query import read_query
    from bugloss.localize.repository.objects import CommitTree, TreeFile

    report, _, source = content.partition(b"\n\x1e\n")
    reading = _reading(report, "report.md")
    text = source.decode("utf-8", "replace")
    paths = (f"{text.partition(chr(10))[0][:200]}.py", "pkg/model.py", "pkg/kernel.cu")
    store = FactStore.open(None)
    store.add((str(at), read_source(text, path)) for at, path in enumerate(paths))
    files = tuple(TreeFile(path, str(at), len(text)) for at, path in enumerate(paths))
    index = build_index(files, store.outlines([file.blob for file in files]))
    corpus = FileCorpus(CommitTree("c", 0, files, ()), index, _no_history(History, index.paths), store)
    for name in ("bugloss", "bm25", "buglocator", "bluir", "blia"):
        rank(
            corpus,
            Question(read_query(reading), report=reading.report),
            find(PluginGroup.TECHNIQUE, Technique, name),
            10,
            functions=True,
        )


def _no_history(kind: type, paths: Sequence[str]) -> object:
    from bugloss.localize.index.history import summarise

    return summarise([], paths, 0, None)


def reproduce(content: bytes) -> None:
    """Everything that happens to a report before the first program runs, and every edit action on the first program."""
    from bugloss.core.plugin_group import PluginGroup
    from bugloss.core.registry import load
    from bugloss.reproduce.contract import Action, EditEvidence
    from bugloss.reproduce.expected.oracle import expect
    from bugloss.reproduce.program.assembly import assemblies
    from bugloss.workflows.reproduced import ReproductionRequest
    from bugloss.workflows.reproduction import _choices, exceptions_of

    reading = _reading(content, "report.md")
    exceptions = exceptions_of(reading)
    firsts = assemblies(reading, exceptions)
    _choices(reading, firsts, exceptions, ReproductionRequest())
    evidence = EditEvidence(
        reading, expect(reading, exceptions), {"torch": "2.13.0", "numpy": "2.4.6"}, frozenset({"torch", "numpy"})
    )
    for first in firsts[:2]:
        for action in load(PluginGroup.EDIT_ACTION, Action).values():
            next(iter(action.find(first.draft, evidence)), None)


def observe(content: bytes) -> None:
    """A recording: detectors, causes, the explanation of its crash, and the page."""
    from bugloss.core.diagnosis import Diagnosis, Ending
    from bugloss.core.plugin_group import PluginGroup
    from bugloss.core.registry import load
    from bugloss.core.run import Outcome
    from bugloss.observe.arbiter import rank
    from bugloss.observe.case import Case
    from bugloss.observe.contract import Detector
    from bugloss.observe.crash import explain
    from bugloss.observe.fault import Fault
    from bugloss.observe.recording import read
    from bugloss.observe.sources import Sources
    from bugloss.record.runs import RunFacts
    from bugloss.show.page.rendering import page

    recording = read(content.decode("utf-8", "replace").splitlines())
    detectors = load(PluginGroup.DETECTOR, Detector).values()
    symptoms = tuple(symptom for detector in detectors for symptom in detector.detect(recording))
    causes = rank(
        Case(recording, symptoms, (), Sources(lambda path: _PROGRAM)), load(PluginGroup.FAULT, Fault).values()
    )
    if recording.crash is not None:
        causes += explain(recording.crash, lambda path: _PROGRAM)
    diagnosis = Diagnosis("r", Ending(Outcome.FINISHED, 0), symptoms, causes)
    if len(content) % 3 == 0:  # the most expensive part
        page(recording, diagnosis, RunFacts("train.py", ""), lambda path: _PROGRAM)


def crash(content: bytes) -> None:
    """A traceback explained with the very program that it names."""
    from bugloss.core.failure.traceback_text import read_failures
    from bugloss.observe.crash import explain
    from bugloss.observe.crash_event import Crash

    text = content.decode("utf-8", "replace")
    for exception in [failure.exception for failure in read_failures(text)[:5]]:
        explain(Crash(exception), lambda path: text)


_PROGRAM = (
    "import torch\nmodel = torch.nn.Linear(2, 3)\nfor x in range(3):\n    loss = model(x).sum()\n    loss.backward()\n"
)


def bug_file(content: bytes) -> None:
    from bugloss.corpus.bug_file import read_bug
    from bugloss.corpus.lint import lint

    with _folder() as folder:
        bug = folder / "torch-0003"
        (bug / "buggy").mkdir(parents=True)
        (bug / "fixed").mkdir()
        for name in ("bug.toml", "report.md", "test.py", "buggy/program.py"):
            (bug / name).write_bytes(content)
        failed = [problem.message for problem in lint(bug) if "failed on this bug" in problem.message]
        if failed:
            raise Failed(failed[0])
        read_bug(bug)


def where(content: bytes) -> None:
    from bugloss.corpus.where import select

    select(_corpus().readable()[0][:10], content.decode("utf-8", "surrogateescape"))


def run_facts(content: bytes) -> None:
    from bugloss.record.runs import RunFolder

    with _folder() as folder:
        for name in ("run.json", "diagnosis.json"):
            (folder / name).write_bytes(content)
        run = RunFolder(folder)
        run.read("diagnosis.json")
        run.write_facts(run.facts())


def trials(content: bytes) -> None:
    """Recorded runs with their evidence: read, judged again, and shown."""
    from bugloss.core.codec import encode
    from bugloss.workflows.verification import regrade_folder

    with _folder() as folder:
        (folder / "trials.jsonl").write_bytes(content)
        encode(regrade_folder(folder))


def project_files(content: bytes) -> None:
    from bugloss.check.releases.target import forget_pins, pins_near
    from bugloss.check.running.baseline import without_known
    from bugloss.check.running.configuration import read_configuration
    from bugloss.run.download import download_megabytes

    with _folder() as folder:
        (folder / ".git").mkdir()
        for name in (
            "pyproject.toml",
            "requirements.txt",
            "setup.cfg",
            "environment.yml",
            "bugloss.toml",
            "baseline.json",
        ):
            (folder / name).write_bytes(content)
        forget_pins()
        pins_near(folder / "pyproject.toml")
        with _ours():
            read_configuration(folder)
        with _ours():
            without_known([], folder / "baseline.json", lambda finding: "")
        if b"http" not in content:  # sizes would be asked of the index
            with _ours():
                download_megabytes(folder / "pyproject.toml")


def lines(content: bytes) -> None:
    """JSON lines that others make: predictions, subjects, fixed reports."""
    from bugloss.evaluate.predictions import read_predictions
    from bugloss.evaluate.subjects import read_subjects
    from bugloss.workflows.earlier_reports import read_earlier

    with _folder() as folder:
        path = folder / "lines.jsonl"
        path.write_bytes(content)
        for read in (read_predictions, read_subjects, read_earlier):
            with _ours():
                read(path)


def logs(content: bytes) -> None:
    """Logs of curves: the bytes under every name that a reader goes by."""
    from bugloss.workflows.logged_curves import find_log, import_log

    with _folder() as folder, chdir(folder):
        for name in ("events.out.tfevents.1.host", "run-x.wandb", "history.csv", "wandb-history.jsonl"):
            path = folder / name
            path.write_bytes(content)
            log = find_log(path)
            assert log is not None
            with _ours():
                import_log(log)


@cache
def _corpus() -> Corpus:
    from bugloss.corpus.collection import load

    return load(seeds.ROOT / "bugs")


@contextmanager
def _ours() -> Iterator[None]:
    """One of several readings of the same input: that it refuses the input is fine."""
    with suppress(BuglossError):
        yield


@contextmanager
def _folder() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="bugloss-fuzz-"))
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _texts(*texts: str) -> Callable[[], Sequence[bytes]]:
    return lambda: tuple(text.encode() for text in texts)


def _reports_and_sources() -> Sequence[bytes]:
    return tuple(
        report + b"\n\x1e\npkg/a\n" + source for report, source in zip(seeds.reports(), seeds.programs(), strict=False)
    )


TARGETS = {
    target.name: target
    for target in (
        Target("triage", seeds.reports, triage),
        Target("json-report", seeds.json_reports, json_report),
        Target("lookup", seeds.tracebacks, lookup),
        Target("check", seeds.programs, check),
        Target("check-notebook", seeds.notebooks, check_notebook),
        Target("localize", _reports_and_sources, localize),
        Target("reproduce", seeds.reports, reproduce),
        Target("observe", seeds.recordings, observe),
        Target("crash", seeds.tracebacks, crash),
        Target("bug-file", seeds.bug_files, bug_file),
        Target("where", _texts(*seeds.QUERIES), where),
        Target("run-facts", seeds.run_facts, run_facts),
        Target("trials", seeds.trials, trials),
        Target("project-files", _texts(*seeds.PROJECT_FILES), project_files),
        Target("logs", seeds.logs, logs),
        Target("lines", _texts(*seeds.LINES), lines),
    )
}
