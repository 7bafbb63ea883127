"""Reading what a stranger wrote takes time in proportion to its length, whatever it says.

100 KB of hex dump once cost ``triage`` 51 seconds, 100 KB of ``a.b.`` cost ``lookup`` 121 seconds: patterns that begin at
every character of a long run. Every front function is given many kinds of repeated text, and twice as much of it; where
the longer one is not quick, it must not take more than about twice the time. ``BUGLOSS_FUZZ_SECONDS`` (``make fuzz``)
goes on with random mixtures of these pieces.
"""

from __future__ import annotations

import gc
import json
import os
import random
import time
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest
from pace import QUIET_SECONDS, known_work, within
from pretended_runs import ended
from repeated_units import PYTHON_UNITS, UNITS, program, repeated

from bugloss.check.inspection import Selection, check_source, check_text
from bugloss.check.source import Skipped, parse_notebook
from bugloss.core.errors import BuglossError
from bugloss.core.raised import RaisedException
from bugloss.core.registry import load as load_plugins
from bugloss.core.report import Reading, Report
from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.search import search
from bugloss.corpus.where import parse as parse_query
from bugloss.intake.given import parse_report
from bugloss.intake.reading import take_apart
from bugloss.localize.query import read_query
from bugloss.localize.source_facts import read_source
from bugloss.observe.crash.catalogue import patterns
from bugloss.observe.crash.explanation import explain
from bugloss.observe.crash_event import Crash
from bugloss.reproduce.assembly import assemblies
from bugloss.reproduce.contract import ACTION_GROUP, Action, Evidence
from bugloss.reproduce.draft import Draft
from bugloss.reproduce.oracle import expect
from bugloss.triage.judgement import triage
from bugloss.workflows.lookup import look_up
from bugloss.workflows.reproduction import exceptions_of

SIZE = 12_000
MOST_GROWTH = 3.2  # linear work grows by 2, quadratic by 4
REPOSITORY = Path(__file__).resolve().parents[2]
FUZZ_SECONDS = float(os.environ.get("BUGLOSS_FUZZ_SECONDS", "0"))

Door = Callable[[str], object]


def read(text: str) -> Reading:
    return take_apart(Report("", text))


def triage_as_markdown(text: str) -> None:
    triage(take_apart(parse_report(text.encode(), "report.md")))


def read_as_html(text: str) -> None:
    read(parse_report(f"<p>a</p>{text}</p>".encode(), "report.html").body)


def read_as_notebook(text: str) -> None:
    cells = [{"cell_type": "code", "source": text, "outputs": [{"output_type": "stream", "text": text}]}]
    read(parse_report(json.dumps({"nbformat": 4, "cells": cells}).encode(), "report.ipynb").body)


def look_up_a_log(text: str) -> None:
    look_up(text, corpus())


def explain_a_message(text: str) -> None:
    explain(Crash(RaisedException("ValueError", "builtins.ValueError", text)), lambda path: None)


def ask_a_repository(text: str) -> None:
    read_query(read(text))


def read_a_file_of_a_repository(text: str) -> None:
    read_source(text, "a.py")
    read_source(text, "a.cc")


def start_a_reproduction(text: str) -> None:
    for body in (text, f"```\n{text}\n```\n"):
        reading = read(body)
        exceptions = exceptions_of(reading)
        expect(reading, exceptions)
        assemblies(reading, exceptions)


def propose_edits(text: str) -> None:
    """Every edit action, for a report, a program and a message that say it."""
    reading = read(text)
    failure = RaisedException("ValueError", "builtins.ValueError", text)
    evidence = Evidence(reading, expect(reading, [failure]), {"torch": "2.13.0"}, frozenset({"torch"}), ended(text, failure))
    for action in load_plugins(ACTION_GROUP, Action).values():
        next(iter(action.find(Draft.reported(f"import torch\nx = 1\n# {text}\n"), evidence)), None)


def check_as_python(text: str) -> None:
    check_text(text, Selection())
    check_text(f"import torch\nx = '''{text}'''\n", Selection())


def check_as_notebook(text: str) -> None:
    cells = [{"cell_type": "code", "source": source} for source in ("import torch", text)]
    source = parse_notebook(json.dumps({"nbformat": 4, "cells": cells}).encode(), "a.ipynb")
    if not isinstance(source, Skipped):
        check_source(source, Selection())


def parse_a_query(text: str) -> None:
    parse_query(f"title={text}")


def search_the_corpus(text: str) -> None:
    search(list(corpus()), text)


DOORS: tuple[Door, ...] = (
    triage_as_markdown,
    read_as_html,
    read_as_notebook,
    look_up_a_log,
    explain_a_message,
    ask_a_repository,
    read_a_file_of_a_repository,
    start_a_reproduction,
    propose_edits,
    check_as_python,
    check_as_notebook,
    parse_a_query,
    search_the_corpus,
)


def corpus() -> Corpus:
    return load(REPOSITORY / "bugs")


def cost(door: Door, text: str) -> float:
    """CPU seconds; a text that is refused was read too."""
    start = time.process_time()
    try:
        door(text)
    except BuglossError:
        pass
    return time.process_time() - start


def grows_too_fast(door: Door, short: str, long: str, floor: float) -> str | None:
    """What is wrong with the time that a text of twice the length takes; asked twice, for noise passes and growth stays."""
    for _ in range(2):
        longer = cost(door, long)
        if longer < floor:
            return None
        shorter = cost(door, short)
        if longer < shorter * MOST_GROWTH:
            return None
    return f"{door.__name__}: {shorter:.3f} s for {len(short)}, {longer:.3f} s for {len(long)} characters of {long[:40]!r}"


def complaints(door: Door, texts: Iterable[tuple[str, str]]) -> Iterator[str]:
    """The texts that a door takes too long for. What ends within the floor ends quickly at any size that doors let in."""
    slowness = max(1.0, known_work() / QUIET_SECONDS)
    floor = 0.15 * slowness
    collecting = gc.isenabled()
    gc.disable()
    try:
        cost(door, "loss is nan")  # loads what is loaded once
        for short, long in texts:
            complaint = grows_too_fast(door, short, long, floor)
            if complaint:
                yield complaint
    finally:
        if collecting:
            gc.enable()


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.__name__)
def test_twice_the_text_takes_about_twice_the_time(door: Door) -> None:
    texts = (
        pair for unit in UNITS for pair in zip(repeated(unit, SIZE), repeated(unit, 2 * SIZE), strict=True)
    )
    assert not list(complaints(door, texts))
