"""The generated pages say what the code says."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from bugloss.core.taxonomy import Source, facets

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(scope="module")
def document() -> ModuleType:
    spec = importlib.util.spec_from_file_location("document", SCRIPTS / "document.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(autouse=True)
def path_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def test_every_generated_page_in_the_repository_is_up_to_date(document: ModuleType) -> None:
    assert document.main(["--check"]) == 0


def test_checking_names_the_stale_page_and_writes_nothing(
    document: ModuleType, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert document.main(["--check"], tmp_path) == 1
    assert "taxonomy.md is out of date; run: make docs" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_writing_heals_a_page_edited_by_hand(document: ModuleType, tmp_path: Path) -> None:
    document.main([], tmp_path)
    (tmp_path / "stacks.md").write_text("edited by hand", encoding="utf-8")
    assert document.main(["--check"], tmp_path) == 1
    document.main([], tmp_path)
    assert document.main(["--check"], tmp_path) == 0


def test_the_taxonomy_page_shows_every_label_with_its_definition(document: ModuleType) -> None:
    page = document.taxonomy.document()
    for facet in facets().values():
        for label in facet:
            assert f"| `{label}` | {label.title} |" in page
            assert f"| {label.definition} | [{label.source.citation}](#source-{label.source}) |" in page
    for source in Source:
        assert page.count(f'<a id="source-{source}"></a>') == 1


def test_pages_written_by_hand_stay(document: ModuleType, tmp_path: Path) -> None:
    document.main([], tmp_path)
    (tmp_path / "interfaces.md").write_text("# Written by hand\n", encoding="utf-8")
    (tmp_path / "rules" / "gone.md").write_text(document.NOTE + "# a rule that is gone\n", encoding="utf-8")
    assert document.main(["--check"], tmp_path) == 1
    document.main([], tmp_path)
    assert (tmp_path / "interfaces.md").is_file()
    assert not (tmp_path / "rules" / "gone.md").exists()


def test_the_fault_catalogue_has_every_rule_detector_and_cited_row(document: ModuleType) -> None:
    page = document.fault_catalogue.document()
    for rule in document.rules.all_rules():
        assert f"(rules/{rule.name}.md)" in page
        cited = document.fault_catalogue.citations(document.fault_catalogue.prose(rule, "References"))
        assert all(f"\n| {name} | " in page for _, name in cited)
    for name, detector in document.diagnosis.load("detector", document.diagnosis.Detector).items():
        assert f"(detectors/{name}.md)" in page
        text = document.fault_catalogue.prose(detector, "References")
        assert all(f"\n| {row} | " in page for _, row in document.fault_catalogue.citations(text))
        assert ("catalogue" in text.lower()) == any(document.fault_catalogue.citations(text))
