"""Subjects and predictions as files, and what is made of them."""

from __future__ import annotations

import gzip
import json
import pickle
from pathlib import Path

import pytest

from bugloss.core.errors import InvalidInput
from bugloss.evaluate.localization import evaluate
from bugloss.evaluate.predictions import Prediction, by_method, read_predictions, write_predictions
from bugloss.evaluate.subjects import RankedReport, import_denchmark, read_subjects

SUBJECT = {
    "id": "p-1",
    "project": "p",
    "repository": "r.git",
    "commit": "abc",
    "title": "Crash in train.py",
    "body": "see above",
    "opened": "2020-01-02T03:04:05Z",
    "fixed": "2020-02-01",
    "truth": ["pkg/train.py"],
    "bug_type": "training",
}


def subject(name: str, truth: str, title: str = "t") -> RankedReport:
    return RankedReport(name, "p", Path(), "c", title, "", 0, 1, (truth,), "training")


def test_subjects_are_read_from_json_lines(tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_text(json.dumps(SUBJECT) + "\n\n")
    (found,) = read_subjects(tmp_path / "s.jsonl")
    assert found.repository == tmp_path / "r.git"
    assert found.opened == 1577934245 and found.names_a_file


@pytest.mark.parametrize("line", ["{", "[]", '{"id": 1}', "null"])
def test_a_line_that_is_no_subject_is_named(tmp_path: Path, line: str) -> None:
    (tmp_path / "s.jsonl").write_text(f"{json.dumps(SUBJECT)}\n{line}\n")
    with pytest.raises(InvalidInput, match="line 2"):
        read_subjects(tmp_path / "s.jsonl")


def test_denchmark_is_imported(tmp_path: Path) -> None:
    files = [
        {"change": "MODIFY", "old_path": "a.py", "new_path": "a.py"},
        {"change": "ADD", "old_path": None, "new_path": "b.py"},
        {"change": "RENAME", "old_path": "old.py", "new_path": "new.py"},
        {"change": "MODIFY", "old_path": "README.md", "new_path": "README.md"},
    ]
    bug = {"project": "o+p", "bug_id": "7", "title": "t", "description": "d", "opened": "2019-01-01T00:00:00Z"}
    bug |= {
        "closed": "2019-01-03T00:00:00Z",
        "fix_time": "2019-01-02 00:00:00+00:00",
        "fix_commit": "f",
        "files": files,
    }
    other = bug | {"project": "x+y"}
    with gzip.open(tmp_path / "bugs.jsonl.gz", "wt") as file:
        file.write(f"{json.dumps(bug)}\n{json.dumps(other)}\n")
    (found,) = import_denchmark(tmp_path / "bugs.jsonl.gz", {"o+p": tmp_path})
    assert (found.id, found.commit, found.truth) == ("o+p#7", "f~1", ("a.py", "old.py"))
    assert found.fixed - found.opened == 2 * 86_400


def test_predictions_survive_writing(tmp_path: Path) -> None:
    given = (Prediction("1", "mine", ("a.py", "ü.py")), Prediction("2", "mine", ()))
    write_predictions(tmp_path / "p.jsonl", given)
    assert read_predictions(tmp_path / "p.jsonl") == given
    assert by_method(given) == {"mine": {"1": ("a.py", "ü.py"), "2": ()}}


def test_a_method_cannot_gain_by_silence() -> None:
    subjects = [subject("1", "a.py", "a.py fails"), subject("2", "b.py")]
    found = evaluate(subjects, {"shy": {"1": ["a.py"]}, "bold": {"1": ["a.py"], "2": ["x.py", "b.py"]}})
    scores = {method.method: method for method in found.methods}
    assert scores["shy"].overall.mean_average_precision.value == 0.5
    assert scores["bold"].overall.mean_average_precision.value == 0.75
    assert scores["bold"].groups["names a true file"]["no"].mean_average_precision.value == 0.5
    assert "origin" not in scores["bold"].groups
    assert (found.pairs[0].first, found.pairs[0].second) == ("bold", "shy")


def test_a_subject_that_an_earlier_version_kept_has_the_defaults_of_later_fields() -> None:
    whole = subject("1", "a.py")
    assert pickle.loads(pickle.dumps(whole)) == whole
    old = object.__new__(RankedReport)
    old.__setstate__(["1", "p", Path(), "c", "t", "", 0, 1, ("a.py",), "training"])
    assert old == whole
