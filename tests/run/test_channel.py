"""The reader of a run's evidence: lines with the nonce, in order, up to its limits, whatever else is written."""

from __future__ import annotations

import os

import pytest

from bugloss.run import channel
from bugloss.run.channel import Account, Channel, End

CLOSED = b'closed {"code": 0, "said": 0, "peak_kilobytes": 9}'


def heard(*lines: bytes, cut: int = 0) -> Account:
    """What the reader makes of these lines, in which NONCE stands for the nonce."""
    with Channel({}) as one:
        inner = os.dup(one.inner)
        nonce = os.read(inner, 1000).split(b"\n")[0]
        one.listen()
        text = b"".join(line.replace(b"NONCE", nonce) + b"\n" for line in lines)
        os.write(inner, text[: len(text) - cut])
        os.close(inner)
        return one.account()


def test_numbered_lines_with_the_nonce_are_heard() -> None:
    said = heard(b'NONCE 0 evidence {"a": 1}', b'NONCE 1 evidence {"b": 2}', b"NONCE 2 " + CLOSED)
    assert said == Account(({"a": 1}, {"b": 2}), None, End(0, 0, 9))
    assert said.came_to_end


@pytest.mark.parametrize("start", [b"", b"0 ", b"0" * 32 + b" ", b"NONC ", b"NONCE0 ", b" NONCE "])
def test_lines_without_the_nonce_are_dropped(start: bytes) -> None:
    said = heard(start + b'0 evidence {"a": 1}', start + b"0 " + CLOSED, b'NONCE 0 evidence {"b": 2}')
    assert said == Account(({"b": 2},))
    assert not said.came_to_end


def test_a_line_that_is_missing_takes_the_end_with_it() -> None:
    """Whoever breaks into the stream can spoil a line, and must not gain by it."""
    said = heard(b'NONCE 0 evidence {"a": 1}', b"NONCE 2 " + CLOSED)
    assert (said.end, said.came_to_end) == (None, False)


def test_nothing_counts_after_the_end() -> None:
    said = heard(b"NONCE 0 " + CLOSED, b'NONCE 1 evidence {"a": 1}', b"NONCE 2 " + CLOSED)
    assert said == Account((), None, End(0, 0, 9))


def test_a_line_that_was_cut_short_is_none() -> None:
    assert heard(b'NONCE 0 evidence {"a": 1}', b"NONCE 1 " + CLOSED, cut=1) == Account(({"a": 1},))


@pytest.mark.parametrize("end", [b"closed", b"closed null", b"closed {}", b'closed {"code": 0}', b"closed [0, 0, 9]"])
def test_an_end_of_another_form_is_none(end: bytes) -> None:
    assert heard(b"NONCE 0 " + end).end is None


@pytest.mark.parametrize(
    ("code", "said", "believed"),
    [(0, 0, True), (3, 3, True), (0, 1, False), (1, 0, False), (-9, 0, False), (120, 0, True), (0, None, False)],
)
def test_an_announced_end_is_believed_where_the_exit_code_agrees(code: int, said: int | None, believed: bool) -> None:
    assert Account(end=End(code, said, 9)).came_to_end is believed


def test_bytes_and_values_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(channel, "MOST_BYTES", 100)
    long = heard(b'NONCE 0 evidence {"a": 1}', b'NONCE 1 evidence "' + b"x" * 100 + b'"', b"NONCE 2 " + CLOSED)
    assert (long.events, long.is_cut, long.came_to_end) == (({"a": 1},), True, True)
    monkeypatch.setattr(channel, "MOST_VALUES", 10)
    wide = heard(b'NONCE 0 evidence {"a": [' + b"0," * 20 + b"0]}", b'NONCE 1 evidence {"a": 1}')
    assert (wide.events, wide.is_cut) == ((), True)


def test_a_program_that_was_never_started_said_nothing() -> None:
    with Channel({}) as one:
        assert one.account() == Account()
