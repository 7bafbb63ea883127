"""The classifier's training: what is written is what was learnt, and validation never looks at the row it judges."""

from __future__ import annotations

import csv
import gzip
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("sklearn", reason="scikit-learn (extra 'studies') is not installed")
os.environ.pop("KMP_INIT_AT_FORK", None)  # scikit-learn sets this
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
WORDS = {
    "training": "loss epoch nan gradient",
    "tensor": "shape dimension mismatch reshape",
    "gpu": "cuda gpu memory driver",
    "others": "html css button jquery",
}


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    yield
    os.environ.pop("KMP_INIT_AT_FORK", None)


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Made-up reports in the form of the real ones."""
    for folder in ("so_bug_types", "localization_labels", "denchmark"):
        (tmp_path / folder).mkdir()
    kinds = list(WORDS)
    questions = [
        {
            "so_id": at,
            "label": kinds[at % 4],
            "tags": ["keras"],
            "text": f"A question number {at}. {WORDS[kinds[at % 4]]} {at}",
        }
        for at in range(48)
    ]
    bugs = [
        {
            "project": f"p{at % 3}",
            "bug_id": at,
            "title": f"Bug {WORDS[kinds[at % 4]]}",
            "description": f"It breaks in place {at}, as seen on day {3 * at} with seed {7 * at}.",
        }
        for at in range(60)
    ]
    types = {"training": "Training", "tensor": "Tensor & Input", "gpu": "GPU", "others": ""}
    with gzip.open(tmp_path / "so_bug_types" / "so_600_dev.jsonl.gz", "wt") as stream:
        stream.writelines(f"{json.dumps(question)}\n" for question in questions)
    with gzip.open(tmp_path / "denchmark" / "bugs_dev.jsonl.gz", "wt") as stream:
        stream.writelines(f"{json.dumps(bug)}\n" for bug in bugs)
    with (tmp_path / "localization_labels" / "denchmark_385_dev.csv").open("w", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["project", "bug_id", "title", "dl_type_a1", "extrinsic_a1"])
        for at, bug in enumerate(bugs[:40]):
            extrinsic = "Yes" if kinds[at % 4] in {"gpu", "others"} else "No"
            table.writerow([bug["project"], bug["bug_id"], bug["title"], types[kinds[at % 4]], extrinsic])
    return tmp_path


@pytest.fixture
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    from triaging import material
    from triaging.fitting import GroupPlan, PartPlan

    plans = {
        "words": PartPlan((GroupPlan("words"),), 10.0),
        "clues": PartPlan((GroupPlan("clues", weighted=False),), 0.1, trust=0.5),
    }
    monkeypatch.setattr(material, "QUESTIONS", plans)
    monkeypatch.setattr(material, "ISSUE_TYPES", plans)
    monkeypatch.setattr(material, "ISSUE_ORIGINS", plans)


def test_heads_answer_as_they_were_taught(data: Path, few_candidates: None) -> None:
    from triaging.material import Material

    from bugloss.triage.head_file import pack, unpack

    material = Material.read(data)
    heads = {name: unpack(pack(head)) for name, head in material.heads().items()}
    first = len(material.questions)
    issues = material.texts[first : first + len(material.issues)]
    for name, texts, labels in (
        ("type-question", material.texts[:first], [row.label for row in material.questions]),
        ("type-issue", issues, [row.label for row in material.issues]),
        ("origin-issue", issues, [row.origin for row in material.issues]),
    ):
        answers = [heads[name].probabilities(text) for text in texts]
        assert [max(answer, key=lambda label: answer[label]) for answer in answers] == labels
    assert heads["source"].probabilities(material.texts[0])["question"] > 0.5
    assert heads["source"].probabilities(issues[0])["question"] < 0.5


def test_what_is_written_answers_as_what_was_validated(data: Path, few_candidates: None) -> None:
    """Validation asks matrices, triage asks files: both must give the same probabilities."""
    import numpy as np
    from triaging.material import Material
    from triaging.teaching import teach

    from bugloss.triage.head_file import pack, unpack

    material = Material.read(data)
    lesson = material.issue_types()
    taught = teach(lesson, np.arange(len(lesson.labels)))
    head = unpack(pack(taught.head()))
    for at, expected in zip(lesson.texts, taught.answers(lesson.texts), strict=True):
        assert list(head.probabilities(material.texts[at]).values()) == pytest.approx(list(expected), abs=0.01)


def test_validation_asks_heads_that_never_saw_the_row(
    data: Path, few_candidates: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from triaging import validation
    from triaging.material import Material
    from triaging.teaching import Taught, teach

    lesson = Material.read(data).question_types()
    taught: list[set[int]] = []
    asked: list[set[int]] = []

    def watched(lesson: object, rows: object, unseen: object) -> Taught:
        taught.append({int(at) for at in rows})  # type: ignore[attr-defined]
        return teach(lesson, rows, unseen)  # type: ignore[arg-type]

    answer = Taught.answers
    monkeypatch.setattr(validation, "teach", watched)
    monkeypatch.setattr(
        Taught, "answers", lambda self, texts: asked.append({int(at) for at in texts}) or answer(self, texts)
    )
    answers = validation.cross_validate(lesson, seeds=(0,), folds=4)
    assert [len(rows) for rows in taught] == [36] * 4
    assert all(not known & new for known, new in zip(taught, asked, strict=True))
    assert answers.scores(lesson.labels)["macro_f1"] == [1.0]
    curve = validation.calibration(answers, lesson.labels)
    assert sum(point["answers"] for point in curve) == 48
    assert 0 <= validation.expected_error(curve) <= 1


def test_a_project_that_is_left_out_leaves_no_trace(data: Path, few_candidates: None) -> None:
    """Neither its labelled issues, nor those that we labelled, nor its words."""
    from dataclasses import replace

    import numpy as np
    from triaging.fitting import PartPlan
    from triaging.material import Material

    lesson = Material.read(data).issue_types()
    own = lesson.texts[:6]
    lesson = replace(
        lesson, own=own, own_labels=lesson.labels[:6], own_projects=lesson.projects[:6],
        background=own, background_projects=lesson.projects[:6],
    )  # fmt: skip
    rows = np.array([at for at, project in enumerate(lesson.projects) if project != "p1"])
    examples = lesson.examples(PartPlan((), 1.0, trust=1.0), rows, frozenset({"p1"}))
    strangers = {int(text) for text, project in zip(lesson.texts, lesson.projects, strict=True) if project == "p1"}
    assert not strangers & {*map(int, examples.texts), *map(int, examples.background)}
    assert len(examples.texts) == len(rows) + 4
    assert len(examples.background) == 4


def test_the_parts_that_answer_best_are_chosen() -> None:
    import numpy as np
    from triaging.choosing import pick, settle

    truth = np.array([0, 1] * 10)
    right = np.where(truth[:, None] == [0, 1], 0.9, 0.1)
    tables = {"wrong": 1 - right, "right": right, "blind": 0 * right + 0.5}
    shares = pick(tables, truth, np.ones(20))
    assert set(shares) == {"right"}
    choice = settle(tables, shares, truth, (0.0, 0.5))
    assert choice.favour == 0.0  # it gains nothing
    assert choice.temperature < 1  # it is right more often than it says
    assert (choice.join(tables, np.array([0.5, 0.5])).argmax(1) == truth).all()


def test_reports_that_may_be_held_back_are_not_read(data: Path) -> None:
    from triaging.held_back import is_open
    from triaging.rows import read_others

    others = read_others(data)
    kept = {row.report.body for row in (*others.own, *others.rest)}
    may = {at for at in range(40, 60) if is_open(f"p{at % 3}", str(at))}
    assert {at for at in range(40, 60) if any(f"in place {at}," in body for body in kept)} == may
    assert others.maybe_held_back == 20 - len(may) > 0


def test_a_text_that_says_what_a_held_back_one_says_is_a_repeat() -> None:
    from triaging.held_back import Repeats

    known = "The loss becomes NaN after the third epoch when I train with mixed precision on two cards"
    repeats = Repeats([known, "Something else altogether that nobody ever wrote before in this long sentence"])
    assert repeats.has(f"{known} again")
    assert not repeats.has("The loss becomes NaN, but for another reason: the learning rate is far too high for it")
