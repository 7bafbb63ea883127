"""Every pattern knows its own examples, says what they promise, and no other pattern comes before it."""

from __future__ import annotations

import re

import pytest

from bugloss.core.diagnosis import Cause
from bugloss.core.failure.traceback_text import last_failure
from bugloss.core.run import Frame, RaisedException
from bugloss.observe.crash import explain
from bugloss.observe.crash.catalogue import families, patterns
from bugloss.observe.crash.contract import Example, Pattern
from bugloss.observe.crash.explanation import recognise
from bugloss.observe.recording import Crash

CASES = [(pattern, example) for pattern in patterns() for example in pattern.examples]
PRINTED = [(pattern, example) for pattern, example in CASES if pattern.only_if is None]  # a message says it all
NAMES = [f"{pattern.cause}-{number}" for number, (pattern, _) in enumerate(CASES)]


def crash_of(example: Example) -> Crash:
    text = example.program.split("\n")[example.line - 1].strip()
    frame = Frame("train.py", example.line, "forward", text)
    return Crash(RaisedException(example.exception, example.exception, example.message, (), (frame,)), example.operands)


def words_of(cause: Cause) -> str:
    return "\n".join((cause.explanation, cause.advice, *cause.evidence))


@pytest.mark.parametrize(("pattern", "example"), CASES, ids=NAMES)
def test_an_example_is_explained_by_its_own_pattern(pattern: Pattern, example: Example) -> None:
    first, *rivals = explain(crash_of(example), lambda path: example.program or None)
    assert first.cause == pattern.cause
    told = words_of(first)
    assert [words for words in example.says if words not in told] == [], told
    assert all(rival.confidence < first.confidence for rival in rivals)


@pytest.mark.parametrize(("pattern", "example"), CASES, ids=NAMES)
def test_its_sentences_are_whole(pattern: Pattern, example: Example) -> None:
    for cause in explain(crash_of(example), lambda path: example.program or None):
        for sentence in (cause.explanation, cause.advice):
            assert sentence.endswith((".", "?", "…"))
            assert not re.search(r"  | [,;]| \.(?:\s|$)|(?<=\s)\(\)|[⟨⟩]", sentence), sentence
        assert 0 < cause.confidence < 1
        assert cause.locations[-1].path == "train.py"


@pytest.mark.parametrize(("pattern", "example"), PRINTED)
def test_the_same_is_recognised_in_a_printed_traceback(pattern: Pattern, example: Example) -> None:
    printed = f'Traceback (most recent call last):\n  File "train.py", line 1, in run\n    run()\n{example.exception}: {example.message}\n'
    failure = last_failure(printed)
    assert failure is not None
    known = recognise(failure.exception)
    assert known is not None
    assert (known.kind, known.cause) == (pattern.kind, pattern.cause)


def test_every_pattern_has_an_example_and_a_name_that_reads_well() -> None:
    for pattern in patterns():
        assert pattern.examples, pattern.cause
        assert re.fullmatch(r"[a-z]+(?:-[a-z]+)*", pattern.cause)
        assert pattern.marks


def test_one_cause_is_always_of_one_kind() -> None:
    kinds: dict[str, set[str]] = {}
    for pattern in patterns():
        kinds.setdefault(pattern.cause, set()).add(pattern.kind.value)
    assert {cause: found for cause, found in kinds.items() if len(found) > 1} == {}


def test_every_family_is_in_the_catalogue() -> None:
    from pkgutil import iter_modules

    from bugloss.observe.crash import families as package

    assert {module.name for module in iter_modules(package.__path__)} == set(families())
    assert families().broken == ()


def test_each_family_brings_patterns_of_its_own() -> None:
    assert len(patterns()) > 150
    assert len({pattern.cause for pattern in patterns()}) > 90
