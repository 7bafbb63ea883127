"""The releases that a program is checked against: asked for, pinned near it, or implied by a companion."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.check.releases import target
from bugloss.check.releases.requirement import parse_requirement
from bugloss.check.releases.target import forget_pins, parse_target, pins_near
from bugloss.core.errors import InvalidInput


def test_the_option_names_packages_and_releases() -> None:
    assert parse_target("torch==2.13, keras==3.15") == {"torch": "2.13", "keras": "3.15"}
    assert parse_target("") == {}


def test_tensorflow_brings_the_keras_and_numpy_of_its_time() -> None:
    assert parse_target("tensorflow==2.13") == {"tensorflow": "2.13", "keras": "2.13", "numpy": "1.26"}
    assert parse_target("tensorflow-gpu==1.15") == {"tensorflow": "1.15", "keras": "2.3", "numpy": "1.19"}
    assert "keras" not in parse_target("tensorflow==2.21")
    assert parse_target("keras==2.2.4")["tensorflow"] == "1.15"


@pytest.mark.parametrize("text", ["torch", "torch>=2", "torch==", "torch==new"])
def test_a_target_without_a_release_is_refused(text: str) -> None:
    with pytest.raises(InvalidInput, match="is not a release"):
        parse_target(text)


@pytest.mark.parametrize(
    ("line", "admitted", "refused"),
    [
        ("torch>=1.8,<2", "1.13", "2.0"),
        ("torch<2.0", "1.13", "2.0"),
        ("torch<2.4.1", "2.4", "2.5"),
        ("torch~=2.1", "2.9", "3.0"),
        ("torch~=2.1.0", "2.1", "2.2"),
        ("torch^1.4", "1.13", "2.0"),
        ("torch==1.13.*", "1.13", "2.0"),
        ("torch=1.13", "1.13", "1.12"),
        ("torch[extra]>=2 ; python_version > '3'", "2.0", "1.9"),
        ("torch (>=2.0)", "2.0", "1.9"),
        ("torch>=1.8,!=1.10.*", "1.9", "1.10"),
        ("torch~1.8", "1.8", "1.9"),
        ("torch>=1.8,<2,>=1.12", "1.12", "1.11"),
        ("torch==2", "2.3", "3.0"),
    ],
)
def test_a_requirement_admits_what_it_says(line: str, admitted: str, refused: str) -> None:
    requirement = parse_requirement(line)
    assert requirement is not None
    assert requirement.name == "torch"
    assert requirement.admitted((admitted, refused)) == [admitted]


@given(st.from_regex(r"torch[=<>!~^]{0,4} ?[0-9a-z.*+!-]{0,8}(,[=<>!~^]{1,3}[0-9.*]{1,5})?", fullmatch=True))
def test_whatever_a_requirement_says_can_be_asked(line: str) -> None:
    requirement = parse_requirement(line)
    assert requirement is None or set(requirement.admitted(("1.2", "2.0"))) <= {"1.2", "2.0"}


def _project(folder: Path, name: str, text: str) -> Path:
    forget_pins()
    (folder / ".git").mkdir()
    (folder / name).write_text(text, encoding="utf-8")
    program = folder / "source" / "train.py"
    program.parent.mkdir()
    program.write_text("import torch\n", encoding="utf-8")
    return program


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("requirements.txt", "# old\nnumpy\ntorch==1.13.1  # for the cluster\n-r more.txt\n"),
        ("requirements-dev.txt", "torch==1.13.1+cpu\n"),
        ("pyproject.toml", '[project]\nname = "x"\ndependencies = ["torch==1.13.1"]\n'),
        ("pyproject.toml", '[tool.poetry.dependencies]\npython = "^3.8"\ntorch = "1.13.1"\n'),
        ("setup.cfg", "[options]\ninstall_requires =\n    torch==1.13.1\n"),
        ("environment.yml", "dependencies:\n  - python=3.8\n  - pip:\n    - torch==1.13.1\n"),
        ("environment.yml", "dependencies:\n  - pytorch=1.13.1\n"),
    ],
)
def test_a_project_pins_its_releases(tmp_path: Path, name: str, text: str) -> None:
    assert pins_near(_project(tmp_path, name, text))["torch"] == "1.13.1"


def test_a_range_means_the_newest_catalogued_release_within(tmp_path: Path) -> None:
    assert pins_near(_project(tmp_path, "requirements.txt", "torch>=1.8,<2\n"))["torch"] == "1.13.1"


def test_a_bare_name_pins_nothing(tmp_path: Path) -> None:
    assert pins_near(_project(tmp_path, "requirements.txt", "torch\nkeras\n")) == {}


def test_the_nearest_file_wins(tmp_path: Path) -> None:
    program = _project(tmp_path, "requirements.txt", "torch==1.13.1\nnumpy==1.19.5\n")
    (program.parent / "requirements.txt").write_text("torch==2.13.0\n", encoding="utf-8")
    assert pins_near(program) == {"torch": "2.13.0", "numpy": "1.19.5"}


def test_a_broken_file_pins_nothing(tmp_path: Path) -> None:
    assert pins_near(_project(tmp_path, "pyproject.toml", "this is = not [toml\n")) == {}


def test_text_that_lies_in_no_file_has_no_pins() -> None:
    assert pins_near(Path("<text>")) == {}


def test_the_files_of_a_folder_are_read_once_for_all_folders_below(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = _project(tmp_path, "requirements.txt", "torch==1.13.1\n")
    second = tmp_path / "evaluation" / "score.py"
    second.parent.mkdir()
    second.write_text("import torch\n", encoding="utf-8")
    read: list[Path] = []
    real = target._requirements_in
    monkeypatch.setattr(target, "_requirements_in", lambda folder: (read.append(folder), real(folder))[1])
    assert pins_near(first) == pins_near(second)
    assert sorted(read) == sorted([tmp_path, first.parent, second.parent])
