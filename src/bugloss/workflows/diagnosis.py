"""From a script, a bug or a recorded run to its causes: observe, ask the detectors and check, let the arbiter judge."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.check.inspection import check_paths
from bugloss.check.selection import Selection
from bugloss.core.codec import encode
from bugloss.core.diagnosis import Cause, Diagnosis, Ending, SolvedBug
from bugloss.core.errors import BuglossError, InvalidInput
from bugloss.core.finding import Finding
from bugloss.core.registry import load
from bugloss.core.run import Isolation
from bugloss.observe.arbiter import rank
from bugloss.observe.case import Case
from bugloss.observe.contract import Detector
from bugloss.observe.detection import detect
from bugloss.observe.fault import Fault
from bugloss.observe.origin import Sources
from bugloss.observe.recording import Recording
from bugloss.record.runs import RunFacts, RunFolder, find_run
from bugloss.workflows.observation import Observation, observe_here, observe_in_stack, recording_of

_ENDINGS = {
    "crashed": Ending.CRASHED,
    "timeout": Ending.TIMED_OUT,
    "killed": Ending.CRASHED,
    "too-much-evidence": Ending.TIMED_OUT,  # the training went on, what is known of it did not
}


@dataclass(frozen=True, slots=True)
class Request:
    """What to diagnose, and where it runs."""

    target: str
    arguments: tuple[str, ...] = ()
    stack: str | None = None
    here: bool = False
    properties: bool = True
    timeout: float = 600.0
    seed: int = 0
    offline: bool = False
    isolation: Isolation | None = None


def observe_target(request: Request, notify: Callable[[str], None] = lambda text: None) -> RunFolder:
    """A recorded run as it is; a script or a bug's program after it has run."""
    script, stack = Path(request.target), request.stack
    if not script.is_file():
        recorded = find_run(request.target)
        if recorded is not None:
            return recorded
        script, stack = _program_of_bug(request)
    return observe_script(script, stack, request, notify)


def observe_script(script: Path, stack: str | None, request: Request, notify: Callable[[str], None]) -> RunFolder:
    observation = Observation(
        script, request.arguments, properties=request.properties, seed=request.seed, timeout=request.timeout
    )
    if request.here:
        return observe_here(observation)
    return observe_in_stack(observation, stack, offline=request.offline, isolation=request.isolation, notify=notify)


@dataclass(frozen=True, slots=True)
class Examined:
    """A run with all that is known about it."""

    folder: RunFolder
    facts: RunFacts
    recording: Recording
    case: Case
    diagnosis: Diagnosis


def examine(folder: RunFolder, target: Mapping[str, str] | None = None) -> Examined:
    """Diagnoses a run that was recorded, and writes the diagnosis beside it."""
    facts, recording = folder.facts(), recording_of(folder)
    sources = Sources(_reader(Path(facts.folder)))
    symptoms = detect(recording, load("detector", Detector).values())
    case = Case(recording, symptoms, _findings(facts, target or {}), sources)
    causes = _merged((*_of_crash(recording, sources), *rank(case, load("fault", Fault).values())))
    ending = _ENDINGS.get(facts.outcome, Ending.FINISHED)
    seen = Diagnosis(folder.id, ending, symptoms, causes, _remarks(recording, facts), _similar(recording))
    diagnosis = _as_typed(seen, facts)
    folder.write("diagnosis.json", document(diagnosis))
    return Examined(folder, facts, recording, case, diagnosis)


def document(diagnosis: Diagnosis) -> dict[str, object]:
    """The diagnosis as outside programs read it."""
    return {"schema": "bugloss.diagnosis/1", **encode(diagnosis)}


def _as_typed(diagnosis: Diagnosis, facts: RunFacts) -> Diagnosis:
    """Paths as the user typed the script's: the probe writes them relative to the script's folder."""
    parent = Path(facts.script).parent

    def typed(path: str) -> str:
        return (parent / path).as_posix()

    symptoms = tuple(
        replace(symptom, site=replace(symptom.site, path=typed(symptom.site.path))) if symptom.site else symptom
        for symptom in diagnosis.symptoms
    )
    causes = tuple(
        replace(cause, locations=tuple(replace(place, path=typed(place.path)) for place in cause.locations))
        for cause in diagnosis.causes
    )
    return replace(diagnosis, symptoms=symptoms, causes=causes)


def _findings(facts: RunFacts, target: Mapping[str, str]) -> tuple[Finding, ...]:
    """What check says of the script; paths as the probe writes them, relative to the script's folder."""
    script = Path(facts.folder, Path(facts.script).name)
    if not script.is_file():
        return ()
    try:
        inspection = check_paths([script], Selection(target=dict(target)))
    except BuglossError:
        return ()
    return tuple(replace(finding, path=script.name) for finding in inspection.findings)


def _reader(folder: Path) -> Callable[[str], str | None]:
    def read(path: str) -> str | None:
        try:
            return (folder / path).read_text(encoding="utf-8", errors="replace")
        except (OSError, ValueError):
            return None

    return read


def _of_crash(recording: Recording, sources: Sources) -> tuple[Cause, ...]:
    if recording.crash is None:
        return ()
    from bugloss.observe.crash import explain

    return explain(recording.crash, sources.read)


def _similar(recording: Recording) -> tuple[SolvedBug, ...]:
    """Solved bugs that crashed alike, where a corpus is at hand."""
    if recording.crash is None:
        return ()
    from bugloss.corpus.collection import load as load_corpus
    from bugloss.workflows.lookup import solved_alike

    try:
        return solved_alike(recording.crash.exception, load_corpus())
    except BuglossError:
        return ()


def _merged(causes: tuple[Cause, ...]) -> tuple[Cause, ...]:
    """One entry a cause, the surest first."""
    best: dict[str, Cause] = {}
    for cause in causes:
        if cause.cause not in best or best[cause.cause].confidence < cause.confidence:
            best[cause.cause] = cause
    return tuple(sorted(best.values(), key=lambda cause: -cause.confidence))


def _remarks(recording: Recording, facts: RunFacts) -> tuple[str, ...]:
    """What keeps the diagnosis from being whole."""
    remarks = []
    if recording.started is None:
        remarks.append("neither PyTorch nor Keras was used, so there was nothing to observe")
    elif not recording.steps:
        remarks.append("no training step was seen")
    if facts.outcome in {"timeout", "killed", "interrupted"}:
        remarks.append(f"the program did not come to its end ({facts.outcome})")
    if facts.outcome == "too-much-evidence":
        remarks.append("only the beginning was recorded: the program left more evidence than is read")
    if recording.cost is not None and recording.cost.mode != "full":
        remarks.append(f"layers were not observed: {recording.cost.why}")
    if any(occasion.kind == "second-training-thread" for occasion in recording.occasions):
        remarks.append("two threads train at the same time: only the one that began is followed")
    remarks += [f"part of the observation failed: {failure.where}: {failure.why}" for failure in recording.failures[:5]]
    if recording.unread:
        remarks.append(f"{recording.unread} lines of the recording could not be read")
    return tuple(remarks)


def require_run(folder: RunFolder | None, name: str) -> RunFolder:
    """The run, or a clear error."""
    if folder is None:
        raise InvalidInput(
            f"there is no script and no recorded run '{name}'.",
            hint="bugloss run SCRIPT records one; bugloss report last shows the latest.",
        )
    return folder


def _program_of_bug(request: Request) -> tuple[Path, str | None]:
    """The entry program of a bug: its buggy one unless the id ends in ``f``."""
    from bugloss.core.bug import Twin
    from bugloss.corpus.collection import load as load_corpus

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
    return entry.program(twin.value) / entry.bug.entry, request.stack or entry.bug.stack
