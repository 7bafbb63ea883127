"""Checkouts: everything a solver needs, and not a byte that gives the fix away."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from tiny_corpus import TinyCorpus

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.corpus.checkout import checkout
from bugloss.corpus.entry import Entry
from bugloss.corpus.unified_diff import text_files

SECRET = "    return [1, 2, 3][len([1, 2, 3]) - 1]  # GIVEAWAY\n"


@pytest.fixture
def entry(tiny: TinyCorpus) -> Entry:
    """A bug whose fix, labels and notes can be told from everything else."""
    tiny.add(
        files={
            "fixed/program.py": f"def run():\n{SECRET}",
            "fixed/pkg/__init__.py": "GIVEAWAY = 1\n",
            "buggy/pkg/__init__.py": "",
            "notes.md": "GIVEAWAY",
            "original.py": "GIVEAWAY",
        },
        notes="GIVEAWAY",
        title="GIVEAWAY",
    )
    return tiny.load()["torch-0001"]


def everything(folder: Path) -> bytes:
    return b"\n".join(name.encode() + b"\n" + (folder / name).read_bytes() for name in text_files(folder))


def test_no_byte_of_the_fix_the_labels_or_the_notes_is_in_a_checkout(entry: Entry, tmp_path: Path) -> None:
    names = checkout(entry, Twin.BUGGY, tmp_path / "work")
    assert names == ["oracle.py", "pkg/__init__.py", "program.py", "report.md", "requirements.txt", "test.py"]
    assert text_files(tmp_path / "work") == names
    seen = everything(tmp_path / "work")
    assert b"GIVEAWAY" not in seen
    added = [line[1:] for line in entry.diff().splitlines() if line.startswith("+") and not line.startswith("+++")]
    assert added
    for line in added:
        assert line.strip().encode() not in seen
    labels = entry.bug.labels
    for label in (labels.fix_pattern, labels.bug_type, labels.general_type, labels.origin, *labels.edit_actions):
        assert label.value.encode() not in seen
    assert entry.bug.origin.url.encode() not in seen


def test_the_program_is_the_twin_that_was_asked_for_byte_by_byte(entry: Entry, tmp_path: Path) -> None:
    (entry.bug.folder / "buggy" / "data.bin").write_bytes(b"\xff\x00\r\n\x0c")
    for twin in Twin:
        work = tmp_path / twin.value
        checkout(entry, twin, work)
        for name in text_files(entry.program(twin)):
            assert (work / name).read_bytes() == (entry.program(twin) / name).read_bytes()


def test_test_report_and_requirements_come_along(entry: Entry, tmp_path: Path) -> None:
    checkout(entry, Twin.BUGGY, tmp_path / "work")
    assert (tmp_path / "work" / "test.py").read_bytes() == entry.test_file.read_bytes()
    assert (tmp_path / "work" / "report.md").read_text() == entry.report
    assert "torch==" in (tmp_path / "work" / "requirements.txt").read_text()


@pytest.mark.parametrize(("twin", "code"), [(Twin.BUGGY, 1), (Twin.FIXED, 0)])
def test_the_test_runs_where_it_lies(entry: Entry, tmp_path: Path, twin: Twin, code: int) -> None:
    checkout(entry, twin, tmp_path / "work")
    done = subprocess.run(
        [sys.executable, "test.py"], cwd=tmp_path / "work", capture_output=True, text=True, check=False
    )
    assert done.returncode == code, done.stderr


def test_an_empty_folder_is_filled(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "work").mkdir()
    checkout(entry, Twin.BUGGY, tmp_path / "work")
    assert (tmp_path / "work" / "program.py").is_file()


@pytest.mark.parametrize("taken", ["file", "folder"])
def test_a_place_that_is_taken_is_left_alone(entry: Entry, tmp_path: Path, taken: str) -> None:
    target = tmp_path / "work"
    mine = target if taken == "file" else target / "mine.txt"
    mine.parent.mkdir(exist_ok=True)
    mine.write_text("mine")
    with pytest.raises(InvalidInput, match="exists and is not an empty folder"):
        checkout(entry, Twin.BUGGY, target)
    assert mine.read_text() == "mine"


def test_a_place_that_cannot_be_written_is_one_sentence(entry: Entry, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be written: Not a directory"):
        checkout(entry, Twin.BUGGY, tmp_path / "file" / "work")


@pytest.mark.parametrize("missing", ["test.py", "report.md", "buggy/program.py"])
def test_a_bug_that_lacks_a_part_is_not_checked_out(entry: Entry, tmp_path: Path, missing: str) -> None:
    (entry.bug.folder / missing).unlink()
    with pytest.raises(InvalidInput, match="torch-0001"):
        checkout(entry, Twin.BUGGY, tmp_path / "work")
    assert not (tmp_path / "work").exists()
