"""The fit of the weights: it follows programs, stays near the hand, and is judged on programs that it did not see."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from bugloss.observe.arbiter import confidences
from bugloss.observe.weights import FaultWeights, read_rows

pytest.importorskip("scipy", reason="SciPy (extra 'studies') is not installed")
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
HAND = {"low-rate": FaultWeights({"flat": 4.0, "usual": -1.0}), "dead-layer": FaultWeights({"flat": 4.2})}


@pytest.fixture(autouse=True)
def scripts_on_the_path(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(sys, "path", [str(SCRIPTS), *sys.path])
    yield


def programs(*causes: str):  # type: ignore[no-untyped-def]
    """Programs with one and the same clue, each with its own cause."""
    from weighing.material import RecordedProgram

    clues = {"low-rate": {"flat": 1.0}, "dead-layer": {"flat": 1.0}}
    return tuple(RecordedProgram(f"{at}", f"{at}", (cause,), True, clues) for at, cause in enumerate(causes))


def test_weights_follow_the_programs_and_the_hand() -> None:
    from weighing.fitting import fit

    free, held = (fit(programs(*["low-rate"] * 5), HAND, pull) for pull in (0.1, 1000.0))
    assert free["low-rate"].clues["flat"] > 5.0 > 3.0 > free["dead-layer"].clues["flat"]
    assert held["low-rate"].clues["flat"] == pytest.approx(4.0, abs=0.05)


def test_a_clue_that_no_program_shows_stays_as_it_is() -> None:
    from weighing.fitting import fit

    assert fit(programs("low-rate"), HAND, 0.1)["low-rate"].clues["usual"] == -1.0


def test_a_weight_never_changes_its_sign() -> None:
    from weighing.fitting import fit

    assert fit(programs(*["low-rate"] * 50), HAND, 1e-6)["dead-layer"].clues["flat"] > 0


def test_no_program_is_judged_by_weights_that_saw_it() -> None:
    from weighing.judging import leave_out

    taught: list[set[str]] = []

    def teach(rest: Sequence[object]) -> dict[str, FaultWeights]:
        taught.append({program.name for program in rest})  # type: ignore[attr-defined]
        return HAND

    judged = leave_out(programs("low-rate", "dead-layer", "low-rate"), teach)
    assert [{"0", "1", "2"} - seen for seen in taught] == [{one.program.name} for one in judged]


def test_a_rank_is_that_of_the_first_accepted_cause() -> None:
    from weighing.judging import judge

    assert [one.rank for one in judge(programs("dead-layer", "low-rate", "other"), HAND)] == [1, 2, None]


def test_confidences_that_are_as_often_right_have_no_calibration_error() -> None:
    from weighing.judging import calibration_error

    assert calibration_error([(0.75, True)] * 3 + [(0.75, False)]) == 0
    assert calibration_error([(0.9, False)] * 4) == pytest.approx(0.9)


def test_the_table_that_is_written_is_the_one_that_is_read(tmp_path: Path) -> None:
    from weighing.table import TABLE, write_rows

    copy = tmp_path / "weights.toml"
    copy.write_text(TABLE.read_text(encoding="utf-8"), encoding="utf-8")
    write_rows(read_rows(), copy)
    assert copy.read_text(encoding="utf-8") == TABLE.read_text(encoding="utf-8")


def test_the_kept_clues_are_rows_of_the_table() -> None:
    """A clue that was renamed since would be left out of the fit in silence."""
    from weighing.material import hand_weights, read

    rows = {(fault, clue) for fault, weights in hand_weights().items() for clue in weights.clues}
    kept = {(fault, clue) for program in read() for fault, clues in program.clues.items() for clue in clues}
    assert kept <= rows
    assert len(kept) > 50


def test_causes_of_one_program_share_their_confidence() -> None:
    alone, shared = confidences([3.0]), confidences([3.0, 3.0])
    assert sum(shared) < 1
    assert shared[0] == shared[1] < alone[0]
