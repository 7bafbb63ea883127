"""From a script or a bug to patches that were run, compared and shown to help."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss import __version__
from bugloss.core.diagnosis import Diagnosis
from bugloss.core.errors import EnvironmentFailure, FileRefused, InvalidInput
from bugloss.core.finding import Finding
from bugloss.core.foreign_file import read_text
from bugloss.core.patch import Patch, PatchVerdict, TriedPatch
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.plural import plural
from bugloss.core.registry import load
from bugloss.core.run import Outcome
from bugloss.observe.recording import Recording
from bugloss.record.repairs import PATCH_FILE, RepairFolder, content_name
from bugloss.record.runs import RunFacts
from bugloss.repair.candidates import candidates
from bugloss.repair.case import RepairCase
from bugloss.repair.contract import FixGenerator
from bugloss.repair.ladder.pairs import SEEDS
from bugloss.repair.ladder.program_files import apply_edit, diff_of
from bugloss.source.project import Project
from bugloss.stacks.stack import load_stack
from bugloss.workflows.diagnosis import DiagnosisRequest, Examined, examine, find_script, observe_target
from bugloss.workflows.environment_choice import EnvironmentRequest, choose_environment, installable
from bugloss.workflows.patch_trial import ProgramState, check_file
from bugloss.workflows.patch_writing import patch_for_git
from bugloss.workflows.program_sources import is_source
from bugloss.workflows.repair_search import RepairSearch, SearchResult
from bugloss.workflows.run_seal import sign
from bugloss.workflows.subject import files_of, read_program
from bugloss.workflows.trial import releases_of
from bugloss.workflows.trial_bench import BenchProgram, TrialBench, preload_for

Notify = Callable[[str], None]

NOTHING = "nothing to repair was found"
_RUNS = 12  # for which the budget must do: five pairs, and what is tried in vain
_PATIENCE = 2.0  # times the seconds of the observed run: a patched program may be slower
_SHARE_OF_A_RUN = 0.4  # of the budget: a symptom of the last epochs is only seen by whole runs
_LEAST_HORIZON = 5.0  # seconds; less shows no training


@dataclass(frozen=True, slots=True)
class RepairRequest:
    """What to repair, where it runs, and how many seconds the search may take."""

    diagnosis: DiagnosisRequest
    budget: float = 120.0
    jobs: int = 2
    seeds: int = SEEDS
    proposed: Callable[[RepairCase], Sequence[Patch]] | None = None  # instead of what the fix patterns propose


@dataclass(frozen=True, slots=True)
class RepairOutcome:
    """The patches of a program, the best first; ``words`` says in one line what came of it."""

    script: Path
    root: Path  # the folder that the paths of patches are relative to
    words: str
    patches: tuple[TriedPatch, ...] = ()
    search: SearchResult | None = None
    diagnosis: Diagnosis | None = None
    remarks: tuple[str, ...] = ()
    seconds: float = 0.0
    folder: RepairFolder | None = None
    recording: Recording | None = None
    target: str = ""  # as it was typed

    @property
    def interrupted(self) -> bool:
        """Whether the user stopped the search; what was found until then is kept."""
        return self.search is not None and self.search.interrupted

    @property
    def parts(self) -> tuple[TriedPatch, ...]:
        """The patches that the best one is made of."""
        return self.search.parts if self.search is not None else ()

    @property
    def healthy(self) -> bool:
        """Whether the program ran and nothing is wrong with it."""
        return self.words == NOTHING

    @property
    def ran(self) -> bool:
        """Whether the program could be run at all."""
        return self.diagnosis is not None

    @property
    def best(self) -> TriedPatch | None:
        """The patch to apply: one that was shown to help."""
        first = self.patches[0] if self.patches else None
        return first if first is not None and first.verdict is PatchVerdict.FIXED else None


def repair(request: RepairRequest, notify: Notify = lambda text: None) -> RepairOutcome:
    """Observes the program, and searches for a patch; one that cannot be run gets what check proposes, not run."""
    started = time.monotonic()
    script = find_script(request.diagnosis)
    try:
        examined = examine(observe_target(request.diagnosis, notify))
    except EnvironmentFailure as error:
        found = _without_running(script, error.message)
        return replace(found, seconds=_since(started), target=request.diagnosis.target)
    if examined.diagnosis.ending.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    found = repair_examined(examined, request, notify)
    return replace(found, seconds=_since(started), target=request.diagnosis.target)


def repair_examined(examined: Examined, request: RepairRequest, notify: Notify = lambda text: None) -> RepairOutcome:
    """The same for a program that was observed and diagnosed just now."""
    facts, diagnosis = examined.facts, examined.diagnosis
    root, inside = Path(facts.folder), facts.script_inside
    script, read = root / inside, examined.case.sources.read
    target = {**_pinned(facts.stack), **releases_seen(examined.recording)}
    standing = _standing(read, inside, target)
    outcome = RepairOutcome(script, root, NOTHING, diagnosis=diagnosis, recording=examined.recording)
    serious = any(finding.severity.rank > 0 for finding in standing.findings)
    if not (diagnosis.causes or diagnosis.alarms or serious or not diagnosis.ending.finished):
        return outcome
    content = {**_content(standing, inside, facts), "proposed": getattr(request.proposed, "__name__", "")}
    folder = RepairFolder(content_name(script.stem, content), sign)
    seconds = _seconds_of_a_run(facts, request, crashed=examined.recording.crash is not None)
    with _bench(examined, request, seconds, notify) as bench:
        # The time for loading a framework once is not the search's.
        deadline = time.monotonic() + request.budget
        search = RepairSearch(
            bench, inside, standing, folder, seconds, deadline, request.jobs, request.seeds, notify, request.proposed
        )
        found = search.run()
    said = replace(outcome, words=_words(found), patches=found.tried, search=found, folder=folder)
    said = replace(said, remarks=tuple(one.words for one in found.failed))
    if said.best is not None:
        folder.write(PATCH_FILE, patch_for_git(said.best.diff, root))
    if not found.interrupted:
        folder.finish(document(said))
    return said


def _standing(read: Callable[[str], str | None], inside: str, target: Mapping[str, str]) -> ProgramState:
    project = Project(read, (inside,))
    findings = [one for module in project.modules() for one in check_file(module.source.text, module.path, target)]
    return ProgramState(read, target, findings=tuple(findings))


def _content(standing: ProgramState, inside: str, facts: RunFacts) -> dict[str, str]:
    texts = {module.path: module.source.text for module in Project(standing.read, (inside,)).modules()}
    where = {"": f"{__version__} {facts.stack or facts.python} {facts.added} {facts.arguments}"}
    return {**texts, **where}


def _seconds_of_a_run(facts: RunFacts, request: RepairRequest, *, crashed: bool) -> float:
    """A long training is compared over its first part, at equal steps; a short one as a whole.

    How long a program would train that crashed is not known.
    """
    whole = request.diagnosis.timeout
    took = facts.seconds or whole
    part = request.budget * request.jobs / _RUNS
    if crashed:
        return min(whole, max(_LEAST_HORIZON, took, request.budget * _SHARE_OF_A_RUN))
    needed = part if took > request.budget * _SHARE_OF_A_RUN else _PATIENCE * took
    return min(whole, max(_LEAST_HORIZON, needed))


def _bench(examined: Examined, request: RepairRequest, seconds: float, notify: Notify) -> TrialBench:
    facts, asked = examined.facts, request.diagnosis
    if facts.isolation is None:
        raise InvalidInput("a run in your own interpreter is not repaired: patches run sandboxed only.")
    root = Path(facts.folder)
    script = root / facts.script_inside
    program = read_program(script, root)
    companions = asked.companions and (asked.module or Path(asked.target).is_file())  # a bug's stack has them all
    same = EnvironmentRequest(
        facts.stack, None if facts.stack else facts.python, installable(facts.added), companions, asked.offline
    )
    environment = choose_environment(program, same, notify).environment
    command = ("-m", facts.module) if facts.module else (facts.script_inside,)
    framework = examined.recording.started.framework if examined.recording.started else ""
    files = BenchProgram(
        files_of(script, root)[0],
        (*command, *facts.arguments),
        preload_for(program.sources, framework or _imported(program.imports)),
    )
    return TrialBench(files, environment, facts.isolation, request.jobs, seconds)


def _imported(imports: Iterable[str]) -> str:
    return next((name for name in ("torch", "keras", "tensorflow") if name in set(imports)), "")


def _pinned(stack: str | None) -> dict[str, str]:
    """The releases of a stack: a program that stopped at once recorded none."""
    return releases_of(load_stack(stack)) if stack else {}


def releases_seen(recording: Recording) -> dict[str, str]:
    """The releases of the libraries that a program ran with, as far as they were recorded."""
    started = recording.started
    if started is None:
        return {}
    found = {started.framework: started.version}
    if started.backend and started.backend_version:
        found[started.backend] = started.backend_version
    return found


def _words(found: SearchResult) -> str:
    best = found.best
    if best is None:
        count = len(found.tried)
        if found.interrupted:
            return f"interrupted after {plural(count, 'patch', 'patches')}; none was shown to help yet"
        return f"no patch was shown to help; {count} {'was' if count == 1 else 'were'} tried" if count else NO_PATCH
    left = f"; still open: {', '.join(found.open)}" if found.open else ""
    return f"fixed: {best.patch.edit.text}{left}"


NO_PATCH = "something is wrong, and no patch for it is known"


def _without_running(script: Path, why: str) -> RepairOutcome:
    """What check proposes for the script, as the program cannot be run here."""
    root = script.parent

    def read(path: str) -> str | None:
        try:
            return read_text(root, path, errors="replace") if is_source(path) else None
        except FileRefused:
            return None

    project = Project(read, (script.name,))
    standing = _standing(read, script.name, {})
    case = RepairCase(project, script.name, _serious(standing.findings))
    proposed = candidates(case, load(PluginGroup.FIX_PATTERN, FixGenerator).values())
    patches = []
    for patch in proposed:
        applied, texts = apply_edit(patch.edit, read)
        if applied.passed:
            patches.append(TriedPatch(patch, PatchVerdict.NOT_RUN, (applied,), diff_of(read, texts)))
    words = "the program could not be run; check proposes these patches" if patches else "the program could not be run"
    return RepairOutcome(script, root, words, tuple(patches), remarks=(why,))


def _serious(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    return tuple(finding for finding in findings if finding.severity.rank > 0)


def _since(started: float) -> float:
    return round(time.monotonic() - started, 1)


def document(outcome: RepairOutcome) -> dict[str, object]:
    """The document ``bugloss.repair/1``."""
    return {
        "script": outcome.script.name,
        "outcome": outcome.words,
        "interrupted": outcome.interrupted,
        "patches": [tried.document for tried in outcome.patches],
        "open": list(outcome.search.open) if outcome.search is not None else [],
        "remarks": list(outcome.remarks),
        "seconds": outcome.seconds,
    }
