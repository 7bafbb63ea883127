"""The whole way from a report: each step is taken once, and hands on what it found."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_repository import TinyRepository

from bugloss.core.report import Reading
from bugloss.core.reproduction import Level
from bugloss.core.triage import Triage, TypeGuess
from bugloss.reproduce.expected.oracle import Expectation, ExpectationKind
from bugloss.triage.judgement import triage
from bugloss.workflows import investigation, localization
from bugloss.workflows import triage as triage_workflow
from bugloss.workflows.localization import LocalizationRequest
from bugloss.workflows.reproduced import Reproduction, ReproductionRequest
from bugloss.workflows.triage import Triaged

REPORT = "# focal_loss fails on an empty batch\n\n```\nValueError: predictions must not be empty here\n```\n"


def test_a_report_is_triaged_once_and_the_triage_is_handed_on(
    tmp_path: Path, own_cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[Reading] = []
    handed: list[Triaged] = []

    def counted(reading: Reading, guess: TypeGuess | None = None) -> Triage:
        judged.append(reading)
        return triage(reading, guess)

    def not_reproduced(triaged: Triaged, request: ReproductionRequest, notify: object) -> Reproduction:
        handed.append(triaged)
        return Reproduction(Level.BROKEN, "it does not run", Expectation(ExpectationKind.UNKNOWN))

    monkeypatch.setattr(triage_workflow, "triage", counted)
    monkeypatch.setattr(localization, "triage", counted)
    monkeypatch.setattr(investigation, "reproduce_triaged", not_reproduced)
    repository = TinyRepository.at(tmp_path / "library")
    repository.commit({"loss.py": "def focal_loss(predictions):\n    return predictions\n"})
    (tmp_path / "report.md").write_text(REPORT)
    search = LocalizationRequest(repository.folder)
    case = investigation.investigate(
        str(tmp_path / "report.md"), ReproductionRequest(), tmp_path / "case", search=search
    )
    assert len(judged) == 1
    assert handed == [case.triaged]
    assert case.ranking is not None
    assert [file.path for file in case.ranking.files] == ["loss.py"]
