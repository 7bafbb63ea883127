"""What once failed does not fail again, every target takes a few new inputs, and the fuzzer finds what it should."""

from __future__ import annotations

from itertools import islice
from pathlib import Path

import pytest
from hostile.fuzz.engine import KEPT, attempt, fuzz, inputs, minimised
from hostile.fuzz.targets import TARGETS, Target

from bugloss.core.errors import InvalidInput

KEPT_INPUTS = sorted(path for path in KEPT.glob("*") if path.is_file())


@pytest.mark.parametrize("path", KEPT_INPUTS, ids=[path.name for path in KEPT_INPUTS])
def test_what_once_failed_is_answered(path: Path) -> None:
    fault = attempt(TARGETS[path.name.rsplit("-", 1)[0]], path.read_bytes())
    assert fault is None, fault.detail


@pytest.mark.parametrize("name", TARGETS)
def test_each_target_answers_or_refuses_new_inputs(name: str) -> None:
    for content in islice(inputs(TARGETS[name], "ordinary"), 6):
        fault = attempt(TARGETS[name], content)
        assert fault is None, f"{fault.detail}\n{content[:2000]!r}"


def test_the_same_seed_makes_the_same_inputs() -> None:
    target = TARGETS["where"]
    assert list(islice(inputs(target, "a"), 30)) == list(islice(inputs(target, "a"), 30))
    assert list(islice(inputs(target, "a"), 30)) != list(islice(inputs(target, "b"), 30))


def _of(content: bytes) -> None:
    if b"\x00" in content:
        raise InvalidInput("refused")
    if b"a" in content and b"z" in content:
        raise KeyError("both")


def test_a_failing_input_is_found_and_made_small(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target("pretended", lambda: (b"abcdefghijklmnopqrstuvwxy " * 3, b"z"), _of)
    monkeypatch.setitem(TARGETS, "pretended", target)
    found = []
    tried, faults = fuzz("pretended", "x", 0.5, found.append)
    assert (tried > 20, faults) == (True, 1)
    assert sorted(found[0].content) == [ord("a"), ord("z")]
    assert attempt(target, b"\x00az") is None


def test_an_input_without_end_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    def spin(content: bytes) -> None:
        try:
            while True:
                pass
        except Exception:  # what the product swallows is not what stops it
            raise AssertionError from None

    monkeypatch.setattr("hostile.fuzz.engine.BASE_SECONDS", 0.1)
    target = Target("pretended", lambda: (b"",), spin)
    fault = attempt(target, b"x")
    assert fault is not None
    assert fault.kind == "OutOfTime"
    assert minimised(target, fault) is fault
