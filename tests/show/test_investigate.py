"""``bugloss investigate REPORT --repo DIR``: the ranking is part of the case, also where nothing can be reproduced."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import parse_document
from tiny_repository import TinyRepository

from bugloss.show.cli.main import main

FILES = {
    "pkg/__init__.py": "",
    "pkg/loss.py": "def focal_loss(predictions):\n    return predictions\n",
    "pkg/data.py": "class ImageLoader:\n    def load_images(self, folder):\n        return folder\n",
}


@pytest.fixture
def library(tmp_path: Path) -> TinyRepository:
    made = TinyRepository.at(tmp_path / "library")
    made.commit(FILES)
    return made


@pytest.fixture
def report(tmp_path: Path) -> Path:
    path = tmp_path / "report.md"
    path.write_text("# focal_loss <forgets> the empty batch\n\nThe function focal_loss does not look at its input.\n")
    return path


def test_the_ranking_is_in_the_document_and_on_the_page(
    library: TinyRepository, report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "case"
    options = ["--repo", str(library.folder), "--commit", "main", "--offline", "-o", str(folder), "--json"]
    assert main(["investigate", str(report), *options]) == 1  # there is no code to reproduce
    document = parse_document(capsys.readouterr().out)
    ranking = document["ranking"]
    assert ranking["schema"] == "bugloss.ranking/1" and ranking["ranking"][0]["path"] == "pkg/loss.py"
    assert json.loads((folder / "case.json").read_text())["ranking"] == ranking
    page = (folder / "index.html").read_text()
    assert "Files to open" in page and "<code>pkg/loss.py</code>" in page and "focal_loss (line 1)" in page
    assert "<forgets>" not in page


def test_without_a_repository_nothing_is_ranked(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["investigate", str(report), "--offline", "-o", str(tmp_path / "case"), "--json"]) == 1
    assert parse_document(capsys.readouterr().out)["ranking"] is None
    assert "Files to open" not in (tmp_path / "case" / "index.html").read_text()


def test_people_see_the_files_too(
    library: TinyRepository, report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    main(["investigate", str(report), "--repo", str(library.folder), "--offline", "-q", "-o", str(tmp_path / "case")])
    assert "1. pkg/loss.py" in capsys.readouterr().out


@pytest.mark.parametrize("options", [("--repo", "{tmp}/nowhere"), ("--repo", "{library}", "--commit", "v9")])
def test_a_wrong_repository_is_said_before_anything_runs(
    library: TinyRepository,
    report: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    options: tuple[str, ...],
) -> None:
    filled = [option.format(tmp=tmp_path, library=library.folder) for option in options]
    assert main(["investigate", str(report), *filled, "-o", str(tmp_path / "case"), "--json"]) == 2
    assert parse_document(capsys.readouterr().out)["schema"] == "bugloss.error/1"
    assert not (tmp_path / "case").exists()


def test_a_repository_without_python_leaves_a_remark(
    report: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = TinyRepository.at(tmp_path / "other")
    other.commit({"main.go": "package main\n"})
    main(["investigate", str(report), "--repo", str(other.folder), "--offline", "-o", str(tmp_path / "case"), "--json"])
    document = parse_document(capsys.readouterr().out)
    assert document["ranking"] is None and "no Python file" in document["remarks"][-1]
