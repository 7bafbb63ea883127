"""Where a program runs, and why."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest
from tiny_corpus import bare_environment

from bugloss.core.errors import BuildFailed, InvalidInput
from bugloss.run.environment import Environment
from bugloss.run.layer import Additions
from bugloss.workflows import environment_choice, stack_choice
from bugloss.workflows.environment_choice import EnvironmentRequest, choose_environment, installable
from bugloss.workflows.subject import ProgramText, find_module, read_program


@pytest.fixture
def asked(own_cache: Path, monkeypatch: pytest.MonkeyPatch) -> list[Additions]:
    """Layers are not built: what they would add is kept."""
    bare_environment("torch")
    wanted: list[Additions] = []

    def keep(below: Environment, additions: Additions, **options: object) -> Environment:
        wanted.append(additions)
        return below

    monkeypatch.setattr(environment_choice, "provide_layer", keep)
    monkeypatch.setattr(environment_choice, "own_interpreter", lambda: ("/no/python", "the interpreter on PATH"))
    return wanted


def program(*imports: str) -> ProgramText:
    return ProgramText(("".join(f"import {name}\n" for name in imports),), frozenset(imports))


def choose(text: ProgramText, **request: object) -> environment_choice.ChosenEnvironment:
    return choose_environment(text, EnvironmentRequest(**request), lambda note: None)  # type: ignore[arg-type]


def test_a_stack_gets_the_packages_that_the_program_imports(asked: list[Additions]) -> None:
    chosen = choose(program("torch", "os", "sklearn", "cv2", "wandb", "gym", "no_such_module"))
    assert chosen.environment.stack == "torch"
    assert set(asked[0].requirements) == {"scikit-learn", "opencv-python-headless"}
    assert asked[0].stand_ins == ("wandb",)
    assert "tensorflow<0" in asked[0].bounds
    notes = "\n".join(chosen.remarks)
    assert "wandb is replaced by a stand-in" in notes
    assert "gym has no wheel" in notes
    assert "no_such_module" in notes


def test_packages_that_are_named_are_added_once(asked: list[Additions]) -> None:
    choose(program("torch", "pandas"), packages=("pandas", "rich==13.0"))
    assert asked[0].requirements == ("pandas", "rich==13.0")


@pytest.mark.parametrize("name", ["-r x", "--index-url=http://a", "./a.whl", "git+https://a/b", "a @ http://b", "a\nb"])
def test_what_is_no_package_is_refused(asked: list[Additions], name: str) -> None:
    with pytest.raises(InvalidInput, match="not a package"):
        choose(program("torch"), packages=(name,))


def test_a_layer_that_cannot_be_built_is_left_out_unless_it_was_asked_for(
    asked: list[Additions], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(below: Environment, additions: Additions, **options: object) -> Environment:
        raise BuildFailed("no wheel")

    monkeypatch.setattr(environment_choice, "provide_layer", fail)
    chosen = choose(program("torch", "pandas"))
    assert any("without pandas" in remark for remark in chosen.remarks)
    with pytest.raises(BuildFailed):
        choose(program("torch"), packages=("pandas",))


def test_the_users_interpreter_is_taken_if_it_has_the_framework(
    asked: list[Additions], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(environment_choice, "own_interpreter", lambda: (sys.executable, "the interpreter on PATH"))
    monkeypatch.setattr(stack_choice, "FRAMEWORKS", frozenset({"pytest"}))
    chosen = choose(program("pytest", "no_such_module"))
    assert chosen.python == sys.executable
    assert chosen.reason == f"the interpreter on PATH has pytest {pytest.__version__}"
    assert any("--with no_such_module" in remark for remark in chosen.remarks)


def test_a_package_on_top_of_a_framework_calls_for_it(asked: list[Additions], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(environment_choice, "own_interpreter", lambda: (sys.executable, "the interpreter on PATH"))
    monkeypatch.setattr(stack_choice, "_BUILT_ON", {"pytest": {"pluggy"}, "torch": {"transformers"}})
    assert choose(program("pluggy")).reason == f"the interpreter on PATH has pytest {pytest.__version__}"
    monkeypatch.setattr(environment_choice, "own_interpreter", lambda: ("/no/python", "the interpreter on PATH"))
    chosen = choose(replace(program("transformers"), modules=frozenset({"transformers", "transformers.Trainer"})))
    assert chosen.reason.startswith("the program imports transformers, which needs torch; ")
    assert set(asked[-1].requirements) == {"transformers", "accelerate"}


def test_what_is_named_is_taken_and_only_one_may_be_named(asked: list[Additions]) -> None:
    assert choose(program("json"), python=sys.executable).reason == "named by --python"
    assert choose(program("json"), stack="torch").reason == "named by --stack"
    with pytest.raises(InvalidInput, match="cannot be combined"):
        choose(program("json"), stack="torch", python=sys.executable)


def test_stand_ins_are_not_installed() -> None:
    assert installable(("pandas", "wandb")) == ("pandas",)


def test_imports_are_followed_into_the_programs_own_modules(tmp_path: Path) -> None:
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "__init__.py").write_text("import seaborn\n")
    (tmp_path / "pkg" / "model.py").write_text("import torch\nfrom pkg import other\n")
    (tmp_path / "pkg" / "other.py").write_text("import einops\n")
    (tmp_path / "unrelated.py").write_text("import pandas\n")
    (tmp_path / "train.py").write_text("from pkg.model import Net\nimport json\n")
    text = read_program(tmp_path / "train.py")
    assert text.imports == {"seaborn", "torch", "einops", "json"}
    assert len(text.sources) == 4


def test_a_module_is_found_as_python_finds_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pkg").mkdir()
    (tmp_path / "pkg" / "train.py").touch()
    assert find_module("pkg.train") == Path("pkg/train.py")
    with pytest.raises(InvalidInput, match="no module pkg"):
        find_module("pkg")
    (tmp_path / "pkg" / "__main__.py").touch()
    assert find_module("pkg") == Path("pkg/__main__.py")
