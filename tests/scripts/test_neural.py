"""What the neural techniques said is kept by the code that said it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    yield


def test_rankings_are_made_anew_only_when_the_code_does_something_else(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from localizing import neural

    from bugloss.evaluate.predictions import Prediction

    code, made = tmp_path / "code.py", []
    monkeypatch.setattr(neural, "_MADE_BY", {"dnnloc": (code,)})
    monkeypatch.setattr(
        neural, "_learn", lambda name, found, cache: made.append(name) or (Prediction("1", name, ("a.py",)),)
    )
    for text, times in (("STEP = 1\n", 1), ("# a comment\nSTEP = 1\n", 1), ("STEP = 2\n", 2)):
        code.write_text(text)
        assert neural.predictions("dnnloc", (), tmp_path)[0].ranking == ("a.py",)
        assert len(made) == times


def test_the_code_that_is_watched_is_there() -> None:
    from localizing import neural

    assert set(neural._MADE_BY) == set(neural.TECHNIQUES)
    assert [path for paths in neural._MADE_BY.values() for path in paths if not path.is_file()] == []
