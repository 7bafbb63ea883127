"""The oracle in a checkout, in the sandbox and inside bugloss: one file, one verdict."""

from __future__ import annotations

import json
import math
import os
import random
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bugloss.probes import oracle
from bugloss.run.interpreters import PythonInterpreter

ORACLE = Path(str(files("bugloss.probes") / "oracle.py"))


@pytest.fixture
def evidence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "evidence.jsonl"
    monkeypatch.setenv("BUGLOSS_EVIDENCE", str(path))
    monkeypatch.delenv("BUGLOSS_SEED", raising=False)
    return path


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def in_a_checkout(
    folder: Path, text: str, python: str = sys.executable, **variables: str
) -> subprocess.CompletedProcess[str]:
    """A test beside a copy of the oracle, as a user runs it."""
    shutil.copy(ORACLE, folder / "oracle.py")
    (folder / "test.py").write_text(text)
    environment = {"PATH": os.environ["PATH"], **variables}
    command = [python, "test.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


# In every interpreter.

WHOLE = """
import random
import oracle

def work(n):
    return sum(range(n))

print(oracle.survives(work, 10))
oracle.value("share", lambda seed: 0.9, at_least=0.5)
oracle.value("name", lambda seed: ("a", 1), equals=["a", 1])
oracle.symptom("loss", lambda seed: seed / 1000.0, at_most=1.0, seeds=6)
oracle.cost("steps", lambda seed: 3, ratio=2, repeats=2)
assert oracle.cpu_seconds(work, 100000) > 0
assert 40 < oracle.peak_megabytes(bytearray, 50 * 2**20) < 60
oracle.seed_everything(2**40)
"""


def test_every_oracle_runs_in_every_interpreter(old_and_new: PythonInterpreter, tmp_path: Path) -> None:
    done = in_a_checkout(tmp_path, WHOLE, str(old_and_new.path), BUGLOSS_EVIDENCE=str(tmp_path / "lines"))
    assert (done.returncode, done.stderr) == (0, "")
    assert [line["oracle"] for line in lines(tmp_path / "lines")] == ["exception", "value", "value"] + 6 * [
        "symptom"
    ] + 2 * ["cost"]


@pytest.mark.parametrize(
    ("call", "words"),
    [
        ("oracle.value('share', lambda s: 0.1, at_least=0.5)", "Failed: share is 0.1; healthy is at least 0.5"),
        ("oracle.symptom('loss', lambda s: 9, at_most=1)", "Failed: 0 of 6 seeds healthy"),
        ("oracle.symptom('loss', lambda s: s % 2, at_most=0)", "Undecided: 3 of 6 seeds healthy"),
        ("oracle.survives(lambda: 1 / 0)", "ZeroDivisionError"),
    ],
)
def test_a_sick_program_fails_in_every_interpreter(
    old_and_new: PythonInterpreter, tmp_path: Path, call: str, words: str
) -> None:
    done = in_a_checkout(tmp_path, f"import oracle\n{call}\n", str(old_and_new.path))
    assert done.returncode == 1
    assert words in done.stderr
    assert "pass" not in done.stdout


# One measurement.


def test_a_value_on_the_healthy_side_passes_and_is_recorded(evidence: Path, capsys: pytest.CaptureFixture[str]) -> None:
    oracle.value("accuracy", lambda seed: 0.9, at_least=0.8)
    assert lines(evidence) == [{"oracle": "value", "seed": 0, "value": 0.9}]
    assert capsys.readouterr().out == "pass: accuracy is 0.9; healthy is at least 0.8\n"


def test_a_value_on_the_other_side_fails_and_is_recorded_before(evidence: Path) -> None:
    with pytest.raises(oracle.Failed, match=r"accuracy is 0\.7; healthy is at least 0\.8"):
        oracle.value("accuracy", lambda seed: 0.7, at_least=0.8)
    assert [line["value"] for line in lines(evidence)] == [0.7]


def test_the_measure_gets_the_seed_of_the_run(evidence: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BUGLOSS_SEED", "7")
    oracle.value("seed", lambda seed: seed, equals=7)


@pytest.mark.parametrize("bounds", [{}, {"at_least": 1, "at_most": 2}, {"equals": 1, "at_most": 2}])
def test_exactly_one_bound_must_be_given(bounds: dict[str, int]) -> None:
    with pytest.raises(TypeError, match="exactly one"):
        oracle.value("x", lambda seed: 1, **bounds)


@pytest.mark.parametrize("bound", [{"equals": 0}, {"equals": False}, {"equals": ""}, {"at_most": 0}])
def test_zero_and_nothing_are_bounds_too(evidence: Path, bound: dict[str, object]) -> None:
    oracle.value("x", lambda seed: next(iter(bound.values())), **bound)
    assert len(lines(evidence)) == 1


class Tensor:
    """As NumPy, torch and TensorFlow do it."""

    def __init__(self, number: float) -> None:
        self.number = number

    def item(self) -> float:
        return self.number


def test_tensors_stop_at_the_probe(evidence: Path) -> None:
    oracle.value("x", lambda seed: Tensor(2.5), equals=2.5)
    oracle.value("y", lambda seed: [Tensor(1.0), {"a": Tensor(2.0)}], equals=(1.0, {"a": 2.0}))
    assert [line["value"] for line in lines(evidence)] == [2.5, [1.0, {"a": 2.0}]]


def test_what_json_cannot_hold_is_an_error_and_no_verdict(evidence: Path) -> None:
    with pytest.raises(TypeError):
        oracle.value("x", lambda seed: object(), equals=1)


plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3) | st.tuples(inner, inner) | st.dictionaries(st.integers() | st.text(), inner)
    ),
    max_leaves=6,
)


@given(plain, plain)
def test_a_verdict_recomputed_from_json_is_the_one_given(observed: object, limit: object) -> None:
    """A tuple held against a list, or a number for a key: JSON blurs the difference, so it is blurred before."""
    for target in (observed, limit):
        if target is None:
            continue
        bound = oracle._bound(None, None, target)
        value = oracle.plain(observed)
        read = json.loads(json.dumps([value, bound]))
        assert oracle.meets(*read) == oracle.meets(value, bound)


@pytest.mark.parametrize(
    ("observed", "bound", "healthy"),
    [
        (1, ["at least", 1], True),
        (0.999, ["at least", 1], False),
        (1, ["at most", 1], True),
        (1.001, ["at most", 1], False),
        (math.inf, ["at least", 1], False),
        (math.inf, ["at most", 1], False),
        (-math.inf, ["at most", 1], False),
        (10**400, ["at least", 1], False),
        (-(10**400), ["at most", 1], False),
        (True, ["at least", 1], False),
        (math.nan, ["at least", 1], False),
        (math.nan, ["at most", 1], False),
        (math.nan, ["equals", math.nan], False),
        ("text", ["at least", 1], False),
        (None, ["at most", 1], False),
        ([1], ["at most", 1], False),
        (None, ["equals", "None"], False),
        (True, ["equals", 1], True),
    ],
)
def test_bounds_are_met_on_the_healthy_side_alone(observed: object, bound: list[object], healthy: bool) -> None:
    assert oracle.meets(observed, bound) is healthy


# Many seeds.


def test_a_symptom_is_measured_over_seeds_that_no_other_run_uses(
    evidence: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    used: list[int] = []

    def measure(seed: int) -> float:
        used.append(seed)
        return 1.0

    for run in ("0", "1", "4"):
        monkeypatch.setenv("BUGLOSS_SEED", run)
        oracle.symptom("x", measure, at_least=0.5)
    assert len(used) == len(set(used)) == 18
    assert [line["seed"] for line in lines(evidence)] == used


def test_each_seed_starts_from_its_own_random_state(evidence: Path) -> None:
    def measure(seed: int) -> float:
        return random.random()

    oracle.symptom("x", measure, at_least=0)
    first = [line["value"] for line in lines(evidence)]
    evidence.unlink()
    random.seed(99)
    oracle.symptom("x", measure, at_least=0)
    assert [line["value"] for line in lines(evidence)] == first
    assert len(set(first)) == 6


@pytest.mark.parametrize(
    ("healthy", "verdict"), [(0, "fail"), (1, "undecided"), (3, "undecided"), (5, "undecided"), (6, "pass")]
)
def test_six_seeds_must_agree(evidence: Path, healthy: int, verdict: str) -> None:
    values = iter([1.0] * healthy + [0.0] * (6 - healthy))
    expected = {"fail": oracle.Failed, "undecided": oracle.Undecided}.get(verdict)
    if expected is None:
        oracle.symptom("x", lambda seed: next(values), at_least=0.5)
    else:
        with pytest.raises(expected, match=f"{healthy} of 6 seeds healthy"):
            oracle.symptom("x", lambda seed: next(values), at_least=0.5)
    assert len(lines(evidence)) == 6


@given(st.integers(0, 40).flatmap(lambda total: st.tuples(st.integers(0, total), st.just(total))))
def test_the_sign_test_is_exact_and_fair(case: tuple[int, int]) -> None:
    healthy, total = case
    verdict, p_value = oracle.sign_test(healthy, total)
    below = sum(math.comb(total, k) for k in range(healthy + 1)) / 2**total
    above = sum(math.comb(total, k) for k in range(healthy, total + 1)) / 2**total
    expected = "fail" if below < 0.05 else "pass" if above < 0.05 else "undecided"
    assert verdict == expected
    assert p_value == pytest.approx(min(below, above))
    mirrored = {"fail": "pass", "pass": "fail", "undecided": "undecided"}
    assert oracle.sign_test(total - healthy, total)[0] == mirrored[verdict]


def test_nan_is_a_symptom(evidence: Path) -> None:
    with pytest.raises(oracle.Failed):
        oracle.symptom("loss", lambda seed: math.nan, at_most=1.0)
    assert all(math.isnan(line["value"]) for line in lines(evidence))


# Costs.


def test_a_cost_is_recorded_and_judged_elsewhere(evidence: Path, capsys: pytest.CaptureFixture[str]) -> None:
    oracle.cost("steps", lambda seed: 5, ratio=3, repeats=4)
    assert lines(evidence) == [{"oracle": "cost", "seed": seed, "value": 5} for seed in range(4)]
    assert "pass" not in capsys.readouterr().out


def test_processor_time_is_measured_and_not_the_clock() -> None:
    import time

    assert oracle.cpu_seconds(time.sleep, 0.2) < 0.1
    assert oracle.cpu_seconds(lambda: sum(range(10**6))) > 0.001


@pytest.mark.skipif(not Path("/proc/self/clear_refs").exists(), reason="Linux alone resets the peak")
def test_peak_memory_is_that_of_the_work_and_not_of_what_was_before() -> None:
    first = oracle.peak_megabytes(lambda: bytearray(80 * 2**20))
    second = oracle.peak_megabytes(lambda: bytearray(20 * 2**20))
    assert 75 < first < 100
    assert 15 < second < 40


# Exceptions and seeds.


def test_survival_is_recorded_and_the_result_handed_on(evidence: Path) -> None:
    assert oracle.survives(lambda x: 2 * x, 21) == 42
    assert lines(evidence) == [{"oracle": "exception", "survived": True}]


def test_what_the_program_raises_passes_through_unrecorded(evidence: Path) -> None:
    with pytest.raises(ZeroDivisionError):
        oracle.survives(lambda: 1 / 0)
    assert not evidence.exists()


class Library:
    """Stands for a framework that is loaded already, and remembers its seeds."""

    def __init__(self, version: str) -> None:
        self.__version__ = version
        self.seeds: list[int] = []

    def __getattr__(self, name: str) -> Any:
        if name in {"manual_seed", "seed", "set_random_seed", "set_seed"}:
            return self.seeds.append
        if name in {"random", "utils"}:
            return self
        raise AttributeError(name)


@pytest.mark.parametrize(
    ("name", "version"),
    [("numpy", "2.4"), ("torch", "2.13"), ("tensorflow", "1.15.5"), ("tensorflow", "2.21.0"), ("keras", "3.15")],
)
def test_libraries_that_are_loaded_are_seeded(name: str, version: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for other in ("numpy", "torch", "tensorflow", "keras"):
        monkeypatch.delitem(sys.modules, other, raising=False)
    library = Library(version)
    monkeypatch.setitem(sys.modules, name, library)  # type: ignore[arg-type]
    oracle.seed_everything(5)
    assert library.seeds == [5]


def test_no_library_is_loaded_to_be_seeded(tmp_path: Path) -> None:
    text = "import sys, oracle; oracle.seed_everything(1); print([n for n in ('numpy', 'torch') if n in sys.modules])"
    assert in_a_checkout(tmp_path, text).stdout == "[]\n"


def test_the_same_seed_gives_the_same_numbers() -> None:
    oracle.seed_everything(3)
    first = random.random()
    oracle.seed_everything(3)
    assert random.random() == first


def test_a_checkout_needs_no_place_for_evidence(tmp_path: Path) -> None:
    done = in_a_checkout(tmp_path, "import oracle; oracle.value('x', lambda s: s, equals=0)")
    assert (done.returncode, done.stdout) == (0, "pass: x is 0; healthy is equals 0\n")
    assert sorted(path.name for path in tmp_path.iterdir() if path.is_file()) == ["oracle.py", "test.py"]


def test_a_program_that_empties_its_variables_is_measured_all_the_same(tmp_path: Path) -> None:
    text = "import os, oracle\nos.environ.clear()\noracle.value('seed', lambda s: s, equals=4)"
    done = in_a_checkout(tmp_path, text, BUGLOSS_EVIDENCE=str(tmp_path / "lines"), BUGLOSS_SEED="4")
    assert done.returncode == 0, done.stderr
    assert [line["value"] for line in lines(tmp_path / "lines")] == [4]
