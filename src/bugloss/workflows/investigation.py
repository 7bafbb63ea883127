"""The whole way from a report: triage, reproduction, its diagnosis and repair, the files of a repository to open."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from bugloss.core.diagnosis import Diagnosis
from bugloss.core.errors import BuglossError, EnvironmentFailure
from bugloss.core.ranking import Ranking
from bugloss.core.reported_patch import ReportedPatch
from bugloss.core.run import Outcome
from bugloss.core.written_file import write_inside
from bugloss.repair.ladder.program_files import apply_edit
from bugloss.repair.reporter_lines import on_report
from bugloss.workflows.diagnosis import DiagnosisRequest, Examined, examine, observe_target
from bugloss.workflows.diagnosis import document as diagnosis_document
from bugloss.workflows.localization import LocalizationRequest, check_search, localize_triaged
from bugloss.workflows.localization import document as ranking_document
from bugloss.workflows.repair import RepairOutcome, RepairRequest, repair_examined
from bugloss.workflows.repair import document as repair_document
from bugloss.workflows.reproduced import Reproduction, ReproductionRequest
from bugloss.workflows.reproduced import document as reproduction_document
from bugloss.workflows.reproduction import reproduce_triaged
from bugloss.workflows.triage import Triaged, triage_report
from bugloss.workflows.triage import document as triage_document

REPAIR_SECONDS = 60.0  # for the repair of a reproduction, which is small
_SCRIPT = "repro.py"


@dataclass(frozen=True, slots=True)
class Investigation:
    """One case: what the report says, the program that shows it, why it fails, where to look, as far as that came."""

    triaged: Triaged
    reproduction: Reproduction
    examined: Examined | None = None  # the run of the reproduction
    remarks: tuple[str, ...] = ()
    ranking: Ranking | None = None
    repair: RepairOutcome | None = None  # of the reproduction
    reported: ReportedPatch | None = None  # its patch, on the lines of the report

    @property
    def diagnosis(self) -> Diagnosis | None:
        return self.examined.diagnosis if self.examined else None


def investigate(
    given: str,
    request: ReproductionRequest,
    folder: Path,
    notify: Callable[[str], None] = lambda text: None,
    search: LocalizationRequest | None = None,
) -> Investigation:
    """Triages and reproduces a report; what was reproduced is run once more, watched, diagnosed and repaired.

    Where a repository is given, its files are ranked too, whether or not the bug could be shown.
    """
    if search is not None:
        check_search(search)
    triaged = triage_report(given, offline=request.offline)
    reproduction = reproduce_triaged(triaged, request, notify)
    case = _ranked(Investigation(triaged, reproduction), search, notify)
    if not reproduction.reproduced or reproduction.choice is None:
        return case
    notify("diagnosing the reproduction")
    asked = _request_of(reproduction, request, folder)
    try:
        case = replace(case, examined=_examined(reproduction, asked, folder, notify))
    except BuglossError as error:
        return _remarked(case, f"The reproduction could not be diagnosed: {error.message}")
    return _repaired(case, asked, request.jobs, notify)


def _repaired(case: Investigation, asked: DiagnosisRequest, jobs: int, notify: Callable[[str], None]) -> Investigation:
    """The same with the patch of the reproduction, on the lines of the report as far as these are the same."""
    if case.examined is None:
        return case
    notify("repairing the reproduction")
    try:
        found = repair_program(case.examined, asked, REPAIR_SECONDS, notify, jobs)
    except BuglossError as error:
        return _remarked(case, f"The reproduction could not be repaired: {error.message}")
    best = found.best if found is not None else None
    if best is None:
        return replace(case, repair=found)
    before = case.reproduction.script
    after = apply_edit(best.patch.edit, lambda path: before if path == _SCRIPT else None)[1].get(_SCRIPT, before)
    return replace(case, repair=found, reported=on_report(before, after, case.triaged.reading.report.body))


def _ranked(case: Investigation, search: LocalizationRequest | None, notify: Callable[[str], None]) -> Investigation:
    if search is None:
        return case
    try:
        return replace(case, ranking=localize_triaged(case.triaged, search, notify=notify))
    except BuglossError as error:
        return _remarked(case, f"The repository could not be searched: {error.message}")


def _remarked(case: Investigation, remark: str) -> Investigation:
    return replace(case, remarks=(*case.remarks, remark))


def _request_of(found: Reproduction, request: ReproductionRequest, folder: Path) -> DiagnosisRequest:
    assert found.choice is not None
    return DiagnosisRequest(
        str(folder / "run" / _SCRIPT),  # alone in its folder: whatever lies beside a script runs with it
        stack=None if request.own_python else found.choice.stack,
        timeout=request.timeout * 3,
        offline=request.offline,
        isolation=request.isolation,
        python=request.own_python,
        packages=request.packages,
        companions=False,
    )


def _examined(found: Reproduction, asked: DiagnosisRequest, folder: Path, notify: Callable[[str], None]) -> Examined:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        write_inside(folder, f"run/{_SCRIPT}", found.script)
    except OSError as error:
        raise EnvironmentFailure(f"{asked.target} cannot be written: {error.strerror}.") from error
    examined = examine(observe_target(asked, notify))
    if examined.diagnosis.ending.outcome is Outcome.INTERRUPTED:
        raise KeyboardInterrupt
    return examined


def repair_program(
    examined: Examined, request: DiagnosisRequest, budget: float, notify: Callable[[str], None], jobs: int = 2
) -> RepairOutcome | None:
    """The patch of a program that was just diagnosed; None where nothing is wrong or it cannot be run again."""
    if not examined.diagnosis.troubled or examined.facts.isolation is None:
        return None
    found = repair_examined(examined, RepairRequest(request, budget, jobs), notify)
    return replace(found, target=request.target)


def program_document(diagnosis: Diagnosis, repaired: RepairOutcome | None = None) -> dict[str, object]:
    """The same document about a program, which needs no reproduction."""
    steps = dict.fromkeys(("triage", "reproduction", "ranking"))
    repair = {"schema": "bugloss.repair/1", **repair_document(repaired)} if repaired is not None else None
    return {**steps, "diagnosis": diagnosis_document(diagnosis), "repair": repair, "remarks": []}


def document(case: Investigation, folder: Path) -> dict[str, object]:
    """The document ``bugloss.case/1``: the documents of the steps that were taken."""
    return {
        "triage": {"schema": "bugloss.triage/1", **triage_document(case.triaged)},
        "reproduction": {
            "schema": "bugloss.reproduction/1",
            **reproduction_document(case.reproduction, folder.as_posix()),
        },
        "diagnosis": diagnosis_document(case.diagnosis) if case.diagnosis else None,
        "ranking": {"schema": "bugloss.ranking/1", **ranking_document(case.ranking)} if case.ranking else None,
        "repair": _repair_document(case),
        "remarks": list(case.remarks),
    }


def _repair_document(case: Investigation) -> dict[str, object] | None:
    if case.repair is None:
        return None
    written: dict[str, object] = {"schema": "bugloss.repair/1", **repair_document(case.repair)}
    reported = case.reported
    if reported is not None:
        lines = {"diff": reported.diff, "lines": list(reported.lines), "elsewhere": list(reported.elsewhere)}
        written["on_report"] = lines
    return written
