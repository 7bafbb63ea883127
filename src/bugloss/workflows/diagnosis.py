"""From a script, a bug or a recorded run to its causes: observe, ask the detectors and check, let the arbiter judge."""

from __future__ import annotations

import subprocess
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TypeVar

from bugloss.check.running.inspection import check_paths, check_source
from bugloss.check.running.selection import Selection
from bugloss.core.cause import CellPlace
from bugloss.core.codec import encode
from bugloss.core.diagnosis import Cause, Diagnosis, FailedPlugin, Location, Site, SolvedBug
from bugloss.core.errors import BuglossError, InvalidInput, SandboxUnavailable
from bugloss.core.finding import Finding
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.registry import load
from bugloss.core.run import Isolation, Outcome, RunEnvironment
from bugloss.observe.arbiter import rank
from bugloss.observe.case import Case
from bugloss.observe.causes.plain import PlainFault
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.observe.fault import Fault
from bugloss.observe.recording import Recording
from bugloss.observe.sources import Sources
from bugloss.record.runs import RunFacts, RunFolder, find_run
from bugloss.run.listener import Listener
from bugloss.run.sandbox import guards_files, isolation_for_untrusted
from bugloss.workflows.crash_causes import causes_of_crash, merge_causes
from bugloss.workflows.ending import ending_of, outcome_of
from bugloss.workflows.environment_choice import EnvironmentRequest
from bugloss.workflows.logged_curves import UNSEEN, Log, find_log, import_log
from bugloss.workflows.observation import Observation, observe_here, observe_sandboxed, recording_of
from bugloss.workflows.program_sources import cells_of, script_of, source_reader
from bugloss.workflows.subject import find_module

Note = Callable[[FailedPlugin], None]
Place = TypeVar("Place", Site, Location)

_CHECK_FAILED = "check-failed"  # the finding of check about a file on which one of its rules failed


@dataclass(frozen=True, slots=True)
class DiagnosisRequest:
    """What to diagnose, and where it runs; without a named isolation it runs where it cannot reach the user's files."""

    target: str
    arguments: tuple[str, ...] = ()
    stack: str | None = None
    here: bool = False
    properties: bool = True
    timeout: float = 600.0
    seed: int = 0
    offline: bool = False
    isolation: Isolation | None = None
    quiet_output: bool = False  # whether standard output is kept for a document
    python: str | None = None
    packages: tuple[str, ...] = ()  # to be added to the environment
    companions: bool = True  # whether a stack gets the packages that the program imports
    module: bool = False  # whether the target is a module, as with ``python -m``
    stdin: int = subprocess.DEVNULL  # what a sandboxed program reads; a file is read again by every run


def find_recorded(request: DiagnosisRequest) -> RunFolder | None:
    """The recorded run that is meant; a script of that name comes first."""
    return None if request.module or Path(request.target).is_file() else find_run(request.target)


def observe_target(
    request: DiagnosisRequest,
    notify: Callable[[str], None] = lambda text: None,
    listener: Listener | None = None,
) -> RunFolder:
    """A recorded run as it is; a script or a bug's program after it has run."""
    recorded = find_recorded(request)
    if recorded is not None:
        return recorded
    if (log := log_of(request)) is not None:
        return import_log(log)
    if request.module:
        script = find_module(request.target)
        return observe_script(_observation(script, request, Path()), request, notify, listener)
    script = Path(request.target)
    if script.is_file():
        return observe_script(_observation(script, request), request, notify, listener)
    script, stack, isolation = _program_of_bug(request)
    known = replace(request, stack=stack, isolation=isolation, companions=False)
    return observe_script(_observation(script, request), known, notify, listener)


def log_of(request: DiagnosisRequest) -> Log | None:
    """The log of a finished training that is meant."""
    return None if request.module else find_log(Path(request.target))


def find_script(request: DiagnosisRequest) -> Path:
    """The file that a script, a module or a bug starts with."""
    if request.module:
        return find_module(request.target)
    script = Path(request.target)
    return script if script.is_file() else _program_of_bug(request)[0]


def _observation(script: Path, request: DiagnosisRequest, root: Path | None = None) -> Observation:
    return Observation(
        script,
        request.arguments,
        properties=request.properties,
        seed=request.seed,
        timeout=request.timeout,
        module=request.target if request.module else None,
        root=root,
        stdin=request.stdin,
    )


def observe_script(
    observation: Observation,
    request: DiagnosisRequest,
    notify: Callable[[str], None],
    listener: Listener | None = None,
) -> RunFolder:
    if request.here:
        if request.packages:
            raise InvalidInput(
                "--with adds packages to an environment of bugloss, not to your own interpreter.", hint="Remove --here."
            )
        return observe_here(observation, request.python, listener, quiet_output=request.quiet_output)
    level = request.isolation or _guarded()
    where = environment_request(request)
    return observe_sandboxed(observation, where, isolation=level, notify=notify, listener=listener)


def environment_request(request: DiagnosisRequest) -> EnvironmentRequest:
    """What the request says about the environment."""
    return EnvironmentRequest(request.stack, request.python, request.packages, request.companions, request.offline)


def _guarded() -> Isolation:
    """An untrusted program runs only where it cannot reach the user's files, unless the user says otherwise."""
    try:
        return isolation_for_untrusted()
    except SandboxUnavailable as error:
        hint = f"{error.hint}; or run it in your own interpreter, not sandboxed: --here"
        raise SandboxUnavailable(error.message, hint=hint) from error


@dataclass(frozen=True, slots=True)
class Examined:
    """A run with all that is known about it."""

    folder: RunFolder
    facts: RunFacts
    recording: Recording
    case: Case
    diagnosis: Diagnosis
    cells: tuple[CellPlace, ...] = ()  # of the lines of a notebook


def examine(folder: RunFolder, target: Mapping[str, str] | None = None) -> Examined:
    """Diagnoses a run that was recorded, and writes the diagnosis beside it."""
    facts, recording = folder.facts(), recording_of(folder)
    outcome = outcome_of(facts.outcome, facts.exit_code, recording)
    recording = replace(recording, unfinished=outcome not in {Outcome.FINISHED, Outcome.EXITED})
    sources = Sources(source_reader(folder, facts), (Path(facts.script).name,))
    detectors, faults = load(PluginGroup.DETECTOR, Detector), load(PluginGroup.FAULT, Fault)
    failed = [FailedPlugin.broken(group.group, error) for group in (detectors, faults) for error in group.broken]
    symptoms = detect(recording, detectors.values(), failed.append)
    script = None if facts.curves else script_of(folder, facts)
    findings = _findings(script, target or {}, failed.append)
    elsewhere = findings_elsewhere(sources, facts.script_inside, target or {}, failed.append) if script else ()
    case = Case(recording, symptoms, (*findings, *elsewhere), sources)
    causes = causes_of(case, _answerable(faults.values(), facts), target or {}, failed.append)
    ending = ending_of(facts, recording, sources.read)
    gaps = () if ending.refused else tuple(_gaps(recording, facts))
    left_out = dict.fromkeys(each.words for each in failed)  # a pack that does not load is missed by several groups
    remarks = (*ending.missing, *left_out, *gaps, *_remarks(recording, facts))
    seen = Diagnosis(
        folder.id, ending, symptoms, causes, remarks, _similar(recording), tuple(failed), gaps, facts.isolation,
        RunEnvironment(facts.python, facts.stack, facts.added, facts.reason),
    )  # fmt: skip
    cells = cells_of(script)
    diagnosis = _as_typed(seen, facts, cells)
    folder.write("diagnosis.json", document(diagnosis))
    return Examined(folder, facts, recording, case, diagnosis, cells)


def _answerable(faults: Iterable[Fault], facts: RunFacts) -> Iterable[Fault]:
    """The faults that a run can show; of a log of curves those that symptoms alone show: the model is unknown."""
    return [fault for fault in faults if not facts.curves or isinstance(fault, PlainFault)]


def causes_of(case: Case, faults: Iterable[Fault], target: Mapping[str, str], note: Note) -> tuple[Cause, ...]:
    """Why a program misbehaves, its crash included, the surest first."""
    crash = causes_of_crash(case.recording, case.sources, case.findings, target, note)
    return merge_causes(crash, rank(case, faults, note))


def document(diagnosis: Diagnosis) -> dict[str, object]:
    """The diagnosis as outside programs read it."""
    brief = {"outcome": diagnosis.ending.outcome.in_brief, "clear": diagnosis.clear}
    causes = [_cause_document(cause) for cause in diagnosis.causes]
    return {"schema": "bugloss.diagnosis/1", **brief, **encode(diagnosis), "causes": causes}


def _cause_document(cause: Cause) -> dict[str, object]:
    edits = [edit.document for edit in cause.edits]
    return {**encode(cause), "edits": edits, **({"edit": edits[0]} if edits else {})}


def with_failures(examined: Examined, failed: Sequence[FailedPlugin]) -> Examined:
    """The same with plug-ins that failed later; the diagnosis on disk says so, too."""
    if not failed:
        return examined
    before = examined.diagnosis
    remarks = (*before.remarks, *(each.words for each in failed))
    diagnosis = replace(before, remarks=remarks, failed=(*before.failed, *failed))
    examined.folder.write("diagnosis.json", document(diagnosis))
    return replace(examined, diagnosis=diagnosis)


def _as_typed(diagnosis: Diagnosis, facts: RunFacts, cells: Sequence[CellPlace]) -> Diagnosis:
    """Paths as the user typed the script's: the probe writes them relative to the script's folder.

    Places in a notebook get their cell.
    """
    parent, script = folder_as_typed(facts), facts.script_inside

    def typed(path: str) -> str:
        return (parent / path).as_posix()

    def moved(place: Place) -> Place:
        cell = cells[place.line - 1] if place.path == script and 0 < place.line <= len(cells) else None
        return replace(place, path=typed(place.path), cell=cell)

    symptoms = tuple(
        replace(symptom, site=moved(symptom.site)) if symptom.site else symptom for symptom in diagnosis.symptoms
    )
    causes = tuple(
        replace(
            cause,
            locations=tuple(moved(place) for place in cause.locations),
            edits=tuple(edit.moved(typed) for edit in cause.edits),
        )
        for cause in diagnosis.causes
    )
    site = diagnosis.ending.site
    ending = replace(diagnosis.ending, site=moved(site)) if site else diagnosis.ending
    return replace(diagnosis, ending=ending, symptoms=symptoms, causes=causes)


def folder_as_typed(facts: RunFacts) -> Path:
    """The folder that recorded paths are relative to, as the user typed it."""
    return Path(facts.script).parents[len(Path(facts.script_inside).parts) - 1]


def _findings(script: Path | None, target: Mapping[str, str], note: Note) -> tuple[Finding, ...]:
    """What check says of the script; paths as the probe writes them, relative to the script's folder."""
    if script is None:
        return ()
    try:
        inspection = check_paths([script], Selection(target=dict(target)))
    except Exception as error:  # a script that no rule can read must not hide how it ran
        note(FailedPlugin.raised("check of", script.name, error))
        return ()
    for finding in inspection.findings:
        if finding.rule == _CHECK_FAILED:
            note(FailedPlugin("check of", script.name, finding.message))
    return tuple(finding.moved(script.name) for finding in inspection.findings)


def findings_elsewhere(sources: Sources, script: str, target: Mapping[str, str], note: Note) -> Iterator[Finding]:
    """What check says of the program's other files: those that the script imports, directly or through others."""
    for module in sources.project.modules():
        if module.path == script:
            continue
        try:
            yield from check_source(module.source, Selection(target=dict(target)))
        except Exception as error:  # one file that no rule can read must not hide the others
            note(FailedPlugin.raised("check of", module.path, error))


def _similar(recording: Recording) -> tuple[SolvedBug, ...]:
    """Solved bugs with a similar crash; none without a corpus."""
    if recording.crash is None:
        return ()
    from bugloss.corpus.collection import load as load_corpus
    from bugloss.workflows.lookup import solved_similarly

    try:
        return solved_similarly(recording.crash.exception, load_corpus())
    except BuglossError:
        return ()


def _gaps(recording: Recording, facts: RunFacts) -> Iterator[str]:
    """Why a run without symptoms is not necessarily correct."""
    if facts.curves:
        yield f"only the curves were judged: of {UNSEEN} a log of curves says nothing"
        if not recording.steps:
            yield "the log has no training loss"
    elif recording.started is None:
        yield "the program used neither PyTorch nor Keras, so nothing could be observed"
    elif not recording.steps:
        yield "no training step was observed"
    for failure in recording.failures[:5]:
        yield f"part of the observation failed: {failure.where}: {failure.why}"
    if any(occasion.kind == "second-training-thread" for occasion in recording.occasions):
        yield "two threads train at the same time: only the first one is observed"


def _remarks(recording: Recording, facts: RunFacts) -> Iterator[str]:
    """What else a reader of the diagnosis should know."""
    if recording.cost is not None and recording.cost.mode != "full" and not facts.curves:
        yield f"layers were not observed: {recording.cost.why}"
    yield from facts.notes
    yield from _stand_ins(list(dict.fromkeys(one.name for one in recording.generated)))
    yield from (f"not copied into the sandbox: {left}" for left in facts.left_out)
    if facts.isolation is not None and not guards_files(facts.isolation):
        yield f"the isolation level was only {facts.isolation.level}: the program could read and write your files"


def _stand_ins(names: list[str]) -> Iterator[str]:
    """What could not be downloaded, and what the program got instead."""
    data = [name for name in names if not name.startswith("weights ")]
    if data:
        what = "was replaced by a stand-in" if len(data) == 1 else "were replaced by stand-ins"
        yield f"{', '.join(data)} {what}: generated data of the same shapes, types and ranges, as there is no network"
    if weights := [name for name in names if name.startswith("weights ")]:
        yield f"{', '.join(weights)} could not be downloaded: the model starts from random weights"


def require_run(folder: RunFolder | None, name: str) -> RunFolder:
    """The run, or a clear error."""
    if folder is None:
        raise InvalidInput(
            f"there is no recorded run '{name}'.",
            hint="bugloss run SCRIPT records a run; bugloss runs lists the recorded ones.",
        )
    return folder


def _program_of_bug(request: DiagnosisRequest) -> tuple[Path, str | None, Isolation]:
    """The entry program of a bug, its buggy one unless the id ends in ``f``; its stack, and how it is sandboxed."""
    from bugloss.core.bug import Twin
    from bugloss.corpus.collection import load as load_corpus
    from bugloss.workflows.bug_trial import isolation_for
    from bugloss.workflows.upstream.sources import provide_sources

    name, twin = request.target, Twin.BUGGY
    bugs = load_corpus()
    if name not in bugs and name[-1:] in {"b", "f"}:
        name, twin = name[:-1], Twin.FIXED if name.endswith("f") else Twin.BUGGY
    if name not in bugs:
        raise InvalidInput(
            f"there is no script, recorded run or bug '{request.target}'.",
            hint="bugloss run SCRIPT records a run; bugloss list names the bugs.",
        )
    entry = bugs[name]
    provide_sources(entry, offline=request.offline)
    isolation = request.isolation or isolation_for(entry)
    return entry.program(twin.value) / entry.bug.entry, request.stack or entry.bug.stack, isolation
