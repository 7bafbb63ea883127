"""Checking files and folders: which are found, what is skipped, and the same result with several processes."""

from __future__ import annotations

import gc
import json
from pathlib import Path

import pytest

from bugloss.check.running import inspection as inspection_module
from bugloss.check.running.file_search import find_files
from bugloss.check.running.inspection import Inspection, all_rules, check_paths, check_text
from bugloss.check.running.selection import Selection
from bugloss.core.errors import InvalidInput

FAULTY = next(rule for rule in all_rules() if rule.name == "missing-zero-grad").faulty[0]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder that is the working folder, so that paths are short."""
    place = tmp_path / "project"
    place.mkdir()
    monkeypatch.chdir(place)
    return place


def write(path: Path, text: str = FAULTY) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def shown(*paths: str) -> list[str]:
    return [file.shown for file in find_files([Path(path) for path in paths])]


def check(*paths: str, jobs: int = 1, selection: Selection | None = None) -> Inspection:
    return check_paths([Path(path) for path in paths], selection or Selection(), jobs)


def test_python_files_and_notebooks_are_found_in_folders_in_order(folder: Path) -> None:
    for name in ("b.py", "a.py", "sub/c.ipynb", "sub/d.txt", "readme.md", "sub/e.pyc"):
        write(folder / name, "")
    assert shown(".") == ["a.py", "b.py", "sub/c.ipynb"]


def test_folders_of_tools_are_left_out_unless_a_file_in_them_is_named(folder: Path) -> None:
    for name in (
        ".git/a.py",
        ".venv/lib/a.py",
        "node_modules/a.py",
        "__pycache__/a.py",
        ".ipynb_checkpoints/a.ipynb",
        "x/a.py",
    ):
        write(folder / name, "")
    assert shown(".") == ["x/a.py"]
    assert shown(".venv/lib/a.py") == [".venv/lib/a.py"]


def test_a_file_that_is_named_is_checked_whatever_its_ending(folder: Path) -> None:
    write(folder / "script")
    assert [finding.rule for finding in check("script").findings] == ["missing-zero-grad"]


def test_a_path_that_is_missing_is_the_callers_mistake(folder: Path) -> None:
    with pytest.raises(InvalidInput, match=r"nowhere\.py does not exist"):
        check("nowhere.py")


def test_each_file_is_checked_once_however_often_it_is_named_or_linked(folder: Path) -> None:
    write(folder / "a.py")
    (folder / "link.py").symlink_to("a.py")
    (folder / "here").symlink_to(".")
    assert shown("a.py", ".", "./a.py", "link.py") == ["a.py"]
    assert check(".", "a.py").files == 1


def test_links_in_a_circle_end(folder: Path) -> None:
    write(folder / "a" / "x.py")
    (folder / "a" / "up").symlink_to("..")
    (folder / "loop.py").symlink_to("loop.py")
    (folder / "dangling.py").symlink_to("nothing.py")
    result = check(".")
    assert [finding.path for finding in result.findings] == ["a/x.py"]
    reasons = {skipped.path: skipped.reason for skipped in result.skipped}
    assert reasons["dangling.py"] == "No such file or directory"
    assert "symbolic links" in reasons["loop.py"]


def test_what_was_not_checked_is_said_with_the_reason(folder: Path) -> None:
    write(folder / "good.py")
    write(folder / "bad.py", "x = (\n")
    (folder / "binary.py").write_bytes(b"\x00\x01")
    write(folder / "old.py", "print 'hello'\n")
    write(folder / "note.ipynb", "{}")
    (folder / "folder.py").mkdir()
    result = check(".")
    assert result.files == 5
    assert result.skipped == ()
    assert [(finding.path, finding.rule) for finding in result.findings] == [
        ("bad.py", "syntax-error"), ("binary.py", "syntax-error"), ("good.py", "missing-zero-grad"),
        ("note.ipynb", "syntax-error"), ("old.py", "syntax-error"),
    ]  # fmt: skip
    assert result.lines == len(FAULTY.split("\n"))


def test_a_file_that_disappears_before_it_is_read_is_skipped(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(folder / "a.py")
    write(folder / "b.py")
    real = inspection_module.read_content

    def read(path: Path, name: str, root: Path | None) -> object:
        (folder / "b.py").unlink(missing_ok=True)
        return real(path, name, root)

    monkeypatch.setattr(inspection_module, "read_content", read)
    result = check(".")
    assert [(skipped.path, skipped.reason) for skipped in result.skipped] == [("b.py", "No such file or directory")]
    assert [finding.path for finding in result.findings] == ["a.py"]


def test_several_processes_find_what_one_finds_in_the_same_order(folder: Path) -> None:
    for index, rule in enumerate(all_rules()[:30]):
        write(folder / f"m{index % 5}" / f"{rule.name}.py", rule.faulty[0])
    write(folder / "broken.py", "def (")
    alone, together = check(".", jobs=1), check(".", jobs=2)
    assert alone.findings == together.findings
    assert alone.skipped == together.skipped
    assert (alone.files, alone.lines) == (together.files, together.lines)
    assert len(alone.findings) > 20


def test_findings_come_sorted_by_file_and_place(folder: Path) -> None:
    write(folder / "b.py", FAULTY + FAULTY)
    write(folder / "a.py")
    places = [(finding.path, finding.span.line) for finding in check(".").findings]
    assert places == [("a.py", 7), ("b.py", 7), ("b.py", 15)]


def test_files_that_import_each_other_are_checked_one_by_one(folder: Path) -> None:
    write(folder / "a.py", "import b\n" + FAULTY)
    write(folder / "b.py", "import a\nfrom a import *\n" + FAULTY)
    assert [finding.path for finding in check(".").findings] == ["a.py", "b.py"]


def test_a_comment_excuses_a_line_from_the_rules_it_names() -> None:
    def rules(comment: str) -> list[str]:
        text = FAULTY.replace("loss.backward()", f"loss.backward()  {comment}")
        return [finding.rule for finding in check_text(text, Selection())]

    assert rules("# bugloss: ignore[missing-zero-grad]") == []
    assert rules("# bugloss: ignore[shape-conflict, missing-zero-grad]") == []
    assert rules("# bugloss: ignore") == []
    assert rules("# bugloss: ignore[shape-conflict]") == ["missing-zero-grad"]
    assert rules("# fine") == ["missing-zero-grad"]


def test_only_the_chosen_rules_are_asked(folder: Path) -> None:
    write(folder / "a.py")
    assert check(".", selection=Selection(select=("shapeflow",))).findings == ()
    assert len(check(".", selection=Selection(select=("loop",))).findings) == 1


def test_a_finding_in_a_notebook_is_in_the_cell_that_holds_it(folder: Path) -> None:
    cells = [{"cell_type": "markdown", "source": "text"}, {"cell_type": "code", "source": "%time\n" + FAULTY}]
    write(folder / "a.ipynb", json.dumps({"cells": cells}))
    (finding,) = check("a.ipynb").findings
    assert (finding.rule, finding.span.line) == ("missing-zero-grad", 8)


def test_garbage_is_collected_again_after_a_check(folder: Path) -> None:
    write(folder / "a.py")
    check(".")
    assert gc.isenabled()
