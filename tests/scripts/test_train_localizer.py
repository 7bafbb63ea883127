"""The ranker's training: what is written computes what was learnt, and no report is judged by a model that saw its project."""

from __future__ import annotations

import random
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("lightgbm", reason="lightgbm (extra 'ranking') is not installed")
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    yield


def rows(reports: int = 40) -> list[Any]:
    from localizing.material import Row

    from bugloss.evaluate.subjects import RankedReport

    draw, made = random.Random(0), []
    for number in range(reports):
        features = tuple((draw.random(), draw.random(), draw.random()) for _ in range(12))
        best = max(range(12), key=lambda at: features[at][0] + features[at][2])
        paths = tuple(f"f{at}.py" for at in range(12))
        subject = RankedReport(f"{number}", f"p{number % 4}", Path(), "c", "t", "", 0, 1, (paths[best],))
        made.append(Row(subject, ("prior", "noise", "help"), paths, features, 12))
    return made


def test_what_is_written_computes_what_was_learnt() -> None:
    from localizing.learning import HeldOut, dump, fit

    from bugloss.localize.ranker.forest import read_forest

    material = rows()
    ranker = fit(material, (0,))
    forest = read_forest(dump(ranker, HeldOut((), 1.0, 0.0)))
    for row in material[:5]:
        assert forest.score(dict(zip(row.names, zip(*row.features, strict=True), strict=True))) == pytest.approx(
            list(ranker.scores(row)), abs=1e-3
        )


def test_no_project_is_ranked_by_a_model_that_saw_it(monkeypatch: pytest.MonkeyPatch) -> None:
    from localizing import learning

    material, plain, seen = rows(), learning.fit, []
    monkeypatch.setattr(
        learning, "fit", lambda part, seeds: seen.append({r.subject.project for r in part}) or plain(part, seeds)
    )
    further = [replace(row, subject=replace(row.subject, project="further")) for row in rows(4)]
    held_out = learning.leave_projects_out(material, further, seeds=(0,))
    others = {"p0", "p1", "p2", "p3", "further"}
    assert sorted(map(sorted, seen)) == sorted(sorted(others - {f"p{at}"}) for at in range(4))
    assert {prediction.id for prediction in held_out.predictions} == {row.subject.id for row in material}
    assert held_out.slope > 0
