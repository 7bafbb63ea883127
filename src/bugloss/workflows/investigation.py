"""The whole way from a report: triage, reproduction, and the diagnosis of what was reproduced."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from bugloss.core.diagnosis import Diagnosis
from bugloss.core.errors import BuglossError
from bugloss.workflows.diagnosis import Request, examine, observe_target
from bugloss.workflows.diagnosis import document as diagnosis_document
from bugloss.workflows.reproduced import Reproduction, Wish
from bugloss.workflows.reproduced import document as reproduction_document
from bugloss.workflows.reproduction import reproduce_report
from bugloss.workflows.triage import Triaged
from bugloss.workflows.triage import document as triage_document


@dataclass(frozen=True, slots=True)
class Investigation:
    """One case: what the report says, the program that shows it, and why it fails, as far as that came."""

    triaged: Triaged
    reproduction: Reproduction
    diagnosis: Diagnosis | None = None
    remarks: tuple[str, ...] = ()


def investigate(
    given: str, wish: Wish, folder: Path, notify: Callable[[str], None] = lambda text: None
) -> Investigation:
    """Triages and reproduces a report; what was reproduced is run once more, watched, and diagnosed."""
    triaged, reproduction = reproduce_report(given, wish, notify)
    if not reproduction.reproduced or reproduction.choice is None:
        return Investigation(triaged, reproduction)
    notify("diagnosing the reproduction")
    try:
        diagnosis = _diagnosed(reproduction, wish, folder, notify)
    except BuglossError as error:
        return Investigation(
            triaged, reproduction, remarks=(f"The reproduction could not be diagnosed: {error.message}",)
        )
    return Investigation(triaged, reproduction, diagnosis)


def _diagnosed(found: Reproduction, wish: Wish, folder: Path, notify: Callable[[str], None]) -> Diagnosis:
    assert found.choice is not None
    script = folder / "run" / "repro.py"
    script.parent.mkdir(parents=True, exist_ok=True)  # alone in its folder: whatever lies beside a script runs with it
    script.write_text(found.script, encoding="utf-8", errors="replace")
    request = Request(
        str(script), stack=found.choice.stack, timeout=wish.timeout * 3, offline=wish.offline, isolation=wish.isolation
    )
    return examine(observe_target(request, notify)).diagnosis


def document(case: Investigation, folder: Path) -> dict[str, object]:
    """The document ``bugloss.case/1``: the documents of the steps that were taken."""
    return {
        "triage": {"schema": "bugloss.triage/1", **triage_document(case.triaged)},
        "reproduction": {
            "schema": "bugloss.reproduction/1",
            **reproduction_document(case.reproduction, folder.as_posix()),
        },
        "diagnosis": diagnosis_document(case.diagnosis) if case.diagnosis else None,
        "ranking": None,
        "repair": None,
        "remarks": list(case.remarks),
    }
