"""One bug with its folder: report, programs, fix, and the digest that says whether it changed."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import write_bug

from bugloss.core.bug import Twin
from bugloss.core.errors import InvalidInput
from bugloss.corpus.bug_file import read_bug
from bugloss.corpus.entry import Entry, as_twin


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_bug(tmp_path / "torch-0001")


def digest(folder: Path) -> str:
    return Entry(read_bug(folder)).digest()


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("buggy/program.py", "other"),
        ("fixed/program.py", "other"),
        ("buggy/data.txt", "new"),
        ("buggy/sub/__init__.py", ""),
        ("test.py", "other"),
    ],
)
def test_the_digest_changes_with_every_file_that_can_change_the_outcome(folder: Path, name: str, text: str) -> None:
    before = digest(folder)
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(text)
    assert digest(folder) != before


@pytest.mark.parametrize(
    "facts",
    [
        {"stack": "keras3"},
        {"pins": ["numpy==1.0"]},
        {"oracle": {"kind": "exception", "exception": "KeyError"}},
        {"oracle": {"kind": "exception", "exception": "IndexError", "raised_in": "main"}},
    ],
)
def test_the_digest_changes_with_stack_pins_and_oracle(folder: Path, facts: dict[str, object]) -> None:
    before = digest(folder)
    write_bug(folder, **facts)
    assert digest(folder) != before


def test_the_digest_stays_when_only_words_change(folder: Path) -> None:
    before = digest(folder)
    write_bug(folder, files={"report.md": "# Other words\n"}, title="Another title", notes="A note", seconds=9)
    assert digest(folder) == before


def test_the_digest_stays_when_running_left_something_behind(folder: Path) -> None:
    before = digest(folder)
    (folder / "buggy" / "__pycache__").mkdir()
    (folder / "buggy" / "__pycache__" / "program.cpython-311.pyc").write_bytes(b"\x00")
    assert digest(folder) == before


def test_the_digest_tells_where_one_file_ends_and_the_next_begins(tmp_path: Path) -> None:
    """Names and contents were joined without a border: these two bugs had one digest."""
    first = write_bug(tmp_path / "a" / "torch-0001", files={"buggy/x": "y", "fixed/x": "y"})
    second = write_bug(tmp_path / "b" / "torch-0001", files={"buggy/xy": "", "fixed/xy": ""})
    assert digest(first) != digest(second)


def test_the_digest_does_not_depend_on_the_place(tmp_path: Path) -> None:
    assert digest(write_bug(tmp_path / "a" / "torch-0001")) == digest(write_bug(tmp_path / "b" / "torch-0001"))


def test_the_fix_is_a_diff_from_the_buggy_to_the_fixed_program(folder: Path) -> None:
    assert Entry(read_bug(folder)).diff() == (
        "diff --git a/program.py b/program.py\n--- a/program.py\n+++ b/program.py\n@@ -1,2 +1,2 @@\n def run():\n"
        "-    return [1, 2, 3][3]\n+    return [1, 2, 3][2]\n"
    )


def test_a_program_that_is_no_text_is_said_in_one_sentence(folder: Path) -> None:
    (folder / "buggy" / "weights.bin").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidInput, match="torch-0001 has a program that is not UTF-8 text"):
        Entry(read_bug(folder)).diff()


@pytest.mark.parametrize("name", ["report.md", "test.py"])
def test_a_missing_file_is_named(folder: Path, name: str) -> None:
    (folder / name).unlink()
    entry = Entry(read_bug(folder))
    with pytest.raises(InvalidInput) as refused:
        entry.report if name == "report.md" else entry.digest()
    assert refused.value.message == f"torch-0001 has no readable {name}."
    assert refused.value.hint == "bugloss lint torch-0001"


@pytest.mark.parametrize(
    ("given", "twin"),
    [("buggy", Twin.BUGGY), ("b", Twin.BUGGY), ("fixed", Twin.FIXED), ("f", Twin.FIXED), (Twin.FIXED, Twin.FIXED)],
)
def test_a_twin_goes_by_name_and_by_letter(given: Twin | str, twin: Twin) -> None:
    assert as_twin(given) is twin


def test_another_word_is_no_twin() -> None:
    with pytest.raises(InvalidInput, match="a bug has no program 'bugged'"):
        as_twin("bugged")
