"""What the corpus covers: as many bugs of each kind as a benchmark of deep-learning bugs needs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from bugloss.core.bug import OracleKind, Status, Twin
from bugloss.core.bug_conditions import BugSetting
from bugloss.core.foreign_file import read_text
from bugloss.core.taxonomy import BugType, FixPattern, GeneralType, Origin
from bugloss.corpus.collection import load
from bugloss.corpus.entry import Entry
from bugloss.corpus.second_labels import read_second_labels
from bugloss.corpus.unified_diff import text_files

ROOT = Path(__file__).parents[2] / "bugs"
CORPUS = load(ROOT)
ACTIVE = [entry for entry in CORPUS.values() if entry.status is Status.ACTIVE]
RE_CREATED = [entry for entry in ACTIVE if entry.bug.upstream is None]
TWICE_LABELLED = 0.95  # of all; a bug that was just added waits for somebody who has not seen its labels


def _lines(entry: Entry) -> int:
    program = entry.program(Twin.BUGGY)
    return sum(len(read_text(program, name, errors="replace").splitlines()) for name in text_files(program))


@pytest.mark.parametrize(
    ("stacks", "least"),
    [
        ({"torch"}, 90),
        ({"keras3"}, 70),
        ({"keras1", "keras2-tf1", "tf1-early"}, 40),
        ({"tf2", "tf2-keras2"}, 25),
        ({"torch1"}, 10),
    ],
    ids=["PyTorch", "Keras 3", "TensorFlow 1 and its Keras", "TensorFlow 2", "PyTorch 1"],
)
def test_every_era_has_its_bugs(stacks: set[str], least: int) -> None:
    assert sum(entry.bug.stack in stacks for entry in RE_CREATED) >= least


def test_every_type_of_bug_and_every_fix_pattern_of_the_studies_is_there() -> None:
    assert len(RE_CREATED) >= 250
    assert {entry.bug.labels.bug_type for entry in RE_CREATED} == set(BugType)
    patterns = Counter(entry.bug.labels.fix_pattern for entry in RE_CREATED)
    assert {
        pattern.value: patterns[pattern] for pattern in FixPattern if not pattern.ours and patterns[pattern] < 5
    } == {}


def test_the_general_types_are_as_many_as_in_the_published_database() -> None:
    published = {
        GeneralType.API_MISUSE: 23,
        GeneralType.TYPE_MISMATCH: 16,
        GeneralType.SHAPE_MISMATCH: 11,
        GeneralType.NUMERIC_ERROR: 8,
        GeneralType.ARCHITECTURE_CONVENTION_VIOLATION: 4,
        GeneralType.PERFORMANCE: 2,
    }
    found = Counter(entry.bug.labels.general_type for entry in RE_CREATED)
    assert {kind.value: found[kind] for kind, least in published.items() if found[kind] < least} == {}


def test_bugs_that_need_more_than_one_run_to_be_seen_are_there() -> None:
    assert sum(entry.bug.oracle.kind is OracleKind.SYMPTOM for entry in RE_CREATED) >= 80
    pairs = {frozenset((entry.id, other)) for entry in RE_CREATED for other in entry.bug.counterparts}
    assert len(pairs) >= 20
    assert sum(entry.bug.releases is not None for entry in RE_CREATED) >= 12
    assert sum(entry.bug.labels.origin is not Origin.INTRINSIC for entry in RE_CREATED) >= 15
    assert sum(bool({*entry.bug.settings} & {*BugSetting}) for entry in RE_CREATED) >= 12


def test_programs_are_as_long_as_people_write_them_and_a_third_have_several_files() -> None:
    assert {entry.id: _lines(entry) for entry in RE_CREATED if not 30 <= _lines(entry) <= 200} == {}
    several = sum(len(text_files(entry.program(Twin.BUGGY))) > 1 for entry in RE_CREATED)
    assert several >= len(RE_CREATED) / 3


def test_every_counterpart_names_the_other_in_return() -> None:
    for entry in ACTIVE:
        for other in entry.bug.counterparts:
            assert entry.id in CORPUS[other].bug.counterparts
            assert CORPUS[other].bug.framework is not entry.bug.framework


def test_every_bug_was_seen_to_fail_and_its_fix_to_pass_five_times() -> None:
    for entry in ACTIVE:
        assert entry.verified is not None, f"{entry.id} has no recorded verification"
        seen = (entry.verified.buggy, entry.verified.fixed, entry.verified.standing)
        assert seen == ("5/5 fail", "5/5 pass", "active"), entry.id


def test_nearly_every_bug_was_labelled_a_second_time() -> None:
    labelled = set(read_second_labels(ROOT))
    assert len(labelled & {entry.id for entry in ACTIVE}) >= TWICE_LABELLED * len(ACTIVE)
    assert labelled <= set(CORPUS)
