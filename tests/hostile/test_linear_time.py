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
from contextlib import suppress
from functools import cache
from pathlib import Path

import pytest
from pace import QUIET_SECONDS, known_work, within
from pretended_runs import ended
from repeated_units import NUMBERED_UNITS, PYTHON_UNITS, UNITS, numbered, program, repeated

from bugloss.check.running.inspection import Selection, check_paths, check_source, check_text
from bugloss.core.errors import BuglossError
from bugloss.core.plugin_group import PluginGroup
from bugloss.core.raised import RaisedException
from bugloss.core.registry import load as load_plugins
from bugloss.core.report import Reading, Report
from bugloss.corpus.collection import Corpus, load
from bugloss.corpus.entry import Entry
from bugloss.corpus.search import search
from bugloss.corpus.where import parse as parse_query
from bugloss.intake.given import parse_report
from bugloss.intake.reading import take_apart
from bugloss.localize.index.source_facts import read_source
from bugloss.localize.question.query import read_query
from bugloss.observe.crash.catalogue import patterns
from bugloss.observe.crash.explanation import explain
from bugloss.observe.crash_event import Crash
from bugloss.reproduce.contract import Action, EditEvidence
from bugloss.reproduce.expected.oracle import expect
from bugloss.reproduce.program.assembly import assemblies
from bugloss.reproduce.program.draft import Draft
from bugloss.source.text.source_file import Skipped, parse_notebook
from bugloss.triage.judgement import triage
from bugloss.workflows.lookup import look_up
from bugloss.workflows.reproduction import exceptions_of

MOST_GROWTH = 3.2  # linear work grows by 2, quadratic by 4
FLOOR = 0.06  # seconds; a pattern that begins at each of 6,000 characters and reads to the end takes 0.09
REPOSITORY = Path(__file__).resolve().parents[2]
FUZZ_SECONDS = float(os.environ.get("BUGLOSS_FUZZ_SECONDS", "0"))

Door = Callable[[str], object]
Pair = tuple[str, str]


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
    evidence = EditEvidence(
        reading, expect(reading, [failure]), {"torch": "2.13.0"}, frozenset({"torch"}), ended(text, failure)
    )
    for action in load_plugins(PluginGroup.EDIT_ACTION, Action).values():
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
    search(entries(), text)


# Each with the length of the shorter text; those that do more for each character get less.
DOORS: tuple[tuple[Door, int], ...] = (
    (triage_as_markdown, 2_500),
    (read_as_html, 8_000),
    (read_as_notebook, 2_000),
    (look_up_a_log, 8_000),
    (explain_a_message, 8_000),
    (ask_a_repository, 3_000),
    (read_a_file_of_a_repository, 8_000),
    (start_a_reproduction, 1_200),
    (propose_edits, 1_000),
    (check_as_python, 8_000),
    (check_as_notebook, 8_000),
    (parse_a_query, 16_000),
    (search_the_corpus, 2_000),
)


@cache
def corpus() -> Corpus:
    return load(REPOSITORY / "bugs")


@cache
def entries() -> list[Entry]:
    return corpus().readable()[0]


def cost(door: Door, text: str) -> float:
    """CPU seconds; a text that is refused was read too."""
    start = time.process_time()
    with suppress(BuglossError, RecursionError):  # what is nested too deeply is another test's concern
        door(text)
    return time.process_time() - start


def grows_too_fast(door: Door, pair: Pair, floor: float) -> str | None:
    """What is wrong with the time that a text of twice the length takes; asked three times: noise passes, growth stays."""
    short, long = pair
    for _ in range(3):
        longer = cost(door, long)
        if longer < floor:
            return None
        shorter = min(cost(door, short), cost(door, short))
        if longer < shorter * MOST_GROWTH:
            return None
    return f"{shorter:.3f} s for {len(short)}, {longer:.3f} s for {len(long)} characters of {long[:40]!r}"


def complaints(door: Door, pairs: Iterable[Pair]) -> Iterator[str]:
    """The texts that a door takes too long for."""
    floor = FLOOR * max(1.0, known_work() / QUIET_SECONDS)
    cost(door, "loss is nan")  # loads what is loaded once
    gc.collect()
    gc.disable()
    try:
        for pair in pairs:
            complaint = grows_too_fast(door, pair, floor)
            if complaint:
                yield complaint
    finally:
        gc.enable()


def pairs_of(size: int) -> Iterator[Pair]:
    for unit in UNITS:
        whole, lines, _ = zip(repeated(unit, size), repeated(unit, 2 * size), strict=True)
        yield from (whole, lines) if size > 2_000 else (lines,)  # mixtures, below, have all of them
    for unit in NUMBERED_UNITS:
        yield numbered(unit, size), numbered(unit, 2 * size)


@pytest.mark.parametrize(("door", "size"), DOORS, ids=lambda value: getattr(value, "__name__", ""))
def test_twice_the_text_takes_about_twice_the_time(door: Door, size: int) -> None:
    assert not list(complaints(door, pairs_of(size)))


def test_twice_the_program_takes_about_twice_the_time_to_check() -> None:
    pairs = ((program(parts, 6_000), program(parts, 12_000)) for parts in PYTHON_UNITS)
    assert not list(complaints(check_as_python, pairs))


def test_a_message_that_a_pattern_knows_takes_linear_time_however_often_it_says_so() -> None:
    """The patterns of crashes say "anything" between their parts, so that their own words are what is slow to search."""
    examples = [pattern.examples[0].message for pattern in patterns() if pattern.examples]
    examples = [message for message in examples if message]
    beginnings = [message[: len(message) // 2] for message in examples if len(message) > 1]
    pairs = ((unit * (8_000 // len(unit) + 1), unit * (16_000 // len(unit) + 1)) for unit in (*examples, *beginnings))
    assert not list(complaints(explain_a_message, pairs))


def test_a_hex_dump_is_triaged_at_once() -> None:
    """100 KB took 51 seconds."""
    dump = "".join(f"{row:08x}: {'7f45 4c46 ' * 4} .ELF....\n" for row in range(100_000 // 60))
    for text in (dump, dump.replace("\n", ""), "7f454c46" * 12_500):
        triage_as_markdown("a report")
        with within(1.5):
            triage_as_markdown(text)


@pytest.mark.parametrize("unit", ["a.b.", "a.b.\n", "deadbeef", "A.b", " ", "[[node "])
def test_names_without_end_are_looked_up_at_once(unit: str) -> None:
    """100 KB of ``a.b.`` took 121 seconds."""
    look_up_a_log("ValueError: a")
    with within(1.0):
        look_up_a_log(unit * (100_000 // len(unit)))


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("import torch\n" + "x = torch.zeros(2, 3)\n" * 230_000, id="5 MB of statements"),
        pytest.param("import torch\nx = '" + "a" * 5_000_000 + "'\n", id="a line of 5 MB"),
        pytest.param("import torch\nx = [" + "1, " * 400_000 + "]\n", id="a list of 400,000 numbers"),
        pytest.param("import torch\nx = " + "(" * 10_000 + "1" + ")" * 10_000 + "\n", id="10,000 parentheses"),
        pytest.param("import torch\nx = " + "a + " * 100_000 + "a\n", id="100,000 terms"),
        pytest.param("import torch\nx = '" + "\\'" * 500_000 + "'\n", id="a million escapes"),
        pytest.param("import torch\nprint 'a'" + "\n" * 1_900_000, id="2 MB of line ends below Python 2"),
        pytest.param("import torch\n" + " \t" * 900_000 + "= %x", id="2 MB of blanks before a magic"),
    ],
)
def test_a_huge_program_is_checked_in_bounded_time(text: str, tmp_path: Path) -> None:
    (tmp_path / "huge.py").write_text(text)
    with within(6.0):
        check_paths([tmp_path / "huge.py"], Selection())


@pytest.mark.skipif(not FUZZ_SECONDS, reason="BUGLOSS_FUZZ_SECONDS is not set")
@pytest.mark.parametrize(("door", "size"), DOORS, ids=lambda value: getattr(value, "__name__", ""))
def test_mixtures_of_pieces_take_linear_time_too(door: Door, size: int) -> None:
    seed = random.randrange(2**32)
    chance, end = random.Random(seed), time.monotonic() + FUZZ_SECONDS / len(DOORS)

    def mixtures() -> Iterator[Pair]:
        while time.monotonic() < end:
            unit = "".join(chance.choices(UNITS, k=chance.randint(1, 4)))
            before = chance.choice(("", *UNITS))
            for short, long in zip(repeated(unit, 2 * size), repeated(unit, 4 * size), strict=True):
                yield before + short, before + long

    assert not list(complaints(door, mixtures())), f"seed {seed}"
