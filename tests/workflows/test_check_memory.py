"""A file that did not change is not looked at again, and nothing but the time tells the difference."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from bugloss.check.running import inspection
from bugloss.core.cache import cache_folder
from bugloss.core.codec import decode, encode
from bugloss.workflows import check_memory as memory_module
from bugloss.workflows.check_memory import CheckMemory
from bugloss.workflows.checking import CheckRequest, check

FAULTY = "import torch\nfor x, y in loader:\n    loss = net(x)\n    loss.backward()\n    optimizer.step()\n"


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("BUGLOSS_CACHE", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    monkeypatch.chdir(folder)
    (folder / "a.py").write_text(FAULTY)
    (folder / "b.py").write_text("import torch\nx = torch.zeros(2, 3) @ torch.zeros(4, 5)\n")
    (folder / "broken.py").write_text("def (")
    return folder


@pytest.fixture
def looked_at(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that rules were asked about."""
    seen: list[str] = []
    real = inspection.parse_content

    def parse(content: bytes, path: Path, shown: str) -> object:
        seen.append(shown)
        return real(content, path, shown)

    monkeypatch.setattr(inspection, "parse_content", parse)
    return seen


def found(**settings: object) -> inspection.Inspection:
    return check(CheckRequest((Path(),), **settings))[0]  # type: ignore[arg-type]


def test_the_second_check_asks_no_rule_and_says_the_same(project: Path, looked_at: list[str]) -> None:
    first = found()
    assert sorted(looked_at) == ["a.py", "b.py", "broken.py"]
    looked_at.clear()
    second = found()
    assert looked_at == []
    assert second.findings == first.findings and len(first.findings) >= 2
    assert (second.skipped, second.files, second.lines) == (first.skipped, first.files, first.lines)


def test_a_changed_file_is_looked_at_again_and_no_other(project: Path, looked_at: list[str]) -> None:
    found()
    looked_at.clear()
    (project / "a.py").write_text(FAULTY.replace("    loss.backward", "    optimizer.zero_grad()\n    loss.backward"))
    assert "missing-zero-grad" not in {finding.rule for finding in found().findings}
    assert looked_at == ["a.py"]


@pytest.mark.parametrize(
    "settings", [{"select": ("missing-zero-grad",)}, {"target": "torch==1.0"}, {"remember": False}], ids=str
)
def test_other_settings_are_another_check(project: Path, looked_at: list[str], settings: dict[str, object]) -> None:
    found()
    looked_at.clear()
    found(**settings)
    assert len(looked_at) == 3


def test_pins_of_the_project_count(project: Path, looked_at: list[str]) -> None:
    found()
    looked_at.clear()
    (project / "requirements.txt").write_text("torch==1.4.0\n")
    from bugloss.check.releases.target import forget_pins

    forget_pins()
    found()
    assert len(looked_at) == 3


def test_new_rules_are_asked_about_old_files(
    project: Path, looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found()
    looked_at.clear()
    monkeypatch.setattr(memory_module, "_revision", lambda: "another")
    found()
    assert len(looked_at) == 3


def test_a_damaged_store_is_thrown_away(project: Path, looked_at: list[str]) -> None:
    first = found()
    (cache_folder() / "checks.sqlite").write_bytes(os.urandom(5000))
    assert found().findings == first.findings
    found()
    looked_at.clear()
    found()
    assert looked_at == []


def test_where_the_cache_cannot_be_written_all_is_checked(
    project: Path, looked_at: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    (project / "file").write_text("")
    monkeypatch.setenv("BUGLOSS_CACHE", str(project / "file"))
    assert found().findings == found().findings
    assert len(looked_at) == 6


def test_the_oldest_outcomes_are_forgotten(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_module, "MOST_OUTCOMES", 10)
    memory = CheckMemory()
    for number in range(12):
        memory.keep({f"name {number}": inspection.FileCheck(lines=number)})
    with sqlite3.connect(cache_folder() / "checks.sqlite") as store:
        (count,) = store.execute("SELECT count(*) FROM outcomes").fetchone()
    store.close()
    assert count <= 10


def test_every_part_of_a_finding_survives(project: Path) -> None:
    for finding in found().findings:
        outcome = inspection.FileCheck((finding,), None, 3)
        assert decode(inspection.FileCheck, encode(outcome)) == outcome
