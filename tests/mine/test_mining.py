"""From commits to candidates: messages, code, scores, groups, and a repository from end to end."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from bugloss.core.engine import LostTask
from bugloss.core.errors import InvalidInput
from bugloss.core.taxonomy import FixPattern
from bugloss.mine.candidate import MOST_LINES, Candidate, make_candidate
from bugloss.mine.change import ChangedText, CommitChange
from bugloss.mine.groups import fingerprint, group_fixes
from bugloss.mine.learning_code import changed_lines, imported_frameworks, learning_names
from bugloss.mine.message import judge_message
from bugloss.show.cli.main import main
from bugloss.workflows.engine.local import LocalEngine
from bugloss.workflows.mined_scaffolds import ScaffoldRequest, scaffold_candidates
from bugloss.workflows.mining import MinedRepository, MiningPart, mine_repositories, ranked, write_candidates

BEFORE = '''"""Trains."""
import torch
from torch import nn

criterion = nn.NLLLoss()
'''
AFTER = BEFORE.replace("NLLLoss", "CrossEntropyLoss").replace('"""Trains."""', '"""Trains a network."""')


def change(
    before: str = BEFORE, after: str = AFTER, message: str = "Fix loss, closes #7", **more: object
) -> CommitChange:
    files = (ChangedText("train.py", before, after),)
    return CommitChange("c" * 40, "p" * 40, date(2021, 3, 4), message, files, **more)  # type: ignore[arg-type]


def candidate(of: CommitChange) -> Candidate | None:
    return make_candidate("repo", of, judge_message(of.message), [FixPattern.LOSS_FUNCTION])


@pytest.mark.parametrize(
    "message",
    ["Fix shape of the mask", "bugfix: wrong axis of softmax (#12)", "Resolve NaN loss", "Crash on CPU, fixes #3"],
)
def test_a_message_that_tells_of_a_fix_counts(message: str) -> None:
    assert judge_message(message).fixes


@pytest.mark.parametrize(
    "message",
    ["Fix typo in README", "Add ResNet", "fix flake8", 'Revert "Fix shape"', "Prefix of names", "Fix the docs of Adam"],
)
def test_a_message_about_something_else_does_not(message: str) -> None:
    assert not judge_message(message).fixes


def test_issues_that_are_closed_are_told_from_numbers_that_are_named() -> None:
    verdict = judge_message("Fix softmax (#12)\n\nfixes #3, see #4")
    assert (verdict.closes, verdict.mentions) == ((3,), (12, 4))


def test_docstrings_and_comments_are_not_changed_code() -> None:
    lines = changed_lines(change().files[0])
    assert (lines.removed, lines.added) == (("criterion = nn.NLLLoss()",), ("criterion = nn.CrossEntropyLoss()",))


def test_names_in_strings_do_not_count() -> None:
    assert learning_names(['print("softmax")', "None", "x = model.eval()"]) == ("eval",)


def test_a_file_that_is_not_python_imports_nothing() -> None:
    assert imported_frameworks(change("import torch ((", "")) == ()


def test_a_small_fix_of_a_network_is_a_candidate_with_reasons() -> None:
    found = candidate(change())
    assert found is not None
    assert found.issues == (7,)
    assert any("NLLLoss" in reason for reason in found.reasons)


@pytest.mark.parametrize(
    "other",
    [
        change(message="Add a loss"),
        change(BEFORE.replace("torch", "numpy"), AFTER.replace("torch", "numpy")),
        change(after=BEFORE.replace("Trains", "Learns")),
        change(after=AFTER + "y = softmax(x)\n" * (MOST_LINES + 1)),
        change(after=BEFORE + "name = path\n"),
    ],
    ids=["no fix", "no framework", "only words", "too large", "no name of networks"],
)
def test_what_is_not_a_small_fix_of_deep_learning_code_is_left_out(other: CommitChange) -> None:
    assert candidate(other) is None


def test_a_test_and_an_issue_raise_the_score() -> None:
    plain, tested = candidate(change(message="Fix loss")), candidate(change(tests=("tests/test_train.py",)))
    assert plain is not None and tested is not None
    assert tested.score > plain.score


def test_fixes_of_one_shape_share_a_mark_whatever_their_variables_are_called() -> None:
    one = change("import torch\nx = net(a)\n", "import torch\nx = net(a).detach()\n")
    same = change("import torch\ny = model(b)\n", "import torch\ny = model(b).detach()\n")
    other = change("import torch\ny = model(b)\n", "import torch\ny = model(b).float()\n")
    assert fingerprint(one) == fingerprint(same) != fingerprint(other)
    assert group_fixes([("m", "a"), ("m", "b"), ("n", "c"), ("", "d"), ("", "e")]) == {"m": ["a", "b"]}


def mine(repository: Path) -> MinedRepository:
    return mine_repositories([repository], lambda text: None)[0]


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()

    def commit(message: str, text: str) -> None:
        (folder / "train.py").write_text(text)
        who = ["-c", "user.name=a", "-c", "user.email=a@b.c"]
        subprocess.run(["git", "-C", str(folder), "add", "."], check=True)
        subprocess.run(
            ["git", "-C", str(folder), *who, "commit", "-qm", message, "--date=2019-05-01T00:00:00"], check=True
        )

    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    commit("Start", BEFORE)
    commit("Fix loss of raw scores, closes #7", AFTER)
    commit("Fix typo", AFTER.replace("network", "net"))
    return folder


def test_a_repository_is_mined_from_end_to_end(repository: Path, tmp_path: Path) -> None:
    mined = mine(repository)
    assert (mined.commits, mined.fixes, len(mined.candidates)) == (2, 1, 1)  # the first commit has no parent
    found = mined.candidates[0]
    assert found.patterns[0] is FixPattern.LOSS_FUNCTION
    assert found.stack
    write_candidates(tmp_path / "found.jsonl", [mined])
    assert json.loads((tmp_path / "found.jsonl").read_text())["subject"].startswith("Fix loss")


def test_a_scaffold_is_a_bug_folder_that_knows_its_candidate(repository: Path, tmp_path: Path) -> None:
    best = ranked([mine(repository)])
    request = ScaffoldRequest(tmp_path / "new", (repository,))
    assert len(scaffold_candidates(request, best, lambda text: None)) == 1
    assert scaffold_candidates(request, best, lambda text: None) == []  # what exists is left alone
    [folder] = (tmp_path / "new").iterdir()
    assert (folder / "bug.toml").is_file()
    assert json.loads((folder / "candidate.json").read_text())["commit"] == best[0].commit


def test_a_history_that_is_read_in_parts_by_several_processes_gives_the_same(
    repository: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = mine(repository)
    monkeypatch.setattr("bugloss.workflows.mining._PART", 1)
    [parts] = mine_repositories([repository], lambda text: None, engine=LocalEngine(2))
    assert replace(parts, seconds=0) == replace(whole, seconds=0)


def test_parts_that_are_lost_are_named(repository: Path) -> None:
    class Losing:
        def run(self, work: object, tasks: Sequence[MiningPart], needs: object = None) -> Iterator[object]:
            yield from (LostTask(task, "its worker was killed") for task in tasks)

    [mined] = mine_repositories([repository], lambda text: None, engine=Losing())  # type: ignore[arg-type]
    assert (mined.name, mined.commits, mined.lost) == ("project", 0, ("its worker was killed",))


def test_a_folder_without_a_repository_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput):
        mine(tmp_path)


def test_the_verb_prints_one_document_and_refuses_what_is_not_a_repository(
    repository: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["mine", str(repository), "--json"]) == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["schema"] == "bugloss.candidates/1"
    assert printed["repositories"][0]["candidates"] == len(printed["candidates"]) == 1
    (tmp_path / "empty").mkdir()
    assert main(["mine", str(tmp_path / "empty"), "--json"]) == 2
    assert json.loads(capsys.readouterr().out)["schema"] == "bugloss.error/1"
