"""Submissions: a bug that passes every gate gets the next id; any other leaves the corpus as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from tiny_corpus import KINDS, TinyCorpus, write_bug

from bugloss.core.bug import Status
from bugloss.core.errors import InvalidInput
from bugloss.core.judgement import Standing
from bugloss.corpus.lint import lint
from bugloss.corpus.register import retire
from bugloss.corpus.unified_diff import text_files
from bugloss.run.environment import Environment
from bugloss.show.cli.verification import Silence
from bugloss.workflows.submission import Submission, submit


def hand_in(tiny: TinyCorpus, folder: Path) -> Submission:
    return submit(tiny.load(), folder, Silence(), runs=1)


def content(root: Path) -> dict[str, bytes]:
    return {name: (root / name).read_bytes() for name in text_files(root)}


def test_an_active_bug_is_added_under_the_next_id_with_its_record(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path
) -> None:
    tiny.add("torch-0003")
    retire(tiny.root, "torch-0007", Status.DEPRECATED, "its folder is gone, its id stays taken")
    draft = write_bug(tmp_path / "my-bug", files={"original.py": "print(1)\n"})
    (draft / "buggy" / "__pycache__").mkdir()
    (draft / "buggy" / "__pycache__" / "x.pyc").write_bytes(b"")
    outcome = hand_in(tiny, draft)
    assert (outcome.bug, outcome.problems) == ("torch-0008", ())
    entry = tiny.load()["torch-0008"]
    assert text_files(entry.bug.folder) == text_files(draft)
    assert not list(entry.bug.folder.rglob("__pycache__"))
    assert lint(entry.bug.folder) == []
    assert entry.verified is not None
    assert entry.verified.digest == entry.digest()
    assert (draft / "bug.toml").read_text().startswith('id = "my-bug"')


@pytest.mark.parametrize("line", ['id="my-bug"', 'id  =  "my-bug"  # mine', "  id = 'my-bug'"])
def test_the_id_is_replaced_however_it_is_written(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, line: str
) -> None:
    draft = write_bug(tmp_path / "my-bug")
    facts = draft / "bug.toml"
    facts.write_text(facts.read_text().replace('id = "my-bug"', line))
    assert hand_in(tiny, draft).bug == "torch-0001"
    assert tiny.load()["torch-0001"].id == "torch-0001"


def test_other_names_in_the_folder_of_a_framework_do_not_disturb_the_count(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path
) -> None:
    tiny.add("torch-draft")
    tiny.add("torch-0001")
    assert hand_in(tiny, write_bug(tmp_path / "my-bug")).bug == "torch-0002"


def test_a_bug_that_does_not_lint_is_refused_and_nothing_is_run(tiny: TinyCorpus, tmp_path: Path) -> None:
    tiny.add("torch-0001")
    before = content(tiny.root)
    outcome = hand_in(tiny, write_bug(tmp_path / "my-bug", files={"report.md": "no title"}))
    assert (outcome.bug, outcome.result) == (None, None)
    assert {problem.file for problem in outcome.problems} == {"report.md"}
    assert content(tiny.root) == before


@pytest.mark.parametrize(
    ("files", "standing"),
    [
        ({"fixed/program.py": "def run():\n    return [1, 2, 3][4]\n"}, Standing.BROKEN),
        ({"buggy/program.py": "def run():\n    return [1, 2, 3][0]\n"}, Standing.BROKEN),
    ],
    ids=["the fixed program fails", "the other one passes"],
)
def test_a_bug_that_is_not_active_is_refused(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, files: dict[str, str], standing: Standing
) -> None:
    tiny.add("torch-0001")
    before = content(tiny.root)
    outcome = hand_in(tiny, write_bug(tmp_path / "my-bug", files=files))
    assert outcome.bug is None
    assert outcome.result is not None
    assert outcome.result.stability.standing is standing
    assert content(tiny.root) == before


def test_a_bug_whose_environment_is_not_to_be_had_is_refused(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PATH", "HOME", "PYENV_ROOT", "UV_PYTHON_INSTALL_DIR", "CONDA_PREFIX"):
        monkeypatch.setenv(name, str(tmp_path))
    outcome = hand_in(tiny, write_bug(tmp_path / "my-bug", framework="keras", stack="keras2-tf1"))
    assert outcome.bug is None
    assert outcome.result is not None
    assert outcome.result.stability.standing is Standing.NOT_RUN
    assert list(tiny.load()) == []


def test_a_folder_that_is_not_there_is_bad_input(tiny: TinyCorpus, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="nowhere is not a folder"):
        hand_in(tiny, tmp_path / "nowhere")


def test_a_corpus_that_cannot_be_written_is_one_sentence(tiny: TinyCorpus, bare: Environment, tmp_path: Path) -> None:
    (tiny.root / "torch").write_text("a file where a folder should be")
    with pytest.raises(InvalidInput, match="cannot be written"):
        hand_in(tiny, write_bug(tmp_path / "my-bug", kind="value"))


def test_the_working_folder_can_be_handed_in(
    tiny: TinyCorpus, bare: Environment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draft = write_bug(tmp_path / "my-bug", files={"test.py": KINDS["exception"][2]})
    with monkeypatch.context() as inside:
        inside.chdir(draft)
        assert hand_in(tiny, Path()).bug == "torch-0001"
