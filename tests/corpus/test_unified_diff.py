"""The diff of two folders: ``git apply`` makes one out of the other."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bugloss.corpus.unified_diff import text_files, unified_diff

# Everything that some definition of "line" breaks at, among ordinary words.
pieces = st.sampled_from(
    ["\n", "\n", "\n", "\r", "\r\n", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "a", "b", "é", " ", "+", "-", "\\"]
)
texts = st.lists(pieces, max_size=12).map("".join)
names = st.sampled_from(["main.py", "pkg/model.py", "data/some words.txt"])
folders = st.dictionaries(names, texts, max_size=3)


def lay_out(folder: Path, files: dict[str, str]) -> Path:
    folder.mkdir()
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_bytes(text.encode())
    return folder


def content(folder: Path) -> dict[str, bytes]:
    return {name: (folder / name).read_bytes() for name in text_files(folder)}


def git_apply(folder: Path, diff: str) -> None:
    command = ["git", "apply", "--whitespace=nowarn", "-"]
    subprocess.run(command, cwd=folder, input=diff.encode(), check=True, capture_output=True, timeout=20)


@settings(max_examples=40)
@given(folders, folders)
def test_git_turns_the_first_folder_into_the_second(
    tmp_path_factory: pytest.TempPathFactory, before: dict[str, str], after: dict[str, str]
) -> None:
    """CRLF, form feeds and other separators once made patches that no tool could apply."""
    top = tmp_path_factory.mktemp("diff")
    old, new = lay_out(top / "old", before), lay_out(top / "new", after)
    diff = unified_diff(old, new)
    if diff:
        git_apply(old, diff)
    assert content(old) == content(new)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("one\ntwo\n", "one\n2\n"),
        ("one\ntwo", "one\ntwo\n"),
        ("one\r\ntwo\r\n", "one\r\n2\r\n"),
        ("one\ntwo\n", "one\r\ntwo\r\n"),
        ("a\x0cb\n", "a\x0cc\n"),
        ("", "one\n"),
        ("one\n", ""),
    ],
)
def test_line_endings_survive(tmp_path: Path, before: str, after: str) -> None:
    old, new = lay_out(tmp_path / "old", {"x.py": before}), lay_out(tmp_path / "new", {"x.py": after})
    git_apply(old, unified_diff(old, new))
    assert content(old) == content(new)


def test_equal_folders_have_no_difference(tmp_path: Path) -> None:
    old, new = (lay_out(tmp_path / name, {"x.py": "one\n", "y/z.py": "two"}) for name in ("old", "new"))
    assert unified_diff(old, new) == ""


def test_the_labels_stand_before_the_names(tmp_path: Path) -> None:
    old, new = lay_out(tmp_path / "old", {"x.py": "one\n"}), lay_out(tmp_path / "new", {"x.py": "two\n"})
    diff = unified_diff(old, new, ("buggy", "fixed"))
    assert diff.startswith("diff --git buggy/x.py fixed/x.py\n--- buggy/x.py\n+++ fixed/x.py\n")


def test_what_running_leaves_behind_is_no_text_file(tmp_path: Path) -> None:
    folder = lay_out(tmp_path / "old", {"x.py": "", "__pycache__/x.pyc": ""})
    assert text_files(folder) == ["x.py"]


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert text_files(tmp_path / "nowhere") == []
