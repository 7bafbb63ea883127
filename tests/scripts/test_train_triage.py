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
        {"project": f"p{at % 3}", "bug_id": at, "title": f"Bug {WORDS[kinds[at % 4]]}", "description": "It breaks."}
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


def test_heads_answer_as_they_were_taught(data: Path) -> None:
    from triaging.material import Material

    from bugloss.triage.classifier import read_heads

    material = Material.read(data)
    heads = read_heads({"heads": json.loads(json.dumps(material.fit_all()))})
    for name, rows, labels in (
        ("type:question", material.asked, material.types_asked),
        ("type:issue", material.filed, material.types_filed),
        ("origin:issue", material.filed, material.origins),
    ):
        answers = [heads[name].probabilities(row) for row in rows]
        assert [max(answer, key=lambda label: answer[label]) for answer in answers] == labels
    assert (
        heads["source"].probabilities(material.asked[0])["question"]
        > 0.5
        > heads["source"].probabilities(material.filed[0])["question"]
    )


def test_the_stored_numbers_give_the_probabilities_that_scikit_learn_gives(data: Path) -> None:
    from sklearn.linear_model import LogisticRegression
    from triaging.fitting import Examples, GroupPlan, PartPlan, Table, fit_head
    from triaging.material import Material

    from bugloss.triage.classifier import read_heads

    material = Material.read(data)
    examples = Examples(material.asked, material.types_asked, [1.0] * len(material.asked))
    plan = PartPlan((GroupPlan("words"),), 10.0)
    head = read_heads({"heads": {"x": fit_head([(plan, examples)])}})["x"]
    matrix = Table(plan.groups[0], examples).matrix.tocsr()
    theirs = LogisticRegression(C=10.0, max_iter=2000, tol=1e-3).fit(matrix, material.types_asked).predict_proba(matrix)
    for row, expected in zip(material.asked, theirs, strict=True):
        assert list(head.probabilities(row).values()) == pytest.approx(list(expected), abs=0.01)


def test_validation_judges_every_row_by_a_model_that_never_saw_it(data: Path) -> None:
    from triaging.material import Material
    from triaging.validation import calibration, cross_validate, leave_projects_out, temperature

    material = Material.read(data)
    seen: list[set[int]] = []

    def fit(rows: list[int]) -> dict[str, object]:
        seen.append(set(rows))
        return material.fit_question(rows)

    answers = cross_validate(material.asked, material.types_asked, fit, seeds=(0,), folds=4)
    assert len(seen) == 4
    assert all(len(rows) == 36 for rows in seen)
    assert answers.scores(material.types_asked)["macro_f1"] == [1.0]
    assert 0.3 <= temperature(answers, material.types_asked) <= 2
    curve = calibration(answers, material.types_asked, 1.0)
    assert sum(point["answers"] for point in curve) == 48
    projects = [row.project for row in material.issues]
    apart = leave_projects_out(material.filed, material.origins, material.fit_origin, projects)
    assert apart.scores(material.origins)["balanced_accuracy"] == [1.0]
