"""New bugs: a folder that lints but for the words its author has to write, and ids that are never reused."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.core.bug import Framework
from bugloss.core.errors import InvalidInput
from bugloss.corpus.bug_file import read_bug
from bugloss.corpus.lint import lint
from bugloss.corpus.scaffold import PLACEHOLDER, next_id, scaffold


@pytest.mark.parametrize(
    ("framework", "stack"), [(Framework.TORCH, "torch"), (Framework.KERAS, "keras3"), (Framework.TENSORFLOW, "tf2")]
)
def test_the_template_is_a_readable_bug_of_the_chosen_framework(
    tmp_path: Path, framework: Framework, stack: str
) -> None:
    names = scaffold("my-bug", tmp_path / "my-bug", framework, stack)
    assert sorted(names) == ["bug.toml", "buggy/program.py", "fixed/program.py", "original.md", "report.md", "test.py"]
    bug = read_bug(tmp_path / "my-bug")
    assert (bug.id, bug.framework, bug.stack) == ("my-bug", framework, stack)


def test_lint_asks_for_the_words_and_the_fix_and_for_nothing_else(tmp_path: Path) -> None:
    folder = tmp_path / "my-bug"
    scaffold("my-bug", folder, Framework.TORCH, "torch")
    complaints = {(problem.file, problem.message) for problem in lint(folder)}
    words = {complaint for complaint in complaints if "text of the template" in complaint[1]}
    assert complaints - words == {
        ("fixed/", "must differ from buggy/"),
        ("bug.toml", "origin.url must be the documented bug on stackoverflow.com or github.com"),
        ("bug.toml", "labels.edit_actions is empty: say what made a program of the original report"),
    }
    files = {"bug.toml", "report.md", "original.md", "test.py", "buggy/program.py", "fixed/program.py"}
    assert {file for file, _ in words} == files


def test_an_author_who_writes_the_words_has_a_bug_that_lints(tmp_path: Path) -> None:
    folder = tmp_path / "my-bug"
    scaffold("my-bug", folder, Framework.TORCH, "torch")
    for path in (path for path in folder.rglob("*") if path.is_file()):
        text = path.read_text().replace("FILL IN the link to the documented bug", "https://github.com/a/b/issues/1")
        text = text.replace("FILL IN the first line of the message, numbers written as #", "it fails")
        text = text.replace("FILL IN the traceback, or the numbers that the program printed", "ValueError: it fails")
        text = text.replace("edit_actions = []", 'edit_actions = ["import-addition"]')
        path.write_text(text.replace(PLACEHOLDER, "Here is"))
    fixed = folder / "fixed" / "program.py"
    fixed.write_text(fixed.read_text().replace("def run():", "def run(times=1):"))
    assert lint(folder) == []


@pytest.mark.parametrize("name", ["", "My-bug", "my bug", "-x", "../x", "a/b", "é", "a_b", ".", "my-bug\n"])
def test_a_name_that_makes_no_good_folder_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(InvalidInput, match="is not a valid bug name"):
        scaffold(name, tmp_path / "target", Framework.TORCH, "torch")
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "my-bug").write_text("mine")
    with pytest.raises(InvalidInput, match="already exists"):
        scaffold("my-bug", tmp_path / "my-bug", Framework.TORCH, "torch")
    assert (tmp_path / "my-bug").read_text() == "mine"


def test_a_place_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(InvalidInput, match="cannot be written: Not a directory"):
        scaffold("my-bug", tmp_path / "file" / "my-bug", Framework.TORCH, "torch")


@pytest.mark.parametrize(
    ("taken", "expected"),
    [
        ([], "tf-0001"),
        (["tf-0001", "tf-0007"], "tf-0008"),
        (["keras-0042", "torch-0099"], "tf-0001"),
        (["tf-0001", "tf-draft", "tf-", "tfx-0009", "tf-0002b"], "tf-0002"),
        (["tf-9999"], "tf-10000"),
    ],
)
def test_the_next_id_is_one_above_the_highest_ever_given_out(taken: list[str], expected: str) -> None:
    assert next_id(Framework.TENSORFLOW, taken) == expected
