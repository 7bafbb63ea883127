"""Settings of a project: where they are looked for, and what is said when they are broken."""

from __future__ import annotations

from pathlib import Path

import pytest

from bugloss.check.running.configuration import LARGEST_BASELINE, Configuration, read_configuration
from bugloss.core.errors import InvalidInput
from bugloss.core.foreign_file import ForeignFile


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_no_settings_are_fine(tmp_path: Path) -> None:
    assert read_configuration(tmp_path) == Configuration()


def test_every_setting_of_a_pyproject_is_read(tmp_path: Path) -> None:
    write(
        tmp_path / "pyproject.toml",
        """\
[project]
name = "x"

[tool.bugloss]
select = ["shapes", "api"]
ignore = ["missing-seed"]
target = "torch==2.1"
baseline = "known.json"

[tool.bugloss.per-file-ignores]
"tests/*" = ["missing-seed", "loop"]
""",
    )
    assert read_configuration(tmp_path) == Configuration(
        select=("shapes", "api"),
        ignore=("missing-seed",),
        per_file_ignores={"tests/*": ("missing-seed", "loop")},
        target="torch==2.1",
        baseline=ForeignFile(tmp_path, "known.json", LARGEST_BASELINE),
    )


def test_a_file_has_the_settings_of_its_folder_or_of_one_above(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.bugloss]\nselect = ["far"]\n')
    write(tmp_path / "a" / "b" / "c.py", "")
    assert read_configuration(tmp_path / "a" / "b" / "c.py").select == ("far",)
    write(tmp_path / "a" / "bugloss.toml", 'select = ["near"]\n')
    assert read_configuration(tmp_path / "a" / "b").select == ("near",)
    write(tmp_path / "a" / "pyproject.toml", '[tool.bugloss]\nselect = ["beside"]\n')
    assert read_configuration(tmp_path / "a").select == ("near",)


def test_a_pyproject_that_says_nothing_of_bugloss_is_passed_by(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", '[tool.bugloss]\nselect = ["far"]\n')
    write(tmp_path / "a" / "pyproject.toml", "[tool.ruff]\nline-length = 100\n")
    assert read_configuration(tmp_path / "a").select == ("far",)


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("pyproject.toml", "[tool", "cannot be read"),
        ("bugloss.toml", "select = [", "cannot be read"),
        ("bugloss.toml", "selct = []", "unknown key 'selct'"),
        ("bugloss.toml", 'select = "shapes"', "must be a list"),
        ("bugloss.toml", "select = [3]", "must be of type str"),
        ("bugloss.toml", "baseline = 3", "baseline must be of type str"),
        ("pyproject.toml", "[tool]\nbugloss = 3\n", "tool.bugloss must be a table"),
        ("pyproject.toml", "[tool.bugloss]\nper-file-ignores = 3\n", "must be a table"),
    ],
)
def test_broken_settings_name_the_file_and_what_is_wrong(tmp_path: Path, name: str, text: str, words: str) -> None:
    write(tmp_path / name, text)
    with pytest.raises(InvalidInput) as caught:
        read_configuration(tmp_path)
    assert words in caught.value.message
    assert str(tmp_path / name) in caught.value.message
    assert "\n" not in caught.value.message


def test_settings_that_are_no_text_are_one_sentence_too(tmp_path: Path) -> None:
    (tmp_path / "bugloss.toml").write_bytes(b"\xff\xfe")
    with pytest.raises(InvalidInput, match="cannot be read"):
        read_configuration(tmp_path)


def test_a_pyproject_whose_tool_is_no_table_belongs_to_somebody_else(tmp_path: Path) -> None:
    write(tmp_path / "pyproject.toml", "tool = 3\n")
    assert read_configuration(tmp_path) == Configuration()
